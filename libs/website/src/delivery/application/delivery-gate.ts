import { Injectable } from '@nestjs/common';
import { currentScope, Database, type Actor } from '@atrium/platform/database';
import { unauthenticated } from '@atrium/platform/access';
import { Clock, notFound } from '@atrium/platform/kernel';
import { ShortLived } from '@atrium/platform/messaging';
import { PreviewLinksService } from '../../publishing/application/preview-links.service';
import { DeliveredSitesRows, type FoundSite, type SiteFacts } from '../infrastructure/delivered-sites.rows';

export type { SiteFacts };

const MOST_KEYS = 10_000;
const KEY = /^wsk_[0-9A-Za-z]{24}$/;
const VISITOR: Actor = { kind: 'person', user_id: null, key_id: null, name: 'visitor' };

interface Known {
  readonly site: FoundSite | null;
  facts?: SiteFacts;
}

/** What a preview link opens on a site: a page in a locale, or all of them. */
export interface OpenedPreview {
  readonly node_id: string | null;
  readonly locale: string | null;
  readonly version: number | null;
}

/**
 * The only entrance of visitors to a site: by its public key. A key belongs to one site of one workspace for ever, so it is looked up at
 * most every few seconds; what is known of the site itself is compared with every reading of it, and holds at once on all processes.
 */
@Injectable()
export class DeliveryGate {
  private readonly known: ShortLived<Known>;

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
    if (!KEY.test(site_key)) throw unknownSite();
    const known = await this.known.get(site_key);
    const scope = currentScope();
    if (!known.site || !scope) throw unknownSite();
    const { tenant_id, site_id } = known.site;
    scope.tenant_id = tenant_id;
    scope.actor = VISITOR;
    if (!renew && known.facts) return known.facts;
    const facts = await this.db.read(() => this.sites.findFacts(site_id));
    if (!facts) throw unknownSite();
    known.facts = facts;
    return facts;
  }

  /** What a token opens, which counts as a use; 401 without one that opens anything. */
  async openPreview({ site_id }: SiteFacts, token: string | undefined): Promise<OpenedPreview> {
    const link = token === undefined ? null : await this.db.write(() => this.previews.useToken(site_id, token));
    if (!link) throw unauthenticated('A draft is shown only with the token of a preview link that has not expired.');
    return { node_id: link.prv_node, locale: link.prv_locale, version: link.prv_version };
  }
}

const unknownSite = () => notFound('site');
