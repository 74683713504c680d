import { Injectable } from '@nestjs/common';
import type { FileJobError } from '../../bulk/domain/file-job';

/** What of files can be made again. */
export const REINDEX_STEPS = ['metadata', 'renditions', 'text', 'similarity'] as const;

export type ReindexStep = (typeof REINDEX_STEPS)[number];

/** Makes one thing again for some files of one repository, with what it finds there now; what it cannot do it answers. Repeatable. */
export interface ReindexWorker {
  readonly step: ReindexStep;
  reindexFiles(fileIds: readonly string[], signal: AbortSignal): Promise<readonly FileJobError[]>;
}

/** Port for contexts that derive something from files, such as their text or likeness: each registers what it makes again. */
@Injectable()
export class ReindexSteps {
  private readonly workers: ReindexWorker[] = [];

  register(worker: ReindexWorker): void {
    this.workers.push(worker);
  }

  /** One error a file at most. */
  async runSteps(steps: readonly ReindexStep[], fileIds: readonly string[], signal: AbortSignal): Promise<FileJobError[]> {
    const errors = new Map<string | null, FileJobError>();
    for (const worker of this.workers) {
      if (!steps.includes(worker.step)) continue;
      for (const error of await worker.reindexFiles(fileIds, signal)) if (!errors.has(error.file_id)) errors.set(error.file_id, error);
    }
    return [...errors.values()];
  }
}
