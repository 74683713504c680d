import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { FilePassages } from './file-passages';
import { FileTextRepository, type FileTextRow } from './file-text.repository';
import { TextStore } from './text-store';

/** The texts of files for other contexts; rights are theirs to decide. */
@Injectable()
export class FileTexts {
  constructor(
    private readonly db: Database,
    private readonly texts: FileTextRepository,
    private readonly passages: FilePassages,
    private readonly store: TextStore,
  ) {}

  /** The markdown of the file as it is now; null while there is none. Called outside of a unit of work. */
  async readMarkdown(file_id: string): Promise<string | null> {
    const row = await this.db.read(() => this.texts.findReadyText(file_id));
    return row?.ft_markdown_key ? this.store.readMarkdown(row.ft_markdown_key) : null;
  }

  /** The markdown of a text that is known already, without a statement. */
  async readText({ ft_markdown_key }: FileTextRow): Promise<string | null> {
    return ft_markdown_key === null ? null : this.store.readMarkdown(ft_markdown_key);
  }

  /** Where the markdown can be fetched for a while, as text; null when the object is not there to be named. */
  async findAddress({ file_id, ft_markdown_key }: FileTextRow): Promise<{ readonly url: string; readonly expires_at: Date } | null> {
    return ft_markdown_key === null ? null : this.store.signAddress(ft_markdown_key, `${file_id}.md`);
  }

  /** What is known of the texts, in one statement however many files. */
  findTexts(file_ids: readonly string[]): Promise<ReadonlyMap<string, FileTextRow>> {
    return this.db.read(() => this.texts.findTexts(file_ids));
  }

  /** Has a file read again. */
  requestReading(file_id: string): Promise<void> {
    return this.passages.remakeTexts([file_id]);
  }
}
