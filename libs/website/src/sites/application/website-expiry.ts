import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { SITE_RESTORABLE_MS } from '../domain/site';
import { SiteContentsRows } from '../infrastructure/site-contents.rows';
import { SitesRepository } from '../infrastructure/sites.repository';
import { SiteListeners } from './site-listeners';

const AT_ONCE = 100;
const STRETCH = 500;

type Run = Pick<JobRun, 'signal' | 'heartbeat'>;

/** One kind of what expires in a workspace. */
export interface ExpiringPart {
  readonly name: string;
  /** Removes some of what has expired, in the unit of work of the caller; whether there may be more. */
  removeStretch(): Promise<boolean>;
}

/** Removes what has expired of the sites of a workspace, stretch by stretch. Areas above sites register what expires in them. */
@Injectable()
export class WebsiteExpiry {
  private readonly parts: ExpiringPart[] = [];

  constructor(
    private readonly db: Database,
    private readonly sites: SitesRepository,
    private readonly contents: SiteContentsRows,
    private readonly listeners: SiteListeners,
    private readonly clock: Clock,
  ) {}

  register(part: ExpiringPart): void {
    if (this.parts.some(({ name }) => name === part.name)) throw new Error(`What expires is registered twice as ${part.name}.`);
    this.parts.push(part);
  }

  async removeExpired(run: Run): Promise<void> {
    for (const part of this.parts) await this.repeat(run, () => part.removeStretch());
    const before = this.clock.after(-SITE_RESTORABLE_MS);
    for (;;) {
      const due = await this.db.read(() => this.sites.listRemovedBefore(before, AT_ONCE));
      for (const site_id of due) await this.purgeSite(site_id, run);
      if (due.length < AT_ONCE) return;
    }
  }

  /** What rows of the site hold elsewhere is released before they go; the site itself goes last. */
  private async purgeSite(site_id: string, run: Run): Promise<void> {
    await this.repeat(run, () => this.listeners.releaseStretch(site_id, STRETCH));
    await this.repeat(run, async () => (await this.contents.purgeStretch(site_id, STRETCH)) > 0);
    await this.db.write(async () => {
      const [site] = await this.sites.lockMany([site_id]);
      if (site && !site.site_active) await this.sites.remove(site);
    });
  }

  private async repeat({ signal, heartbeat }: Run, step: () => Promise<boolean>): Promise<void> {
    while (await this.db.write(step)) {
      signal.throwIfAborted();
      await heartbeat();
    }
  }
}
