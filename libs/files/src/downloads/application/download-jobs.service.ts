import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  listPage,
  requireScope,
  sql,
  versionOf,
  type ListParameters,
  type Page,
  type Precondition,
  type Versioned,
} from '@atrium/platform/database';
import { Clock, Ids, notFound, notYet, Problem, unknownReferences } from '@atrium/platform/kernel';
import { planJob as planned, Outbox, waitsForOfKey } from '@atrium/platform/messaging';
import { ObjectStore } from '@atrium/platform/storage';
import { archivesOf, DownloadJob, type DownloadSize, type SkippedFile } from '../domain/download-job';
import { DownloadJobsRepository, type ShownDownloadJob } from '../infrastructure/download-jobs.repository';
import { zip } from '../jobs/archive.jobs';
import { ArchiveAccount } from './archive-account';
import { ArchiveContents } from './archive-contents';
import { DownloadRuns } from './download-runs';
import { HistoryWriter } from '../../core/application/file-history';
import { memberOf } from '../../core/application/guests';
import { DOWNLOAD } from '../../core/application/route-permissions';

const GIB = 1024 ** 3;
const MOST_BYTES = 100 * GIB;
const MOST_UNFINISHED = 5;
const URL_SECONDS = 60 * 60;

/** A job as its owner sees it; the address is there once the archive is. */
export type DownloadJobRow = Omit<ShownDownloadJob, 'archive_key' | 'job_key'> & { readonly download_url?: string };

const SHOWN_BESIDES = sql`r.skipped, r.archive_key, r.job_key, ${waitsForOfKey(zip.name, sql`r.job_id::text`)} AS waits_for`;

/** The bytes of a finished archive. */
export interface StoredArchive {
  readonly key: string;
  readonly size: number;
  readonly name: string;
}

const archiveName = (id: string): string => `files-${id.slice(0, 8)}.zip`;

