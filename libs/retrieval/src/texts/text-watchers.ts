import { Injectable } from '@nestjs/common';
import type { ExtractionStatus } from '../extraction/extracted-text';

/** Notified in the unit of work in which the text of a file is settled. */
export type TextWatcher = (file_id: string, status: ExtractionStatus) => Promise<void>;

/** Port for contexts that follow the texts of files: registered at start. */
@Injectable()
export class TextWatchers {
  private readonly watchers: TextWatcher[] = [];

  register(watcher: TextWatcher): void {
    this.watchers.push(watcher);
  }

  async notifyExtracted(file_id: string, status: ExtractionStatus): Promise<void> {
    for (const watcher of this.watchers) await watcher(file_id, status);
  }
}
