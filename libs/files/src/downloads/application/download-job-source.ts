import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { sql } from '@atrium/platform/database';
import { JobDirectory, LostWork, type JobRows } from '@atrium/platform/messaging';
import { zip } from '../jobs/archive.jobs';
import { DownloadJobs } from './download-jobs.service';
import { DownloadRuns } from './download-runs';
import { DOWNLOAD } from '../../core/application/route-permissions';

const KIND = 'files.download';

/** Archives that are packed among all jobs, for who requested them. */
@Injectable()
export class DownloadJobSource implements OnModuleInit {
  constructor(
    private readonly directory: JobDirectory,
    private readonly jobs: DownloadJobs,
    private readonly runs: DownloadRuns,
    private readonly lost: LostWork,
  ) {}

  onModuleInit(): void {
    this.directory.register({
      mayShow: (kind) => kind === KIND,
      rowsFor: (caller) => [rowsOf(caller)],
      cancelJob: async (caller, job_id, precondition) => {
        await this.jobs.cancel(caller, job_id, precondition);
      },
    });
    this.lost.register('download_job', (job_id, reason) => this.runs.giveUp(job_id, reason));
  }
}

/** The archive is, or was, available. */
const PACKED = sql`r.status IN ('completed', 'expired')`;
const NOTHING_PACKED = sql`(${PACKED} AND r.skipped <> '[]' AND r.done = 0)`;
const EMPTY = 'None of the files could be added to the archive.';

/**
 * An archive that has expired was completed; one that does not contain all files was completed in part, and one that contains none has failed.
 * Files that were skipped when it was requested are not in the row's own total.
 */
const rowsOf = ({ tenant_id, permissions }: Principal): JobRows => ({
  from: sql`download_job r`,
  where: sql`r.tenant_id = ${tenant_id}`,
  requester: sql`r.job_created_by`,
  permitted: DOWNLOAD.some((permission) => permissions.has(permission)),
  subjects: null,
  job_kind: sql`${KIND}::text`,
  queue: { name: sql`${zip.name}` },
  subject: null,
  href: sql`'/api/v1/download-jobs/' || r.job_id`,
  states: { failing: sql`(r.status = 'failed' OR (${PACKED} AND r.skipped <> '[]'))` },
  columns: {
    status: sql`CASE WHEN NOT ${PACKED} THEN r.status WHEN r.skipped = '[]' THEN 'completed' WHEN ${NOTHING_PACKED} THEN 'failed' ELSE 'partial' END`,
    failed: sql`jsonb_array_length(r.skipped)`,
    total: sql`CASE WHEN ${PACKED} THEN r.done ELSE r.total END + jsonb_array_length(r.skipped)`,
    error: sql`CASE WHEN ${NOTHING_PACKED} THEN ${EMPTY}::text ELSE r.error END`,
    result: sql`CASE WHEN r.archive_size IS NOT NULL THEN jsonb_build_object('archive_size', r.archive_size, 'expires_at', r.expires_at) END`,
  },
});
