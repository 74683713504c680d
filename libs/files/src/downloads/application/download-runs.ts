import { Injectable } from '@nestjs/common';
import type { Clock, DomainEvent } from '@atrium/platform/kernel';
import { TrackedRuns, WorkEngine } from '@atrium/platform/messaging';
import type { DownloadJob, DownloadOutcome } from '../domain/download-job';
import { DownloadJobsRepository } from '../infrastructure/download-jobs.repository';
import { ArchiveAccount } from './archive-account';
import { FileEgress } from './file-egress';

const FAILED = 'The archive could not be created. Request it again.';

/** The runs of download jobs. */
@Injectable()
export class DownloadRuns extends TrackedRuns<DownloadJob, DownloadOutcome> {
  constructor(
    engine: WorkEngine,
    jobs: DownloadJobsRepository,
    private readonly account: ArchiveAccount,
    private readonly egress: FileEgress,
  ) {
    super(engine, jobs);
  }

  protected labelOf(): string {
    return 'files.download';
  }

  protected eventsOf({ job_id, status, file_count, archive_size }: DownloadJob): readonly DomainEvent[] {
    return status === 'completed' ? [{ name: 'download_job.completed', subject_id: job_id, payload: { file_count, archive_size } }] : [];
  }

  protected override writeOutcome(job: DownloadJob, outcome: DownloadOutcome, clock: Clock): void {
    super.writeOutcome(job, outcome, clock);
    const { archive } = outcome;
    if (!archive) return;
    const { job_id, job_created_by: user } = job;
    this.account.countPacked(job);
    this.egress.chargeEgress({ bytes: archive.size, user, source: `zip:${job_id}`, ref: { job_id } });
  }

  /** What a run threw may name what its reader may not see, such as a guest. */
  protected override failureOf(reason: string, cause?: unknown): DownloadOutcome {
    return { status: 'failed', error: cause === undefined ? reason : FAILED };
  }
}
