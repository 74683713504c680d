import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { assertCurrent, Database, sql, versionOf, type Precondition, type Versioned } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject, notFound, notYet } from '@atrium/platform/kernel';
import { planJob as planned, Outbox, waitsForOfKey } from '@atrium/platform/messaging';
import { FileJob } from '../domain/file-job';
import { FileJobRuns } from './file-job-runs';
import { FileJobsRepository, type ShownFileJob } from '../infrastructure/file-jobs.repository';
import { bulk } from '../jobs/bulk.jobs';

/** A file job as its owner sees it. */
export type FileJobRow = Omit<ShownFileJob, 'job_created_by'>;

/** Work that is asked for. */
export interface FileJobOrder {
  readonly kind: string;
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
      const other = subject === undefined ? null : await this.jobs.unfinishedOn(subject);
      if (other !== null) throw notYet(`The file job ${other} is at work on this already; wait for it or cancel it.`, 10);
      const now = this.clock.now();
      const job = await this.jobs.insert(
        FileJob.blank(
          {
            job_id: this.ids.next(),
            job_kind: kind,
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
      if (job.job_created_by !== caller.user_id) throw notFound('file job');
      assertCurrent(precondition, versionOf(job.status), 'file job');
      const stopped = !job.isFinished;
      if (stopped) await this.runs.cancelWork(id);
      return { job: await this.row(id, caller), stopped };
    });
  }

  /** Removes what is left of a job that has ended; for the sweeper. */
  removeEnded(id: string): Promise<boolean> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(id);
      if (job.isFinished) await this.jobs.remove(job);
      return job.isFinished;
    });
  }

  private async row(id: string, owner?: Principal): Promise<FileJobRow> {
    const row = await this.jobs.findShownJob(id, waitsForOfKey(bulk.name, sql`r.job_id::text`));
    if (!row || (owner && row.job_created_by !== owner.user_id)) throw notFound('file job');
    const { job_created_by: _, ...shown } = row;
    return shown;
  }
}
