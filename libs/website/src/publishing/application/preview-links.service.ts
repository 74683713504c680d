import { Injectable } from '@nestjs/common';
import { ActingCallers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { API_PREFIX } from '@atrium/platform/http';
import { Clock, Ids, invalidField, notFound, Problem } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { fullPath } from '../domain/live-path';
import {
  hashPreviewToken,
  isPreviewToken,
  mintPreviewToken,
  MOST_PREVIEW_LINKS,
  previewAddress,
  previewEnd,
  PreviewLink,
} from '../domain/preview-link';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { PreviewLinksRepository, type OpenPreview, type PreviewLinkRow } from '../infrastructure/preview-links.repository';
import { prefixOf } from './site-prefix';

export type { PreviewLinkRow };

export interface PreviewLinkOrder {
  readonly prv_node?: string | null;
  readonly prv_locale?: string | null;
  readonly prv_version?: number | null;
  readonly expires_in?: number;
}

/** A new link; its address is shown this once. */
export type NewPreviewLink = PreviewLinkRow & { readonly prv_url: string };

const EXPIRED_AT_ONCE = 500;
/** What the creator of a link needs. */
const SHARING = 'content:edit';

/** Links that show drafts to everyone who has them. */
@Injectable()
export class PreviewLinksService {
  constructor(
    private readonly db: Database,
    private readonly links: PreviewLinksRepository,
    private readonly rows: LivePagesRows,
    private readonly access: SiteAccess,
    private readonly callers: ActingCallers,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, site_id: string, query: ListParameters): Promise<Page<PreviewLinkRow>> {
    return this.db.read(async () => {
      await this.access.requireReadable(caller, site_id);
      return this.links.listPreviewLinks(site_id, query);
    });
  }

  create(caller: Principal, site_id: string, order: PreviewLinkOrder): Promise<NewPreviewLink> {
    const { prv_node = null, prv_locale = null, prv_version = null } = order;
    return this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      await this.assertKnown(site, { prv_node, prv_locale, prv_version });
      if (await this.links.isFull(site_id, MOST_PREVIEW_LINKS, this.clock.now())) throw tooManyLinks();
      const token = mintPreviewToken();
      const link = PreviewLink.blank(
        {
          prv_id: this.ids.next(),
          prv_site: site_id,
          prv_node,
          prv_locale,
          prv_version,
          prv_expires: previewEnd(order.expires_in, this.clock),
          prv_token_hash: hashPreviewToken(token),
          prv_created_by: caller.user_id,
        },
        this.clock.now(),
      );
      await this.links.insert(link);
      const { prv_token_hash: _, tenant_id: __, row_version: ___, ...shown } = link;
      return { ...shown, prv_url: await this.addressOf(site, link, token) };
    });
  }

  remove(caller: Principal, site_id: string, prv_id: string): Promise<void> {
    return this.db.write(async () => {
      await this.access.requireEditable(caller, site_id);
      const link = await this.links.lock(prv_id);
      if (link.prv_site !== site_id) throw notFound('preview link');
      await this.links.remove(link);
    });
  }

  /** What a token opens on the site, counted as a use; null where it opens nothing. Within a unit of work that writes. */
  async useToken(site_id: string, token: string): Promise<OpenPreview | null> {
    if (!isPreviewToken(token)) return null;
    const link = await this.links.usePreview(site_id, hashPreviewToken(token), this.clock.now());
    return link && (await this.mayStillShare(site_id, link.prv_created_by)) ? link : null;
  }

  /** A link is never stronger than its creator, who could make it at this moment: it opens nothing once they have left or lost the site. */
  private async mayStillShare(site_id: string, user_id: string | null): Promise<boolean> {
    const creator = user_id === null ? undefined : (await this.callers.resolveMemberPrincipals([user_id])).get(user_id);
    if (!creator?.permissions.has(SHARING)) return false;
    return (await this.access.findVisibility(creator, [site_id])).get(site_id) === true;
  }

  /** The same without counting it. */
  async findToken(site_id: string, token: string): Promise<OpenPreview | null> {
    if (!isPreviewToken(token)) return null;
    return (await this.links.findPreview(site_id, hashPreviewToken(token), this.clock.now())) ?? null;
  }

  /** Removes some that have expired; whether there may be more. */
  async removeExpired(): Promise<boolean> {
    return (await this.links.deleteExpired(this.clock.now(), EXPIRED_AT_ONCE)) === EXPIRED_AT_ONCE;
  }

  private async assertKnown(
    site: Site,
    {
      prv_node,
      prv_locale,
      prv_version,
    }: { readonly prv_node: string | null; readonly prv_locale: string | null; readonly prv_version: number | null },
  ): Promise<void> {
    if (prv_locale !== null && !site.site_locales.some(({ code, active }) => active && code === prv_locale))
      throw invalidField('prv_locale', 'must be an active locale of the site', 'reference');
    if (prv_node !== null && (await this.rows.findUnknown(site.site_id, [prv_node])).length > 0)
      throw invalidField('prv_node', 'must be the id of a page of the site', 'reference');
    if (prv_version === null) return;
    if (prv_node === null) throw invalidField('prv_version', 'requires prv_node', 'conflict');
    if ((await this.rows.findVersion(prv_node, prv_version)) === null)
      throw invalidField('prv_version', 'must be the number of a version of the page', 'reference');
  }

  private async addressOf(site: Site, { prv_node, prv_locale }: PreviewLink, token: string): Promise<string> {
    const locale = prv_locale ?? site.site_default_locale;
    const within = prv_node === null ? '/' : await this.rows.findDraftPath(prv_node, locale);
    return previewAddress(site.site_preview_url, `${publicOrigin(this.settings)}/${API_PREFIX}`, {
      path: fullPath(prefixOf(site, locale), within),
      token,
      locale,
      site_key: site.site_key,
    });
  }
}

const tooManyLinks = (): Problem =>
  new Problem('limit_reached', `${MOST_PREVIEW_LINKS} preview links of the site are open. Delete some first.`);
