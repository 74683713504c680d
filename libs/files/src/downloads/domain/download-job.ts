import {
  Choice,
  Id,
  IdList,
  Json,
  Ref,
  Resource,
  Stamp,
  Text,
  TrackedState,
  WAITS_FOR_TEXT,
  Whole,
  type WorkOutcome,
} from '@atrium/platform/database';
import { DAY, invalidState, newId, type Clock, type EndOfWork } from '@atrium/platform/kernel';

export const DOWNLOAD_JOB_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

const DOWNLOAD_STATUS_TEXT =
  'Current status: `completed` once the archive is available, `failed` if it could not be created, `expired` once it has been deleted.';

export type DownloadJobState = (typeof DOWNLOAD_JOB_STATES)[number];

/** How a download is wanted: the original, or a rendition where there is one. */
export const DOWNLOAD_SIZES = ['original', 'small', 'medium', 'large'] as const;

export type DownloadSize = (typeof DOWNLOAD_SIZES)[number];

/** A file that the archive does not hold, and why. */
export interface SkippedFile {
  readonly file_id: string;
  readonly reason: 'not_found' | 'unavailable' | 'lost';
}

/** An archive as it was packed, and for how many days it is kept. */
export interface PackedArchive {
  readonly size: number;
  readonly skipped: readonly SkippedFile[];
  readonly days: number;
}

/** How packing ended. */
export interface DownloadOutcome extends WorkOutcome {
  readonly archive?: PackedArchive;
}

/**
 * An archive that is packed in the background and kept for some days. Its counts only grow within one run; a run that
 * was cut off begins again, for archives cannot be continued. Nothing moves a finished job but its expiry.
 */
@Resource({ table: 'download_job', sort: '-job_created' })
export class DownloadJob extends TrackedState<'expired'> {
  @Id({ about: 'Id of the job.' }) readonly job_id!: string;
  @Choice(DOWNLOAD_JOB_STATES, { about: DOWNLOAD_STATUS_TEXT, filter: 'equals' }) status!: DownloadJobState;
  @Whole({ min: 0, about: 'Number of files requested.', example: 24, column: 'integer' }) file_count!: number;
  @Choice(DOWNLOAD_SIZES, { about: 'Size of pictures. The original is used if a rendition is not available.' }) size!: DownloadSize;
  @Whole({ min: 0, about: 'Number of files packed.', example: 12, column: 'integer' }) done!: number;
  @Whole({ min: 0, about: 'Number of files to pack.', example: 24, column: 'integer' }) total!: number;
  @Whole({ optional: true, about: 'Size of the archive in bytes, once completed.', example: 73_400_320 }) archive_size!: number | null;
  @Text({ optional: true, max: 1_000, about: 'Why it failed.' }) error!: string | null;
  @Text({
    computed: true,
    optional: true,
    about: WAITS_FOR_TEXT,
    example: 'storage',
  })
  waits_for!: string | null;
  @Stamp({ optional: true, about: 'When the archive is deleted, once completed.' }) expires_at!: Date | null;
  @Stamp({ about: 'When it was requested.', sort: true, filter: 'range' }) job_created!: Date;
  @Ref({ optional: true, about: 'Member who requested it.' }) job_created_by!: string | null;

  @Ref({ internal: true, optional: true }) job_key!: string | null;
  @Stamp({ internal: true, optional: true }) job_started!: Date | null;
  @Stamp({ internal: true, optional: true }) job_finished!: Date | null;
  @IdList({ internal: true }) file_ids!: string[];
  @Json({ internal: true }) skipped!: readonly SkippedFile[];
  @Text({ internal: true, optional: true }) archive_key!: string | null;

  get failed(): number {
    return this.skipped.length;
  }

  /** So it is without any file: then it names all of them. */
  protected override get doneInAll(): number {
    return this.done + this.failed;
  }

  /** Each run packs into an archive of its own; that of the last one that began counts. */
  get job_attempt(): string | null {
    return this.archive_key;
  }

  protected override get noun(): string {
    return 'download job';
  }

  protected override nextAttempt(): void {
    this.archive_key = archiveKey(this.tenant_id, this.job_id, newId());
    this.done = 0;
  }

  /** An archive is complete although files were skipped: it names them. */
  protected override endOf(status: EndOfWork): EndOfWork {
    return status;
  }

  override finish({ archive, ...outcome }: DownloadOutcome, clock: Clock): void {
    if (archive) {
      this.archive_size = archive.size;
      this.skipped = [...this.skipped, ...archive.skipped];
      // Files that were skipped when it was requested are not in the total.
      this.done = this.total - archive.skipped.length;
      this.expires_at = clock.after(archive.days * DAY);
    }
    super.finish(outcome, clock);
  }

  /** The archive is out of reach; its bytes go next. */
  expire(): void {
    if (this.status !== 'completed') throw invalidState(`The download job is ${this.status} and cannot expire.`);
    this.status = 'expired';
  }
}

/** All that runs of a job have stored. */
export const archivesOf = (tenantId: string, jobId: string): string => `t/${tenantId}/archives/${jobId}`;

/** Where one run of a job puts its archive: a place of its own, so that no run can touch what another one made. */
const archiveKey = (tenantId: string, jobId: string, runId: string): string => `${archivesOf(tenantId, jobId)}/${runId}`;
