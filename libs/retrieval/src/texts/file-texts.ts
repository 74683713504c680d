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
  async markdown(file_id: string): Promise<string | null> {
    const row = await this.db.read(() => this.texts.ready(file_id));
    return row?.ft_markdown_key ? this.store.get(row.ft_markdown_key) : null;
  }

  /** The markdown of a text that is known already, without a statement. */
  async text({ ft_markdown_key }: FileTextRow): Promise<string | null> {
    return ft_markdown_key === null ? null : this.store.get(ft_markdown_key);
  }

  /** Where the markdown can be fetched for a while, as text; null when the object is not there to be named. */
  async address({ file_id, ft_markdown_key }: FileTextRow): Promise<{ readonly url: string; readonly expires_at: Date } | null> {
    return ft_markdown_key === null ? null : this.store.address(ft_markdown_key, `${file_id}.md`);
  }

  /** What is known of the texts, in one statement however many files. */
  of(file_ids: readonly string[]): Promise<ReadonlyMap<string, FileTextRow>> {
    return this.db.read(() => this.texts.of(file_ids));
  }

  /** Has a file read again. */
  again(file_id: string): Promise<void> {
    return this.passages.remake([file_id]);
  }
}