/** Archives that are packed in the background, for the caller who requested them only. */
@Injectable()
export class DownloadJobs {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly jobs: DownloadJobsRepository,
    private readonly runs: DownloadRuns,
    private readonly contents: ArchiveContents,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly account: ArchiveAccount,
    private readonly ids: Ids,
    private readonly clock: Clock,
  ) {}

  async create(caller: Principal, ids: readonly string[], size: DownloadSize): Promise<DownloadJobRow> {
    const { files, skipped, bytes } = await this.contents.selectFiles(caller, ids, size);
    if (files.length === 0) throw unknownReferences('file_ids', 'file', ids);
    if (bytes > MOST_BYTES) throw new Problem('payload_too_large', 'These files exceed 100 GiB together. Split them into several jobs.');
    return this.db.write(async () => {
      const member = memberOf(caller);
      if (member !== null && (await this.jobs.countUnfinished(member)) >= MOST_UNFINISHED) {
        throw notYet(`You have ${MOST_UNFINISHED} unfinished download jobs. Wait for one or cancel one.`, 10, 'limit_reached');
      }
      const file_ids = files.map((file) => file.file_id);
      const job = await this.jobs.insert(this.newJob(caller, { file_ids, skipped, size }));
      // What guests fetch is reported by the context that lets them.
      if (member !== null)
        await this.history.addEntries(
          file_ids.map((file_id) => ({ file_id, action: 'downloaded', details: { size, job_id: job.job_id } })),
        );
      this.outbox.addJob(planned(zip, { job_id: job.job_id }));
      return this.own(caller, job.job_id);
    });
  }

  /** Its version is its state: that is all its owner can change, while its count grows by itself and its address is signed for each read. */
  get(caller: Principal, id: string): Promise<DownloadJobRow & Versioned> {
    return this.db.read(async () => {
      const row = await this.own(caller, id);
      return { ...row, row_version: versionOf(row.status) };
    });
  }

  /** Where a finished archive is stored, for the context that delivers it; null while there is none. */
  async findArchive(caller: Principal, id: string): Promise<StoredArchive | null> {
    return this.db.read(async () => {
      const { archive_key, archive_size, status } = await this.stored(caller, id);
      return status === 'completed' && archive_key !== null && archive_size !== null
        ? { key: archive_key, size: archive_size, name: archiveName(id) }
        : null;
    });
  }

  async list(caller: Principal, query: ListParameters): Promise<Page<DownloadJobRow>> {
    const page = await this.db.read((tx) =>
      listPage<ShownDownloadJob>(tx, DownloadJob, query, { where: sql`r.job_created_by = ${caller.user_id}`, select: SHOWN_BESIDES }),
    );
    return { ...page, data: await Promise.all(page.data.map((row) => this.withAddress(caller, row))) };
  }

  /** How many of these jobs are not finished, of members and guests alike. */
  async countUnfinished(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    return this.db.read(() => this.jobs.countUnfinishedAmong(ids));
  }

  /** The files in the archive of a job, for members and guests alike. */
  listPackedFiles(id: string): Promise<readonly string[]> {
    return this.db.read(() => this.jobs.findPackedFiles(id));
  }

  /** Stops unfinished work; a finished job is left as it is. */
  cancel(caller: Principal, id: string, precondition?: Precondition): Promise<Pick<DownloadJobRow, 'job_id' | 'status'> & Versioned> {
    return this.db.write(async () => {
      const job = await this.jobs.lock(id);
      if (job.job_created_by !== caller.user_id) throw notFound('download job');
      assertCurrent(precondition, versionOf(job.status), 'download job');
      const { job_id, status } = job.isFinished ? job : await this.runs.cancelWork(id);
      return { job_id, status, row_version: versionOf(status) };
    });
  }

  /** Deletes the archives of a job whose time is over, or that failed or was cancelled, and says whether it did; for the sweeper. Harmless when done twice. */
  async expireArchive(id: string): Promise<boolean> {
    const archive = await this.db.write(async () => {
      const job = await this.jobs.lock(id);
      if (job.status === 'completed' && job.expires_at && job.expires_at <= this.clock.now()) {
        job.expire();
        this.account.uncountPacked(job);
      }
      await this.jobs.save(job);
      return job.isFinished && job.status !== 'completed' ? job.archive_key : null;
    });
    if (!archive) return false;
    const left = [archive];
    for await (const { key } of this.store.list(archivesOf(requireScope().tenant_id, id))) left.push(key);
    await this.store.delete([...new Set(left)]);
    return this.db.write(async () => {
      const job = await this.jobs.lock(id);
      job.archive_key = null;
      return this.jobs.save(job);
    });
  }

  private async own(caller: Principal, id: string): Promise<DownloadJobRow> {
    return this.withAddress(caller, await this.stored(caller, id));
  }

  private async stored(caller: Principal, id: string): Promise<ShownDownloadJob> {
    const row = await this.jobs.findShownJob(id, memberOf(caller), SHOWN_BESIDES);
    if (!row) throw notFound('download job');
    return row;
  }

  /** Signing is local work: nothing is asked of storage. */
  private async withAddress(caller: Principal, { archive_key, job_key, ...stored }: ShownDownloadJob): Promise<DownloadJobRow> {
    const row = withAllDone(mayReadOutcome(caller, stored) ? stored : { ...stored, error: null, skipped: [] });
    if (row.status !== 'completed' || !archive_key || !mayFetch(caller, { ...row, job_key })) return row;
    const download_url = await this.store.signGet({
      key: archive_key,
      expiresInSeconds: URL_SECONDS,
      contentType: 'application/zip',
      disposition: 'attachment',
      downloadName: archiveName(row.job_id),
    });
    return { ...row, download_url };
  }

  private newJob(
    caller: Principal,
    { file_ids, skipped, size }: { readonly file_ids: string[]; readonly skipped: readonly SkippedFile[]; readonly size: DownloadSize },
  ): DownloadJob {
    const total = file_ids.length;
    return Object.assign(new DownloadJob(), {
      job_id: this.ids.next(),
      status: 'queued' as const,
      file_ids,
      file_count: total,
      size,
      done: 0,
      total,
      archive_key: null,
      archive_size: null,
      skipped,
      error: null,
      waits_for: null,
      expires_at: null,
      job_created: this.clock.now(),
      job_created_by: memberOf(caller),
      job_key: memberOf(caller) === null ? null : caller.key_id,
    });
  }
}

/** The archive is for who ordered it: not for another key of theirs, and no more once they may download nothing. What guests get is decided by their link. */
const mayFetch = (
  { key_id, permissions }: Principal,
  { job_created_by, job_key }: Pick<DownloadJob, 'job_created_by' | 'job_key'>,
): boolean => mayReadOutcome({ permissions }, { job_created_by }) && (job_created_by === null || key_id === null || key_id === job_key);

/** What the job came to, and why, is for members who may download something, as among all jobs; guests have their link. */
const mayReadOutcome = (
  { permissions }: Pick<Principal, 'permissions'>,
  { job_created_by }: Pick<DownloadJob, 'job_created_by'>,
): boolean => job_created_by === null || DOWNLOAD.some((permission) => permissions.has(permission));

/** Once the archive is packed, no file is left to do: those that it does not contain are skipped. */
const withAllDone = <R extends Pick<DownloadJobRow, 'status' | 'done' | 'total'>>(row: R): R =>
  row.status === 'completed' || row.status === 'expired' ? { ...row, done: row.total ?? row.done } : row;
