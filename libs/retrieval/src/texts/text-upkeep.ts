import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { FileTextRepository } from './file-text.repository';
import { TextStore } from './text-store';
import { extractText } from './texts.jobs';

const AT_ONCE = 200;

/** Texts that wait although nobody works on them are asked for once more; what no text has any more is removed. */
@Injectable()
export class TextUpkeep {
  constructor(
    private readonly db: Database,
    private readonly texts: FileTextRepository,
    private readonly store: TextStore,
    private readonly outbox: Outbox,
  ) {}

  /** Removes markdown that no text uses: bytes that came back have their text under the same key. */
  async discardUnused(keys: readonly string[]): Promise<void> {
    await this.store.deleteMarkdown(await this.db.read(() => this.texts.findUnusedKeys(keys)));
  }

  async retryOverdue(ageSeconds: number): Promise<void> {
    await this.db.write(async () => {
      for (const { file_id, ft_version } of await this.texts.findOverdueTexts(ageSeconds, AT_ONCE))
        await this.outbox.addOnce(planJob(extractText, { file_id, version: ft_version }));
    });
  }
}
