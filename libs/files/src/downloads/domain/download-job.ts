import { Choice, Id, IdList, Json, Resource, Stamp, Ref, TenantRow, Text, Whole } from '@atrium/platform/database';
import { DAY, StateMachine, type Clock } from '@atrium/platform/kernel';

export const DOWNLOAD_JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

export type DownloadJobState = (typeof DOWNLOAD_JOB_STATES)[number];

/** How a download is wanted: the original, or a rendition where there is one. */
export const DOWNLOAD_SIZES = ['original', 'small', 'medium', 'large'] as const;

export type DownloadSize = (typeof DOWNLOAD_SIZES)[number];

/** A file that the archive does not hold, and why. */
export interface SkippedFile {
  readonly file_id: string;
  readonly reason: 'not_found' | 'unavailable' | 'lost';
}

const states = new StateMachine<DownloadJobState>('download job', {
  queued: ['running', 'cancelled', 'failed'],
  running: ['running', 'completed', 'cancelled', 'failed'],
  completed: ['expired'],
});

/**
 * An archive that is packed in the background and kept for some days. Its counts only grow within one run; a run that
 * was cut off begins again, for archives cannot be continued. Nothing moves a finished job but its expiry.
 */
@Resource({ table: 'download_job', sort: '-job_created' })
export class DownloadJob extends TenantRow {
  @Id({ about: 'Id of the job.' }) readonly job_id!: string;
  @Choice(DOWNLOAD_JOB_STATES, { about: 'State of the job; poll until it is completed.', filter: 'equals' }) status!: DownloadJobState;
  @Whole({ min: 0, about: 'Files that are to be packed.', example: 24, column: 'integer' }) file_count!: number;
  @Choice(DOWNLOAD_SIZES, { about: 'Which form of the pictures is packed; the original where a rendition is absent.' }) size!: DownloadSize;
  @Whole({ min: 0, about: 'Files processed so far.', example: 12, column: 'integer' }) done!: number;
  @Whole({ min: 0, about: 'Files to process.', example: 24, column: 'integer' }) total!: number;
  @Whole({ optional: true, about: 'Size of the archive in bytes, once completed.', example: 73_400_320 }) archive_size!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Why the job failed.' }) error!: string | null;
  @Text({
    computed: true,
    optional: true,
    about:
      'External service that the job waits for, such as `storage`, while it is unavailable; otherwise null. The job continues by itself.',
    example: 'storage',
  })
  waits_for!: string | null;
  @Stamp({ optional: true, about: 'When the archive is deleted, once completed.' }) expires_at!: Date | null;
  @Stamp({ about: 'When it was requested.', sort: true, filter: 'range' }) job_created!: Date;
  @Ref({ optional: true, about: 'Who asked for it.' }) job_created_by!: string | null;

  @Stamp({ internal: true, optional: true }) job_started!: Date | null;
  @Stamp({ internal: true, optional: true }) job_finished!: Date | null;
  @IdList({ internal: true }) file_ids!: string[];
  @Json({ internal: true }) skipped!: readonly SkippedFile[];
  @Text({ internal: true, optional: true }) archive_key!: string | null;

  get isFinished(): boolean {
    return this.status !== 'queued' && this.status !== 'running';
  }

  /** Whether this run is the one whose archive counts: the last one that began. */
  isPackedBy(archiveKey: string): boolean {
    return !this.isFinished && this.archive_key === archiveKey;
  }

  /** A run begins, the first one or one after a worker was lost; from now on only its archive counts. */
  begin(archiveKey: string, clock: Clock): void {
    if (this.status === 'queued') this.job_started = clock.now();
    this.status = states.move(this.status, 'running');
    this.archive_key = archiveKey;
    this.done = 0;
  }

  /** The archive is there, for some days. */
  complete(archive: { readonly size: number; readonly skipped: readonly SkippedFile[] }, days: number, clock: Clock): void {
    this.status = states.move(this.status, 'completed');
    this.archive_size = archive.size;
    this.skipped = [...this.skipped, ...archive.skipped];
    this.done = this.total;
    this.job_finished = clock.now();
    this.expires_at = clock.after(days * DAY);
  }

  fail(reason: string, clock: Clock): void {
    this.status = states.move(this.status, 'failed');
    this.job_finished = clock.now();
    this.error = reason.slice(0, 1_000);
  }

  /** Stops unfinished work; a finished job is left as it is. Answers whether anything changed. */
  cancel(clock: Clock): boolean {
    if (this.isFinished) return false;
    this.status = states.move(this.status, 'cancelled');
    this.job_finished = clock.now();
    return true;
  }

  /** The archive is out of reach; its bytes go next. */
  expire(): void {
    this.status = states.move(this.status, 'expired');
  }
}

/** All that runs of a job have stored. */
export const archivesOf = (tenantId: string, jobId: string): string => `t/${tenantId}/archives/${jobId}`;

/** Where one run of a job puts its archive: a place of its own, so that no run can touch what another one made. */
export const archiveKey = (tenantId: string, jobId: string, runId: string): string => `${archivesOf(tenantId, jobId)}/${runId}`;
