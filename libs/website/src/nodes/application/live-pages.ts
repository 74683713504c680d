import { Injectable } from '@nestjs/common';
import type { SiteOfLivePages } from '../domain/page-draft';

/** What visitors find where pages were: their redirect, 410 (`gone`), or else 404. */
export interface TakeDown {
  readonly redirect_to?: string | null;
  readonly gone?: boolean;
  readonly by: string | null;
}

/** What is live, as the area of publications knows it. */
export interface LivePagesSource {
  /** The nodes among these that are live in a locale. */
  findLive(site_id: string, node_ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Takes the nodes down in all locales and cancels their schedules, in the unit of work of the caller. */
  takeDown(site: SiteOfLivePages, node_ids: readonly string[], how: TakeDown): Promise<void>;
}

/** Asks what is live, and takes it down. Publications register here when the service starts, as they are built on nodes. */
@Injectable()
export class LivePages {
  private source: LivePagesSource | null = null;

  register(source: LivePagesSource): void {
    this.source = source;
  }

  findLive(site_id: string, node_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.source?.findLive(site_id, node_ids) ?? Promise.resolve(new Set());
  }

  async takeDown(site: SiteOfLivePages, node_ids: readonly string[], how: TakeDown): Promise<void> {
    await this.source?.takeDown(site, node_ids, how);
  }
}
