import { Injectable } from '@nestjs/common';
import { FileEdits } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import { notFound, notYet } from '@atrium/platform/kernel';
import type { Job } from '@atrium/platform/messaging';
import { FILE_SOURCE, FilePassages, SourcePassages, FileTexts, type FileTextRow, type SourcePassage } from '@atrium/retrieval';
import { textFacts, type TextFacts } from './document-rows';
import { DocumentsService } from './documents.service';

const MOST_INLINE = 100_000;

/** The stretch of a text that is wanted in the answer itself. */
export interface WantedText {
  readonly inline?: boolean;
  readonly offset?: number;
  readonly length?: number;
}

export interface MarkdownAnswer extends Omit<TextFacts, 'markdown_ready' | 'file_text_error'> {
  readonly file_id: string;
  readonly markdown_url: string | null;
  readonly expires_at: Date | null;
  readonly outline: FileTextRow['ft_outline'];
  readonly file_pages: number | null;
  readonly markdown?: string | null;
  readonly total_chars?: number | null;
  readonly next_offset?: number | null;
}

/** The texts of documents: read, looked into, and made again. */
@Injectable()
export class DocumentTexts {
  constructor(
    private readonly db: Database,
    private readonly documents: DocumentsService,
    private readonly texts: FileTexts,
    private readonly passages: SourcePassages,
    private readonly indexed: FilePassages,
    private readonly edits: FileEdits,
  ) {}

  async getMarkdown(caller: Principal, id: string, wanted: WantedText): Promise<MarkdownAnswer> {
    const { facts, text, pages } = await this.db.read(async () => {
      const row = await this.documents.requireRow(caller, id);
      const known = (await this.texts.findTexts([id])).get(id);
      const now = textFacts(row, known);
      return {
        facts: now,
        text: now.markdown_ready ? known : undefined,
        pages: known?.ft_version === row.file_hash ? known.ft_pages : null,
      };
    });
    const { markdown_ready: _, file_text_error: __, ...shown } = facts;
    const address = text ? await this.texts.findAddress(text) : null;
    return {
      file_id: id,
      ...shown,
      markdown_url: address?.url ?? null,
      expires_at: address?.expires_at ?? null,
      outline: text?.ft_outline ?? [],
      file_pages: pages,
      ...(wanted.inline ? await this.stretch(text, id, wanted) : {}),
    };
  }

  /** In the order of the document. */
  listPassages(caller: Principal, id: string, query: ListParameters): Promise<Page<SourcePassage>> {
    return this.db.read(async () => {
      await this.documents.requireRow(caller, id);
      return this.passages.listPassages({ kind: FILE_SOURCE, id }, query);
    });
  }

  /** The job that reads the text again; null when it is there and nobody insists. */
  startExtraction(caller: Principal, id: string, force: boolean): Promise<Job | null> {
    return this.db.write(async () => {
      const file = await this.edits.lockLiveFile(caller, id, 'edit');
      if (file.repo_type !== 'docs') throw notFound('document');
      const known = (await this.texts.findTexts([id])).get(id);
      const isSettled = known?.ft_version === file.file_hash && known?.ft_status === 'ready';
      if (isSettled && !force) return null;
      if (file.file_hash === null || file.file_processing !== 'ready')
        throw notYet('The file is still being processed. Try again shortly.', 2);
      return this.indexed.startReading(id, file.file_hash);
    });
  }

  private async stretch(
    text: FileTextRow | undefined,
    id: string,
    { offset = 0, length = MOST_INLINE }: WantedText,
  ): Promise<Pick<MarkdownAnswer, 'markdown' | 'total_chars' | 'next_offset'>> {
    const all = text ? await this.texts.readMarkdown(id) : null;
    if (all === null) return { markdown: null, total_chars: null, next_offset: null };
    const end = wholeCharacters(all, offset + length);
    return { markdown: all.slice(wholeCharacters(all, offset), end), total_chars: all.length, next_offset: end < all.length ? end : null };
  }
}

/** An offset that parts no surrogate pair. */
const wholeCharacters = (text: string, at: number): number => {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : Math.min(at, text.length);
};
