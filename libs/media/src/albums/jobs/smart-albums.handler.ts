import { Injectable } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { DAY } from '@atrium/platform/kernel';
import { Every, Handles, job, Outbox, type JobRun, type ScheduledRun } from '@atrium/platform/messaging';
import { SmartAlbumChanges } from '../application/smart-album-changes';
import { smartAlbums, type SmartAlbumsPayload } from './smart-albums.jobs';

const PAGE = 100;

/** Runs `media.smart-albums`: once a day in every workspace, and when a filter was made or changed. */
@Injectable()
export class SmartAlbumsHandler {
  constructor(
    private readonly db: Database,
    private readonly changes: SmartAlbumChanges,
    private readonly outbox: Outbox,
  ) {}

  @Handles(smartAlbums)
  look(_payload: SmartAlbumsPayload, { signal }: JobRun): Promise<void> {
    return this.changes.look(signal);
  }

  @Every(DAY, 'media.smart-albums')
  async daily({ signal }: ScheduledRun): Promise<void> {
    for (let after: string | null = null; !signal.aborted;) {
      const at: string | null = after;
      const page: { tenant_id: string }[] = await this.db.acrossTenants((tx) =>
        tx.query<{ tenant_id: string }>('SELECT tenant_id FROM workspaces_active($1, $2)', [at, PAGE]),
      );
      for (const { tenant_id } of page)
        await inWorkspace(tenant_id, () =>
          this.db.write(() => Promise.resolve(void this.outbox.add(job(smartAlbums, { because: 'day' })))),
        );
      if (page.length < PAGE) return;
      after = page.at(-1)?.tenant_id ?? null;
    }
  }
}
