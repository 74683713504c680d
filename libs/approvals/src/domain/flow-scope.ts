import type { SubjectPlace } from './subject-ref';

/** Which subjects a flow covers; an empty list: all. */
export interface FlowScope {
  readonly sites: readonly string[];
  readonly locales: readonly string[];
}

export const EVERYWHERE: FlowScope = { sites: [], locales: [] };

interface Scoped {
  readonly caf_scope: FlowScope;
}

const coversPlace = ({ sites, locales }: FlowScope, { site, locale }: SubjectPlace): boolean => isIn(sites, site) && isIn(locales, locale);

/** The flow that a subject follows: sites are decided before languages, and both before what covers everything. */
export const coveringFlow = <F extends Scoped>(flows: readonly F[], place: SubjectPlace): F | undefined =>
  flows.filter(({ caf_scope }) => coversPlace(caf_scope, place)).sort((a, b) => rankOf(b.caf_scope) - rankOf(a.caf_scope))[0];

/** Whether two flows cover some subject equally, so that neither comes before the other. */
export const coverEqually = (one: FlowScope, other: FlowScope): boolean =>
  rankOf(one) === rankOf(other) && overlap(one.sites, other.sites) && overlap(one.locales, other.locales);

/** Sites weigh more than languages. */
const rankOf = ({ sites, locales }: FlowScope): number => (sites.length > 0 ? 2 : 0) + (locales.length > 0 ? 1 : 0);

const isIn = (list: readonly string[], value: string | null): boolean => list.length === 0 || (value !== null && list.includes(value));

/** Two lists of one rank are both empty or both filled. */
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === 0 || other.length === 0 || one.some((value) => other.includes(value));
