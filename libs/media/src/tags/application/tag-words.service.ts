import { Injectable } from '@nestjs/common';
import { FileSearchText } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { planJob, Outbox, type JobRun } from '@atrium/platform/messaging';
import { FileTagsRepository, tagWordsOf } from '../infrastructure/file-tags.repository';
import { tagWords } from '../jobs/tags.jobs';

const BATCH = 500;

/** Keeps the words by which files are found in step with a tag whose value or synonyms changed, in the background. */
@Injectable()
export class TagWords {
  constructor(
    private readonly db: Database,
    private readonly fileTags: FileTagsRepository,
    private readonly texts: FileSearchText,
    private readonly outbox: Outbox,
  ) {}

  /** Within the unit of work that changes the tag. */
  queueRenewal(mt_id: string): void {
    this.outbox.addJob(planJob(tagWords, { mt_id }));
  }

  /** Along the files that have it; doing it twice changes nothing. */
  async renewWords(mt_id: string, run: Pick<JobRun, 'signal' | 'heartbeat'>): Promise<void> {
    for (let after: string | null = null; ;) {
      run.signal.throwIfAborted();
      const files: string[] = await this.db.write(() =>
        this.texts.renewWords('tags', this.fileTags.filesWithTag(mt_id, after, BATCH), tagWordsOf),
      );
      after = files.at(-1) ?? null;
      if (after === null || files.length < BATCH) return;
      await run.heartbeat();
    }
  }
}
