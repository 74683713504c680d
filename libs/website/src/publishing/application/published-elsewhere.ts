import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { LivePages, type TakeDown } from '../../nodes/application/live-pages';
import { VersionHolders } from '../../nodes/application/version-holders';
import { SiteListeners, type DroppedLocales } from '../../sites/application/site-listeners';
import { WebsiteExpiry } from '../../sites/application/website-expiry';
import type { SiteOfLivePages } from '../../nodes/domain/page-draft';
import type { Site } from '../../sites/domain/site';
import { ClosedPagesRows } from '../infrastructure/closed-pages.rows';
import { LivePagesRows } from '../infrastructure/live-pages.rows';
import { SnapshotsRows } from '../infrastructure/snapshots.rows';
import { LiveChanges } from './live-changes';
import { PreviewLinksService } from './preview-links.service';
import { RedirectsService } from './redirects.service';
import { SchedulesService } from './schedules.service';
import { Snapshots } from './snapshots';

const MOST_USES = 1_000;

/** What is live as others meet it: pages that go to the trash, locales and sites that go, and files that a live page shows. */
@Injectable()
export class PublishedElsewhere implements OnModuleInit {
  constructor(
    private readonly live: LivePages,
    private readonly listeners: SiteListeners,
    private readonly holders: VersionHolders,
    private readonly files: FileReferences,
    private readonly expiry: WebsiteExpiry,
    private readonly rows: LivePagesRows,
    private readonly closed: ClosedPagesRows,
    private readonly snapshotRows: SnapshotsRows,
    private readonly changes: LiveChanges,
    private readonly schedules: SchedulesService,
    private readonly snapshots: Snapshots,
    private readonly previews: PreviewLinksService,
    private readonly redirects: RedirectsService,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.live.register({
      findLive: async (_, node_ids) =>
        new Set((await this.rows.findLivePages(node_ids, null)).filter(isSeen).map(({ node_id }) => node_id)),
      takeDown: (site, node_ids, how) => this.takeDown(site, node_ids, how),
    });
    this.listeners.register({
      onLocalesDropped: (site, dropped) => this.closeLocales(site, dropped),
      releaseStretch: (site_id, most) => this.releaseStretch(site_id, most),
    });
    this.holders.register((node_ids) => this.schedules.findHeldVersions(node_ids));
    this.holders.register((node_ids) => this.rows.findLiveVersions(node_ids));
    this.files.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
    this.expiry.register({ name: 'preview links', removeStretch: () => this.previews.removeExpired() });
  }

  private async takeDown(site: SiteOfLivePages, node_ids: readonly string[], how: TakeDown): Promise<void> {
    await this.schedules.cancelOf(node_ids);
    const live = await this.rows.findLivePages(node_ids, null);
    const redirect_to = how.redirect_to == null ? null : await this.redirects.readDeparture(site, live.filter(isSeen), how.redirect_to);
    await this.changes.closePages(site, live, { ...how, redirect_to });
  }

  private async closeLocales(site: Site, { locales, site_seq }: DroppedLocales): Promise<void> {
    const snapshots = await this.closed.closeLocales(site.site_id, locales, site_seq, this.clock.now());
    await this.snapshots.releaseUnshown(snapshots.map((snapshot) => ({ snapshot })));
  }

  /** What is live of a site that is removed for good gives back its bytes and its entries in lists. */
  private async releaseStretch(site_id: string, most: number): Promise<boolean> {
    const snapshots = await this.closed.closeStretch(site_id, most, this.clock.now());
    await this.snapshots.releaseUnshown(snapshots.map((snapshot) => ({ snapshot })));
    return snapshots.length > 0;
  }

  /** Live pages that show the file: it cannot be removed for good while they do. */
  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const readable = caller.permissions.has('site:view') || caller.permissions.has('content:view');
    const uses = await this.snapshotRows.findFileUses(file_id, {
      readable: readable ? aclAllows('s.site_acl', caller, 'view') : sql`false`,
      most: MOST_USES,
    });
    const seen = uses.filter((use) => use.readable);
    return {
      data: seen.map(({ node_id, name, locale }) => ({
        ref_type: 'live_page',
        ref_id: node_id,
        ref_name: name,
        ref_detail: locale,
        ref_blocking: true,
      })),
      hidden: uses.length - seen.length,
    };
  }
}

const isSeen = ({ kind }: { readonly kind: string }): boolean => kind !== 'segment';
