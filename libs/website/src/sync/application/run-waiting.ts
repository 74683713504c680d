import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { SECOND } from '@atrium/platform/kernel';
import type { StoredRun } from '../infrastructure/sync-runs.repository';
import { SyncRunsRepository } from '../infrastructure/sync-runs.repository';

const LONGEST_MS = 25 * SECOND;
const ASKED_MS = 150;
const ASKED_LATER_MS = 1 * SECOND;

/** Waits for runs whose requests may answer with their outcome. */
@Injectable()
export class RunWaiting {
  constructor(
    private readonly db: Database,
    private readonly runs: SyncRunsRepository,
    private readonly settings: Settings,
  ) {}

  /** The run once it has finished; null once it moves too many pages for its request, or has taken too long. */
  async awaitRun(site_id: string, job_id: string): Promise<StoredRun | null> {
    let wait = ASKED_MS;
    for (const until = performance.now() + LONGEST_MS; performance.now() < until; await pause(wait)) {
      wait = Math.min(wait * 1.2, ASKED_LATER_MS);
      const run = await this.db.read(() => this.runs.findStored(site_id, job_id));
      if (!run || (run.status !== 'queued' && run.status !== 'running')) return run ?? null;
      if (run.direction !== 'scan' && (run.total ?? 0) > this.settings.CMS_SYNC_INLINE_MAX) return null;
    }
    return null;
  }
}
