import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { Site } from '../../sites/domain/site';
import { MOST_NODES } from '../domain/publish-schedule';
import { assertPublishable } from '../domain/publish-work';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import type { VersionedScheduleRow } from '../infrastructure/schedules.repository';
import { LiveChanges } from './live-changes';
import { Publishing, type PublishOutcome } from './publishing';
import { RedirectsService } from './redirects.service';
import { SchedulesService } from './schedules.service';

/** How a node is published: at once, or at a time to come. */
export interface PublishOrder {
  readonly locales?: readonly string[];
  /** Number of the version; the draft when absent. */
  readonly version?: number;
  readonly subtree?: boolean;
  readonly at?: Date;
  readonly freeze?: boolean;
}

export interface PublishManyOrder extends Omit<PublishOrder, 'version' | 'subtree'> {
  readonly node_ids: readonly string[];
}

export interface UnpublishOrder {
  readonly locales?: readonly string[];
  readonly redirect_to?: string;
  readonly gone?: boolean;
}

/** What was published, or the schedule by which it will be. */
export type PublishAnswer = { readonly outcome: PublishOutcome } | { readonly schedule: VersionedScheduleRow };

export interface UnpublishOutcome {
  readonly site_seq: number;
  readonly unpublished: readonly { readonly node_id: string; readonly locale: string }[];
}

/** Publishes pages, folders and links of a site, and takes them down. */
@Injectable()
export class PublishService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly publishing: Publishing,
    private readonly changes: LiveChanges,
    private readonly rows: LivePagesRows,
    private readonly schedules: SchedulesService,
    private readonly redirects: RedirectsService,
  ) {}

  publishNode(caller: Principal, site_id: string, node_id: string, order: PublishOrder): Promise<PublishAnswer> {
    return this.db.write(
      async () => {
        const site = await this.access.requireEditable(caller, site_id);
        const ver_id = order.version === undefined ? null : await this.findVersion(site, node_id, order.version);
        const node_ids = order.subtree ? await this.findSubtree(site, node_id) : [node_id];
        if (ver_id !== null && node_ids.length > 1) throw invalidField('version', 'cannot be combined with subtree', 'conflict');
        return this.publishOrBook(site, { ...order, node_ids, ver_id }, caller);
      },
      { mayBeLong: 'all pages of a publish go live together' },
    );
  }

  publishNodes(caller: Principal, site_id: string, order: PublishManyOrder): Promise<PublishAnswer> {
    return this.db.write(
      async () => {
        const site = await this.access.requireEditable(caller, site_id);
        await this.assertKnown(site, order.node_ids);
        return this.publishOrBook(site, order, caller);
      },
      { mayBeLong: 'all pages of a publish go live together' },
    );
  }

  unpublishNode(caller: Principal, site_id: string, node_id: string, order: UnpublishOrder): Promise<UnpublishOutcome> {
    return this.db.write(async () => {
      const site = await this.access.requireEditable(caller, site_id);
      assertLocales(site, order.locales);
      if (order.gone && order.redirect_to !== undefined) throw invalidField('gone', 'cannot be combined with redirect_to', 'conflict');
      await this.rows.lockNodes(site_id, [node_id]);
      if ((await this.rows.findUnknown(site_id, [node_id])).length > 0) throw notFound('page');
      const live = (await this.rows.findLivePages([node_id], order.locales ?? null)).filter(({ kind }) => kind !== 'segment');
      if (live.length === 0) throw invalidState('The page is not published in these locales.');
      const redirect_to = order.redirect_to === undefined ? null : await this.redirects.readDeparture(site, live, order.redirect_to);
      const site_seq = await this.changes.closePages(site, live, { gone: order.gone ?? false, redirect_to, by: caller.user_id });
      return { site_seq: site_seq ?? site.site_seq, unpublished: live.map(({ locale }) => ({ node_id, locale })) };
    });
  }

  private async publishOrBook(
    site: Site,
    { node_ids, ver_id = null, locales, at, freeze = true }: Omit<PublishManyOrder, 'version'> & { readonly ver_id?: string | null },
    by: Principal,
  ): Promise<PublishAnswer> {
    assertLocales(site, locales);
    const wishes = [...new Set(node_ids)].map((node_id) => ({ node_id, locales: locales ?? null, ver_id }));
    if (at !== undefined) {
      const booked = wishes.map(({ node_id }) => node_id);
      // A page that goes to the trash at the same time waits for the booking, and cancels it.
      await this.rows.lockNodes(site.site_id, booked);
      assertPublishable(wishes, await this.rows.findStructures(site.site_id, booked, [site.site_default_locale]));
      return {
        schedule: await this.schedules.bookPublish(
          site,
          { action: 'publish', node_ids: booked, locales: locales ?? null, at, freeze, ver_id },
          by,
        ),
      };
    }
    return { outcome: await this.publishing.publishNodes(site, wishes, by.user_id) };
  }

  private async findVersion({ site_id }: Site, node_id: string, ver_number: number): Promise<string> {
    if ((await this.rows.findUnknown(site_id, [node_id])).length > 0) throw notFound('page');
    const ver_id = await this.rows.findVersion(node_id, ver_number);
    if (ver_id === null) throw invalidField('version', 'must be the number of a version of the page', 'reference');
    return ver_id;
  }

  /** The node and all that is below it in the draft. */
  private async findSubtree({ site_id }: Site, node_id: string): Promise<readonly string[]> {
    const node_ids = await this.rows.findSubtree(site_id, node_id, MOST_NODES + 1);
    if (node_ids.length === 0) throw notFound('page');
    if (node_ids.length > MOST_NODES)
      throw new Problem(
        'limit_reached',
        `At most ${MOST_NODES} pages can be published at once. Publish parts of the subtree one after the other.`,
      );
    return node_ids;
  }

  private async assertKnown({ site_id }: Site, node_ids: readonly string[]): Promise<void> {
    const unknown = new Set(await this.rows.findUnknown(site_id, node_ids));
    const at = node_ids.findIndex((id) => unknown.has(id));
    if (at >= 0) throw invalidField(`node_ids[${at}]`, 'must be the id of a page, folder or link of the site', 'reference');
  }
}

function assertLocales({ site_locales }: Site, locales: readonly string[] | undefined): void {
  const at = (locales ?? []).findIndex((locale) => !site_locales.some(({ code, active }) => active && code === locale));
  if (at >= 0) throw invalidField(`locales[${at}]`, 'must be an active locale of the site', 'reference');
}
