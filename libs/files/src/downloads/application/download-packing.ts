import { Injectable } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import type { JobRun } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { archivesOf, type DownloadJob, type DownloadOutcome } from '../domain/download-job';
import { DownloadJobsRepository } from '../infrastructure/download-jobs.repository';
import { Archives } from './archives';
import { DownloadContents } from './download-contents';
import { DownloadRuns } from './download-runs';

const FILES_A_CHECKPOINT = 25;
const TIME_A_CHECKPOINT = 2 * SECOND;

/**
 * Packs the archive of a download job straight into storage. A run that is cut off leaves nothing behind: the object is
 * there when all of it is, and a later run begins again. Each run stores under a key of its own; it has won when the row,
 * which names the last run that began, is completed with it. A run that lost removes what it made and nothing else.
 */
@Injectable()
export class DownloadPacking {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly jobs: DownloadJobsRepository,
    private readonly runs: DownloadRuns,
    private readonly archives: Archives,
    private readonly contents: DownloadContents,
    private readonly policies: RetentionPolicies,
    private readonly clock: Clock,
  ) {}

  async packDownload(job_id: string, run: JobRun): Promise<void> {
    let packed: string | undefined;
    try {
      await this.runs.runWork(job_id, run, async (job) => {
        packed = archiveOf(job);
        return this.write(job, run);
      });
    } catch (error) {
      // What ended the run counts, also where storage or the database is unavailable for this too.
      if (packed !== undefined) await this.tidy(job_id, packed).catch(() => undefined);
      throw error;
    }
    if (packed !== undefined) await this.tidy(job_id, packed);
  }

  /** Source and destination run side by side; the first failure stops both and is the one that counts. */
  private async write(job: DownloadJob, run: JobRun): Promise<DownloadOutcome> {
    const stop = new AbortController();
    const stopBoth = (error: unknown): never => {
      stop.abort(error);
      throw error;
    };
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const { stream, packed } = await this.archives.packArchive(this.contents.listItems(job), {
      signal,
      waits: true,
      onFile: this.checkpoints(job, run),
    });
    const stored = this.store.putObject(archiveOf(job), stream, { contentType: 'application/zip' });
    const [written, skipped] = await Promise.allSettled([stored.catch(stopBoth), packed.catch(stopBoth)]);
    if (written.status === 'rejected' || skipped.status === 'rejected') throw stop.signal.reason;
    const days = await this.db.read(() => this.policies.readDays('download_archives'));
    return { status: 'completed', archive: { size: written.value.size, skipped: skipped.value, days } };
  }

  /** Every 25 files or 2 seconds: says how far it is, keeps the job, and asks whether it is still wanted. */
  private checkpoints(job: DownloadJob, run: JobRun): (isPacked: boolean) => Promise<void> {
    let done = 0;
    let seen = 0;
    let recorded = 0;
    let at = this.clock.now().getTime();
    return async (isPacked) => {
      seen += 1;
      if (isPacked) done += 1;
      const now = this.clock.now().getTime();
      if (seen - recorded < FILES_A_CHECKPOINT && now - at < TIME_A_CHECKPOINT) return;
      recorded = seen;
      at = now;
      await run.heartbeat();
      await this.db.write(() => this.jobs.recordProgress(job, done));
    };
  }

  /** Removes what is not needed any more: of a job that has ended all but its archive, else that of a run that another one has followed. */
  private async tidy(job_id: string, packed: string): Promise<void> {
    const job = await this.db.read(() => this.jobs.findRow(job_id));
    const kept = job?.status === 'completed' ? job.archive_key : null;
    const left = new Set(job?.archive_key === packed ? [] : [packed]);
    if (job?.isFinished)
      for await (const { key } of this.store.list(archivesOf(requireScope().tenant_id, job_id))) if (key !== kept) left.add(key);
    if (left.size > 0) await this.store.delete([...left]);
  }
}

/** Where the run that begins puts its archive. */
function archiveOf({ archive_key }: DownloadJob): string {
  if (archive_key === null) throw new Error('A download job that runs has an archive.');
  return archive_key;
}
