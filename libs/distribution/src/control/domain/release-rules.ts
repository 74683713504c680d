import { invalidField, invalidFields, type JsonObject } from '@atrium/platform/kernel';
import { readDenyList } from './deny-list';

export const DISTRIBUTIONS = ['worldwide', 'restricted'] as const;
export type Distribution = (typeof DISTRIBUTIONS)[number];

/** The rules of a release, as they are sent. */
export interface ReleaseOrder {
  readonly distribution: Distribution;
  readonly deny?: readonly string[];
  readonly restrictions?: readonly string[];
  readonly start?: Date | null;
  readonly end?: Date | null;
}

/** The same, read: what a publication keeps. */
export interface ReleaseRules {
  readonly pub_distribution: Distribution;
  readonly pub_deny: string[];
  readonly pub_restrictions: string[];
  readonly pub_start: Date | null;
  readonly pub_end: Date | null;
}

/** Reads what was sent, or throws with one fault for each entry that is none; `path` is the prefix of the names of fields. */
export function readReleaseRules(
  { distribution, deny = [], restrictions = [], start = null, end = null }: ReleaseOrder,
  now: Date,
  path = '',
): ReleaseRules {
  const { values, faults } = readDenyList(deny, `${path}deny`);
  if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  if (distribution === 'worldwide' && values.length + restrictions.length > 0)
    throw invalidField(`${path}distribution`, 'worldwide allows neither deny nor restrictions', 'worldwide');
  if (distribution === 'restricted' && values.length + restrictions.length === 0)
    throw invalidField(`${path}distribution`, 'restricted requires deny or restrictions', 'restricted');
  if (end && end <= now) throw invalidField(`${path}end`, 'must be in the future', 'past');
  if (end && start && end <= start) throw invalidField(`${path}end`, 'must be after start', 'range');
  return {
    pub_distribution: distribution,
    pub_deny: values,
    pub_restrictions: [...new Set(restrictions.map((id) => id.toLowerCase()))],
    pub_start: start,
    pub_end: end,
  };
}

/** Rules as they are kept beside a release, in the words they were sent in. */
export const draftOf = ({ distribution, deny = [], restrictions = [], start = null, end = null }: ReleaseOrder): JsonObject => ({
  distribution,
  deny: [...deny],
  restrictions: [...restrictions],
  start: start?.toISOString() ?? null,
  end: end?.toISOString() ?? null,
});

/** The order that a stored draft represents. */
export function orderOf(draft: JsonObject): ReleaseOrder {
  const { distribution, deny, restrictions, start, end } = draft as {
    distribution: Distribution;
    deny: string[];
    restrictions: string[];
    start: string | null;
    end: string | null;
  };
  return { distribution, deny, restrictions, start: start === null ? null : new Date(start), end: end === null ? null : new Date(end) };
}

/** Rules as histories tell them. */
export const auditedRules = ({ pub_distribution, pub_deny, pub_restrictions, pub_start, pub_end }: ReleaseRules): JsonObject => ({
  distribution: pub_distribution,
  deny: [...pub_deny],
  restrictions: [...pub_restrictions],
  start: pub_start?.toISOString() ?? null,
  end: pub_end?.toISOString() ?? null,
});
