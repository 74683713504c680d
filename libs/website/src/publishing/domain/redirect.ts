import { Choice, Id, Ref, Resource, Stamp, TenantRow, Text, Whole } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { hashOfPath, prefixRulesFor } from './live-path';

/** Redirects of a site. */
export const MOST_REDIRECTS = 20_000;
export const REDIRECT_STATUSES = [301, 302, 307, 308, 410] as const;
export type RedirectStatus = (typeof REDIRECT_STATUSES)[number];
export const LONGEST_FROM = 2_000;
const SPLAT = ':splat';
export const ABSOLUTE = /^https?:\/\//i;

/** Leads visitors of a path to another one. A target that is a page is resolved when it is read, so that redirects never chain. */
@Resource({ table: 'site_redirect', sort: '-red_created' })
export class Redirect extends TenantRow {
  @Id({ about: 'Id of the redirect.' }) readonly red_id!: string;
  @Ref({ about: 'Id of the site.' }) readonly red_site!: string;
  @Text({
    min: 1,
    max: LONGEST_FROM,
    filter: 'prefix',
    about: 'Path that is redirected, with the prefix of its locale. A path that ends in `/*` redirects everything below it.',
    example: '/products/*',
  })
  readonly red_from!: string;
  @Text({ internal: true }) readonly red_from_hash!: string;
  @Text({ optional: true, max: 35, about: 'Locale in which it applies; null for all locales.', example: 'de' }) readonly red_locale!:
    string | null;
  @Text({
    optional: true,
    max: LONGEST_FROM,
    about: 'Target: a path or an absolute URL. In the redirect of a prefix, `:splat` is replaced by the rest of the path.',
    example: '/items/:splat',
  })
  readonly red_to!: string | null;
  @Ref({ optional: true, about: 'Id of the page to which it leads, wherever that page is live.' }) readonly red_node!: string | null;
  @Whole({ about: 'HTTP status: 301, 302, 307, 308, or 410 for a page that is gone for good.', example: 301 })
  readonly red_status!: RedirectStatus;
  @Choice(['manual', 'auto'], {
    filter: 'equals',
    about: '`auto`: left behind when a page got another path or was unpublished.',
    example: 'manual',
  })
  readonly red_kind!: 'manual' | 'auto';
  @Stamp({ sort: true, filter: 'range', about: 'When it was created.' }) readonly red_created!: Date;
  @Ref({ internal: true, optional: true }) readonly red_created_by!: string | null;

  static blank(
    facts: Pick<
      Redirect,
      'red_id' | 'red_site' | 'red_from' | 'red_locale' | 'red_to' | 'red_node' | 'red_status' | 'red_kind' | 'red_created_by'
    >,
    now: Date,
  ): Redirect {
    return Object.assign(new Redirect(), { ...facts, red_from_hash: hashOfPath(facts.red_from), red_created: now });
  }

  /** Where a path leads that the rule matches; null when it leads nowhere. `live` is the full path of the page in the locale, if it is live there. */
  resolveTarget(path: string, live: string | null): string | null {
    const rest = this.isPrefix ? path.slice(this.red_from.length - 1) : '';
    if (this.red_node !== null) return live === null ? null : rest === '' ? live : `${live === '/' ? '' : live}/${rest}`;
    return this.red_to?.replaceAll(SPLAT, rest) ?? null;
  }

  get isPrefix(): boolean {
    return this.red_from.endsWith('/*');
  }
}

/** A rule as far as chains are concerned. */
export type RuleTarget = Pick<Redirect, 'red_from' | 'red_to'>;

/** Rules that follow one another at most, before a target is refused. */
const LONGEST_CHAIN = 10;

/**
 * Refuses a target that leads back to what is redirected, by itself or through other rules, of which `find` answers the one for a path.
 * What replaces a splat is unknown: any segment shows whether a target is within a prefix.
 */
export async function assertNoLoop(
  { red_from, red_to }: RuleTarget,
  find: (addresses: readonly string[]) => Promise<RuleTarget | undefined>,
  base_url: string | null = null,
): Promise<void> {
  let target = withinSite(red_to, base_url);
  for (let step = 0; target !== null && !ABSOLUTE.test(target); step++) {
    const end = target.search(/[?#]/);
    const path = (end < 0 ? target : target.slice(0, end)).replaceAll(SPLAT, '_');
    const addresses = addressesFor(path);
    if (addresses.includes(red_from) || step === LONGEST_CHAIN) throw leadsBack();
    target = withinSite((await find(addresses))?.red_to ?? null, base_url);
  }
}

/** The addresses of all rules that a full path may match, the most specific first. */
export const addressesFor = (full: string): string[] => [full, ...prefixRulesFor(full)];

/** The path of a URL on the site itself. */
function withinSite(target: string | null, base_url: string | null): string | null {
  const base = base_url?.replace(/\/$/, '').toLowerCase();
  if (target === null || !base || !target.toLowerCase().startsWith(base)) return target;
  const rest = target.slice(base.length);
  return rest === '' ? '/' : rest.startsWith('/') ? rest : target;
}

const leadsBack = () => invalidField('red_to', 'must not lead back to the path that is redirected', 'loop');
