import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RetentionTargets, type DueRows, type RemovedBatch } from '@atrium/governance';
import { FileJobsRepository } from '../../bulk/infrastructure/file-jobs.repository';
import { DownloadJobsRepository } from '../../downloads/infrastructure/download-jobs.repository';

/** Rows of work that has ended, which keep nothing in storage. */
interface EndedRows {
  countEnded(before: Date): Promise<DueRows>;
  deleteEnded(before: Date, most: number): Promise<number>;
}

/** Ended file jobs and downloads are kept as long as the workspace keeps records of background work; a download at least as long as its archive. */
@Injectable()
export class JobRetention implements OnModuleInit {
  constructor(
    private readonly targets: RetentionTargets,
    private readonly jobs: FileJobsRepository,
    private readonly downloads: DownloadJobsRepository,
  ) {}

  onModuleInit(): void {
    this.registerRows(this.jobs);
    this.registerRows(this.downloads);
  }

  private registerRows(rows: EndedRows): void {
    this.targets.register({
      key: 'job_rows',
      // They report work, not content: a hold keeps the content.
      findHeldRows: () => Promise.resolve([]),
      countDue: (before) => rows.countEnded(before),
      purgeBatch: async (before, batch): Promise<RemovedBatch> => {
        const removed = await rows.deleteEnded(before, batch);
        return { removed, bytes: 0, left: removed === batch };
      },
    });
  }
}
