import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Ids, Problem, SECOND } from '@atrium/platform/kernel';
import { LostWork, Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { archiveKey, archivesOf, type DownloadJob, type SkippedFile } from '../domain/download-job';
import { DownloadJobsRepository } from '../infrastructure/download-jobs.repository';
import { DownloadContents } from './download-contents';
import { FileEgress } from './file-egress';
import { ArchiveAccount } from './archive-account';
import { Archives } from './archives';

const FILES_A_CHECKPOINT = 25;
const TIME_A_CHECKPOINT = 2 * SECOND;

/** The customer does not want the archive any more, or another run packs it. */
class NotWanted extends Error {}

type Run = Pick<JobRun, 'signal' | 'heartbeat' | 'givesUpOn'>;

/** A job and where this run of it puts the archive. */
interface PackingRun {
  readonly job: DownloadJob;
  readonly key: string;
}

/**
 * Packs the archive of a download job straight into storage. A run that is cut off leaves nothing behind: the object is
 * there when all of it is, and a later run begins again. Each run stores under a key of its own; it has won when the row,
 * which names the last run that began, is completed with it. A run that lost removes what it made and nothing else.
 */
@Injectable()
export class DownloadPacking implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly jobs: DownloadJobsRepository,
    private readonly archives: Archives,
    private readonly contents: DownloadContents,
    private readonly outbox: Outbox,
    private readonly account: ArchiveAccount,
    private readonly egress: FileEgress,
    private readonly policies: RetentionPolicies,
    private readonly ids: Ids,
    private readonly clock: Clock,
    private readonly lost: LostWork,
  ) {}

  onModuleInit(): void {
    this.lost.register('download_job', (job_id, reason) => this.giveUp(job_id, reason));
  }

  async pack(job_id: string, run: Run): Promise<void> {
    const packing = await this.begin(job_id);
    if (!packing) return;
    try {
      await this.complete(packing, await this.write(packing, run));
    } catch (error) {
      if (error instanceof NotWanted) return;
      if (await run.givesUpOn(error)) await this.fail(packing);
      throw error;
    }
  }

  /** The job, now running; null when it is finished, cancelled or gone. */
  private begin(job_id: string): Promise<PackingRun | null> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job || job.isFinished) return null;
      const key = archiveKey(requireScope().tenant_id, job_id, this.ids.next());
      job.begin(key, this.clock);
      await this.jobs.save(job);
      return { job, key };
    });
  }

  /** Source and destination run side by side; the first failure stops both and is the one that counts. */
  private async write({ job, key }: PackingRun, run: Run): Promise<{ size: number; skipped: readonly SkippedFile[] }> {
    const stop = new AbortController();
    const stopBoth = (error: unknown): never => {
      stop.abort(error);
      throw error;
    };
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const { stream, packed } = await this.archives.pack(this.contents.of(job), {
      signal,
      waits: true,
      onFile: this.checkpoints({ job, key }, run),
    });
    const stored = this.store.put(key, stream, { contentType: 'application/zip' });
    const [written, skipped] = await Promise.allSettled([stored.catch(stopBoth), packed.catch(stopBoth)]);
    if (written.status === 'rejected' || skipped.status === 'rejected') throw stop.signal.reason;
    return { size: written.value.size, skipped: skipped.value };
  }

  /** Every 25 files or 2 seconds: says how far it is, keeps the job, and asks whether it is still wanted. */
  private checkpoints({ job: { job_id }, key }: PackingRun, run: Run): () => Promise<void> {
    let done = 0;
    let recorded = 0;
    let at = this.clock.now().getTime();
    return async () => {
      done += 1;
      const now = this.clock.now().getTime();
      if (done - recorded < FILES_A_CHECKPOINT && now - at < TIME_A_CHECKPOINT) return;
      recorded = done;
      at = now;
      await run.heartbeat();
      if (!(await this.db.write(() => this.jobs.recordProgress(job_id, key, done)))) throw new NotWanted();
    };
  }

  /** The archive is the job's, unless that was cancelled in the last moment or another run has it. What other runs have left goes with it. */
  private async complete(
    { job: { job_id }, key }: PackingRun,
    archive: { readonly size: number; readonly skipped: readonly SkippedFile[] },
  ): Promise<void> {
    const wanted = await this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job?.isPackedBy(key)) return false;
      job.complete(archive, await this.policies.daysOf('download_archives'), this.clock);
      await this.jobs.save(job);
      this.account.packed(job);
      this.egress.sent({ bytes: archive.size, user: job.job_created_by, source: `zip:${job_id}`, ref: { job_id } });
      this.outbox.emit({
        name: 'download_job.completed',
        subject_id: job_id,
        payload: { file_count: job.file_count, archive_size: archive.size },
      });
      return true;
    });
    if (!wanted) return this.store.delete([key]);
    const left: string[] = [];
    for await (const object of this.store.list(archivesOf(requireScope().tenant_id, job_id))) if (object.key !== key) left.push(object.key);
    if (left.length > 0) await this.store.delete(left);
  }

  /** The queue has given the job up, and no run can say so. */
  giveUp(job_id: string, reason: string): Promise<void> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job || job.isFinished) return;
      job.fail(reason, this.clock);
      await this.jobs.save(job);
    });
  }

  private fail({ job: { job_id }, key }: PackingRun): Promise<void> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(job_id).catch(unlessAbsent);
      if (!job?.isPackedBy(key)) return;
      job.fail('The archive could not be created. Request it again.', this.clock);
      await this.jobs.save(job);
    });
  }
}

const unlessAbsent = (error: unknown): null => {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
};
