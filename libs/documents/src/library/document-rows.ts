import { Injectable } from '@nestjs/common';
import { ReadableFiles, type FileRow } from '@atrium/files';
import { MediaFiles, type MediaTags } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileTexts, type FileTextRow, type FileTextStatus } from '@atrium/retrieval';
import { RelationsRepository } from '../relations/relations.repository';
import { DocumentsRepository, type Deprecation } from './documents.repository';

/** What is known of the text of the bytes that a document has now. */
export interface TextFacts {
  readonly markdown_ready: boolean;
  readonly file_text_status: FileTextStatus;
  readonly file_text_error: string | null;
  readonly file_text_truncated: boolean;
  readonly file_language: string | null;
  readonly file_words: number | null;
}

export type DocumentRow = FileRow &
  TextFacts & { readonly [K in keyof Deprecation]: Deprecation[K] | null } & {
    readonly file_deprecated: boolean;
    readonly file_relation_count: number;
    readonly file_pages: number | null;
    readonly media_tags: MediaTags;
  };

const ACTIVE: { readonly [K in keyof Deprecation]: null } = {
  file_deprecated_at: null,
  file_deprecated_by: null,
  file_deprecated_reason: null,
  file_superseded_by: null,
};

/**
 * The one place where rows of files become documents: lifecycle, tags, text and links come in a statement each, however
 * many rows there are. Called within a unit of work.
 */
@Injectable()
export class DocumentRows {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly media: MediaFiles,
    private readonly texts: FileTexts,
    private readonly relations: RelationsRepository,
    private readonly readable: ReadableFiles,
  ) {}

  async completeRows<R extends FileRow>(caller: Principal, rows: readonly R[]): Promise<(R & DocumentRow)[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ file_id }) => file_id);
    const deprecations = await this.documents.findDeprecations(ids);
    const successors = await this.successors(caller, [...deprecations.values()]);
    const [tags, texts] = [await this.media.findTags(ids), await this.texts.findTexts(ids)];
    const links = await this.relations.countLinkedDocuments(caller, ids);
    return rows.map((row) => {
      const deprecation = deprecations.get(row.file_id);
      const text = texts.get(row.file_id);
      return {
        ...row,
        file_deprecated: deprecation !== undefined,
        ...(deprecation ?? ACTIVE),
        file_superseded_by: successors.get(deprecation?.file_superseded_by ?? '')?.file_id ?? null,
        file_relation_count: links.get(row.file_id) ?? 0,
        file_pages: pagesOf(row, text),
        ...textFacts(row, text),
        media_tags: tags.get(row.file_id) ?? {},
      };
    });
  }

  /** The documents to read instead, as far as the caller may read them. */
  private successors(caller: Principal, deprecations: readonly Deprecation[]): Promise<ReadonlyMap<string, { readonly file_id: string }>> {
    const named = deprecations.flatMap(({ file_superseded_by }) => file_superseded_by ?? []);
    return this.readable.findReadable(caller, named, ['docs']);
  }
}

/** A text of other bytes than those of now is none yet. */
export function textFacts({ file_hash }: Pick<FileRow, 'file_hash'>, text: FileTextRow | undefined): TextFacts {
  const now = text !== undefined && text.ft_version === file_hash ? text : null;
  return {
    markdown_ready: now?.ft_status === 'ready',
    file_text_status: now?.ft_status ?? 'pending',
    file_text_error: now?.ft_error ?? null,
    file_text_truncated: now?.ft_truncated ?? false,
    file_language: now?.ft_language ?? null,
    file_words: now?.ft_words ?? null,
  };
}

/** What the file says, or its text: the row of the file may have been read just before the text was kept. */
function pagesOf({ file_metadata, file_hash }: Pick<FileRow, 'file_metadata' | 'file_hash'>, text: FileTextRow | undefined): number | null {
  const pages = (file_metadata.system as JsonObject | undefined)?.pages;
  if (typeof pages === 'number') return pages;
  return text !== undefined && text.ft_version === file_hash ? text.ft_pages : null;
}
