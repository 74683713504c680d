import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { DraftMigration } from '../application/draft-migration';
import { migrateDrafts, type MigrateDraftsPayload } from './schemas.jobs';

/** Runs the jobs of content schemas. */
@Injectable()
export class ContentSchemasHandler {
  constructor(private readonly migration: DraftMigration) {}

  @Handles(migrateDrafts)
  migrateDrafts(payload: MigrateDraftsPayload, run: JobRun): Promise<void> {
    return this.migration.followRevision(payload, { signal: run.signal, heartbeat: () => run.heartbeat() });
  }
}
