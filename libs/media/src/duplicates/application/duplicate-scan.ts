import { Injectable, type OnModuleInit } from '@nestjs/common';
import { defineFileJob, FileFactsReader, FileJobKinds, type FileJobBatch, type FileJobStep } from '@atrium/files';
import { DuplicateDetection } from './duplicate-detection';

export const DUPLICATE_SCAN = defineFileJob('media.duplicates-scan', {
  seenWith: ['media:edit'],
  rights: () => ({ permission: 'media:edit' }),
});

const LIBRARY = 'media';
const BATCH = 200;

/** Checks every file of the library again, in batches; the checkpoint is the last file, so a lost worker loses a batch at most. */
@Injectable()
export class DuplicateScan implements OnModuleInit {
  constructor(
    private readonly kinds: FileJobKinds,
    private readonly facts: FileFactsReader,
    private readonly detection: DuplicateDetection,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: DUPLICATE_SCAN, runStep: (step) => this.step(step) });
  }

  private async step(work: FileJobStep): Promise<FileJobBatch> {
    const { checkpoint, signal } = work;
    const files = await this.facts.listIdsAfter(checkpoint, LIBRARY, BATCH);
    for (const [at, file] of files.entries()) {
      signal.throwIfAborted();
      if (at % 20 === 0) await work.heartbeat();
      await this.detection.detectDuplicates(file);
    }
    return { checkpoint: files.length < BATCH ? null : (files.at(-1) ?? null), done: files.length, failed: 0, errors: [] };
  }
}
