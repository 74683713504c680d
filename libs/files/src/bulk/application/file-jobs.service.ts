import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, Database, sql, versionOf, type Precondition, type Versioned } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject, notFound, notYet, type Problem } from '@atrium/platform/kernel';
import { planJob as planned, Outbox, waitsForOfKey } from '@atrium/platform/messaging';
import { FileJob } from '../domain/file-job';
import { kindsPermitted, kindsSeenBy, type FileJobDefinition } from './file-job-definition';
import { FileJobRuns } from './file-job-runs';
import { FileJobsRepository, type ShownFileJob, type UnfinishedJob } from '../infrastructure/file-jobs.repository';
import { bulk } from '../jobs/bulk.jobs';

/** A file job as its owner sees it. */
export type FileJobRow = Omit<ShownFileJob, 'job_created_by'>;

/** Work that is asked for. */
export interface FileJobOrder {
  readonly kind: FileJobDefinition;
  readonly params: JsonObject;
  /** How many files it is about; null where that becomes known during the run. */
  readonly total: number | null;
  /** What no two jobs may work on at the same time, such as a repository. */
  readonly subject?: string;
}

/** Work on many files in the background, visible to the caller who started it only. */
@Injectable()
export class FileJobs {
  constructor(
    private readonly db: Database,
    private readonly jobs: FileJobsRepository,
    private readonly runs: FileJobRuns,
    private readonly outbox: Outbox,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  /** Asks for the work, within the unit of work that is open; the row is what a 202 answers. Without a caller it is the platform's own. */
  startJob(caller: Principal | null, { kind, params, total, subject }: FileJobOrder): Promise<FileJobRow> {
    return this.db.write(async () => {
      const other = subject === undefined ? undefined : await this.jobs.findUnfinishedOn(subject);
      if (other) throw atWork(other, caller);
      const now = this.clock.now();
      const job = await this.jobs.insert(
        FileJob.blank(
          {
            job_id: this.ids.next(),
            job_kind: kind.name,
            total,
            job_params: params,
            job_subject: subject ?? null,
            job_created_by: caller?.user_id ?? null,
            job_key: caller?.key_id ?? null,
          },
          now,
        ),
      );
      this.outbox.addJob(planned(bulk, { job_id: job.job_id }));
      return this.row(job.job_id);
    });
  }

  /** Its version is its state: that is all its owner can change, while counts grow by themselves. */
  get(caller: Principal, id: string): Promise<FileJobRow & Versioned> {
    return this.db.read(async () => {
      const row = await this.row(id, caller);
      return { ...row, row_version: versionOf(row.status) };
    });
  }

  /** Stops unfinished work at its next batch; a finished job is left as it is. */
  cancel(caller: Principal, id: string, precondition?: Precondition): Promise<{ readonly job: FileJobRow; readonly stopped: boolean }> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(id);
      if (!isSeenBy(caller, job)) throw notFound('file job');
      assertCurrent(precondition, versionOf(job.status), 'file job');
      const stopped = !job.isFinished;
      if (stopped) await this.runs.cancelWork(id);
      return { job: await this.row(id, caller), stopped };
    });
  }

  private async row(id: string, owner?: Principal): Promise<FileJobRow> {
    const row = await this.jobs.findShownJob(id, waitsForOfKey(bulk.name, sql`r.job_id::text`));
    if (!row || (owner && !isSeenBy(owner, row))) throw notFound('file job');
    const { job_created_by: _, ...shown } = row;
    // What it came to, and why, is for who has a permission of the kind, as among all jobs.
    return owner && !kindsPermitted(owner).includes(row.job_kind) ? { ...shown, result: null, error: null, errors: [] } : shown;
  }
}

/** Only the member who started a job sees it, and of their keys those that may start such a job themselves. */
function isSeenBy(caller: Principal, { job_created_by, job_kind }: Pick<FileJob, 'job_created_by' | 'job_kind'>): boolean {
  const kinds = kindsSeenBy(caller);
  return job_created_by === caller.user_id && (kinds === null || kinds.includes(job_kind));
}

/** Names the job where the caller can read and cancel it. */
const atWork = (job: UnfinishedJob, caller: Principal | null): Problem =>
  caller && isSeenBy(caller, job)
    ? notYet(`The file job ${job.job_id} is at work on this already; wait for it or cancel it.`, 10)
    : notYet('Another file job is at work on this already; try again when it has ended.', 10);
