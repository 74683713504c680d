import { Injectable } from '@nestjs/common';
import { currentScope, Database, inWorkspace, type Actor } from '@atrium/platform/database';
import { unauthenticated } from '@atrium/platform/access';
import { Clock, notFound } from '@atrium/platform/kernel';
import { ShortLived } from '@atrium/platform/messaging';
import { PreviewLinksService } from '../../publishing/application/preview-links.service';
import { DeliveredSitesRows, type FoundSite, type SiteFacts, type SiteNumbersNow } from '../infrastructure/delivered-sites.rows';
import { SharedReads } from './shared-reads';

export type { SiteFacts };

const MOST_KEYS = 10_000;
const KEY = /^wsk_[0-9A-Za-z]{24}$/;
const VISITOR: Actor = { kind: 'person', user_id: null, key_id: null, name: 'visitor' };

interface Known {
  readonly site: FoundSite | null;
  facts?: SiteFacts;
}

interface KnownSite extends Known {
  readonly site: FoundSite;
}

const isKnownSite = (known: Known): known is KnownSite => known.site !== null;

/** What a preview link opens on a site: a page in a locale, or all of them. */
export interface OpenedPreview {
  readonly node_id: string | null;
  readonly locale: string | null;
  readonly version: number | null;
}

/**
 * The only entrance of visitors to a site: by its public key. A key belongs to one site of one workspace for ever, so it is looked up at
 * most every few seconds; what is known of the site itself is compared with every reading of it, so that a change counts at once on all processes.
 */
@Injectable()
export class DeliveryGate {
  private readonly known: ShortLived<Known>;
  private readonly numbers = new SharedReads<SiteNumbersNow | undefined>();

  constructor(
    private readonly db: Database,
    private readonly sites: DeliveredSitesRows,
    private readonly previews: PreviewLinksService,
    clock: Clock,
  ) {
    this.known = new ShortLived(async (key) => ({ site: await this.sites.findByKey(key) }), { max: MOST_KEYS, clock });
  }

  /** Binds the request to the workspace of the site, and answers what is known of the site; `renew` reads it again. */
  async openSite(site_key: string, { renew = false }: { readonly renew?: boolean } = {}): Promise<SiteFacts> {
    const known = await this.enterSite(site_key);
    return !renew && known.facts ? known.facts : this.readFacts(known);
  }

  /** The same, as far as the site is at this moment: one short statement, unless the site itself has changed, for all who ask at once. */
  async openSiteNow(site_key: string): Promise<SiteFacts> {
    const known = await this.enterSite(site_key);
    if (!known.facts) return this.readFacts(known);
    const { tenant_id, site_id } = known.site;
    const now = await this.numbers.read(site_id, () => inWorkspace(tenant_id, () => this.sites.findNumbers(site_id), VISITOR));
    if (!now) throw unknownSite();
    if (known.facts.version !== now.version) return this.readFacts(known);
    if (known.facts.site_seq !== now.site_seq) known.facts = { ...known.facts, ...now };
    return known.facts;
  }

  private async enterSite(site_key: string): Promise<KnownSite> {
    if (!KEY.test(site_key)) throw unknownSite();
    const known = this.known.get(site_key);
    const entered = known instanceof Promise ? await known : known;
    const scope = currentScope();
    if (!isKnownSite(entered) || !scope) throw unknownSite();
    scope.tenant_id = entered.site.tenant_id;
    scope.actor = VISITOR;
    return entered;
  }

  private async readFacts(known: KnownSite): Promise<SiteFacts> {
    const facts = await this.db.read(() => this.sites.findFacts(known.site.site_id));
    if (!facts) throw unknownSite();
    known.facts = facts;
    return facts;
  }

  /** What a token opens; 401 without one that opens anything. A page counts as a use, what is on it does not. */
  async openPreview({ site_id }: SiteFacts, token: string | undefined, { counted }: { readonly counted: boolean }): Promise<OpenedPreview> {
    const read = (given: string) =>
      counted ? this.db.write(() => this.previews.useToken(site_id, given)) : this.db.read(() => this.previews.findToken(site_id, given));
    const link = token === undefined ? null : await read(token);
    if (!link) throw unauthenticated('A draft is shown only with the token of a preview link that has not expired.');
    return { node_id: link.prv_node, locale: link.prv_locale, version: link.prv_version };
  }
}

const unknownSite = () => notFound('site');
