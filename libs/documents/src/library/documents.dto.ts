import { Choice, Decimal, Flag, IdList, Json, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileView, ListLibrary } from '@atrium/files';
import { Transform } from 'class-transformer';
import { tagsByGroup } from './asked-tags';
import { LIFECYCLES, type DocumentFilters, type Lifecycle } from './document-query';

const TEXT_STATUSES = ['pending', 'running', 'ready', 'empty', 'unsupported', 'failed'] as const;
const TAGS = { Topic: ['Contracts'] };

/** A document as lists show it. */
@Answer()
class DocumentView extends FileView {
  @Flag({ about: 'Whether it is deprecated: kept, and found only where deprecated documents are asked for.' }) file_deprecated!: boolean;
  @Stamp({ optional: true, about: 'Since when it is deprecated.' }) file_deprecated_at!: Date | null;
  @Ref({ optional: true, about: 'Who deprecated it.' }) file_deprecated_by!: string | null;
  @Text({ optional: true, max: 500, about: 'Why it is deprecated.' }) file_deprecated_reason!: string | null;
  @Ref({ optional: true, about: 'The document to read instead.' }) file_superseded_by!: string | null;
  @Whole({ about: 'Other documents it is linked with and that the caller may read.', example: 2 }) file_relation_count!: number;
  @Flag({ about: 'Whether its text can be read as markdown.' }) markdown_ready!: boolean;
  @Choice(TEXT_STATUSES, { about: 'What became of reading its text; `empty` where it holds none, such as a scan.' })
  file_text_status!: string;
  @Text({ optional: true, max: 500, about: 'Why there is no text, or not all of it; also, that the encoding of the file was guessed.' })
  file_text_error!: string | null;
  @Flag({ about: 'Whether a limit was met: the text is the beginning.' }) file_text_truncated!: boolean;
  @Text({ optional: true, max: 2, about: 'Language of the text (ISO 639-1).', example: 'en' }) file_language!: string | null;
  @Whole({ optional: true, about: 'Pages, slides or sheets.', example: 20 }) file_pages!: number | null;
  @Whole({ optional: true, about: 'Words of the text.', example: 5_400 }) file_words!: number | null;
  @Json({ about: 'Its tags: values by the name of their group.', example: TAGS }) media_tags!: JsonObject;
}

@Answer()
class ListedDocumentView extends DocumentView {
  @Decimal({
    optional: true,
    omittable: true,
    min: 0,
    max: 1,
    about: 'How near its best passage is (cosine), with `embedding_search` only; null when the words were searched instead.',
    example: 0.71,
  })
  similarity?: number | null;
}

export class DocumentPage extends PageOf(ListedDocumentView) {}

@Answer()
export class FolderOfDocument {
  @Ref({ about: 'The folder.' }) album_id!: string;
  @Text({ about: 'Its name.', example: 'Contracts' }) album_name!: string;
}

@Answer()
export class DocumentDetailView extends DocumentView {
  @NestedList(() => FolderOfDocument, { about: 'Folders that hold it and that the caller may read.' }) folders!: FolderOfDocument[];
}

/** Query of GET /documents. */
export class ListDocuments extends ListLibrary implements DocumentFilters {
  lifecycle?: Lifecycle;
  search?: string;
  embedding_search?: string;
  similarityThreshold?: number;
  folder?: string;
  include_subfolders?: boolean;
  tags?: Readonly<Record<string, unknown>>;
  override file_id?: string[];
  file_format?: string[];
  favorite?: boolean;
  file_text_status?: (typeof TEXT_STATUSES)[number];
}
acceptLifecycle(ListDocuments);
acceptFolder(ListDocuments);
acceptParameter(ListDocuments, {
  name: 'search',
  kind: 'text',
  min: 1,
  max: 200,
  about: 'Contained in the name or the summary; case is ignored, and `%` and `_` mean themselves.',
});
acceptParameter(
  ListDocuments,
  { name: 'embedding_search', kind: 'text', min: 1, max: 2_000 },
  {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description:
      'What the documents are about, in words of your own; the most similar first, 1,000 at most. The header `X-Search-Mode` says `meaning`, or `text` where only names and summaries could be searched.',
  },
);
acceptParameter(
  ListDocuments,
  { name: 'similarityThreshold', kind: 'number', min: 0, max: 1 },
  {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Similarity below which documents are left out; when absent, that of the model: 0.12 for the built-in one, else 0.2.',
  },
);
acceptParameter(ListDocuments, { name: 'include_subfolders', kind: 'flag', about: 'Includes the folders below `folder`.' });
Transform(({ value }: { value: unknown }) => tagsByGroup(value))(ListDocuments.prototype, 'tags');
acceptParameter(
  ListDocuments,
  { name: 'tags', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Bears one of these values of the group, and one of each group that is named: `tags[Topic]=Contracts`. `tags=Contracts`: one of the values in whatever group.',
  },
);
acceptParameter(
  ListDocuments,
  { name: 'file_format', kind: 'texts', min: 1, max: 200 },
  { type: 'array', items: { type: 'string', maxLength: 17 }, maxItems: 200, description: 'Extension of the name; repeat the parameter.' },
);
acceptParameter(
  ListDocuments,
  { name: 'file_id', kind: 'ids', min: 1, max: 200 },
  {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: 200,
    description: 'Is one of these documents, active or deprecated; repeat the parameter.',
  },
);
acceptParameter(ListDocuments, { name: 'favorite', kind: 'flag', about: 'Whether the caller marked it.' });
acceptParameter(
  ListDocuments,
  { name: 'file_text_status', kind: 'choice', values: TEXT_STATUSES },
  { type: 'string', enum: [...TEXT_STATUSES], description: 'What became of reading its text.' },
);

/** Query of GET /documents/formats. */
export class CountDocumentFormats {
  lifecycle?: Lifecycle;
  folder?: string;
}
acceptLifecycle(CountDocumentFormats);
acceptFolder(CountDocumentFormats);

function acceptLifecycle(owner: Function): void {
  acceptParameter(
    owner,
    { name: 'lifecycle', kind: 'choice', values: LIFECYCLES },
    { type: 'string', enum: [...LIFECYCLES], default: 'active', description: 'Active documents, deprecated ones, or all.' },
  );
}

function acceptFolder(owner: Function): void {
  acceptParameter(
    owner,
    { name: 'folder', kind: 'text', min: 1, max: 36 },
    { type: 'string', maxLength: 36, description: 'In this folder, curated or smart; `none`: in no folder.' },
  );
}

@Answer()
class DocumentFormatView {
  @Text({ about: 'Extension, as `file_format` takes it; empty for names without one.', example: 'pdf' }) format!: string;
  @Whole({ optional: true, about: 'Documents; null where they were not counted.', example: 42 }) count!: number | null;
}

@Answer()
export class DocumentFormatPage extends PageOf(DocumentFormatView) {
  @Flag({ about: 'False where more than 500,000 documents match: their formats come without counts.' }) counted!: boolean;
}

/** Query of GET /documents/{id}/markdown. */
export class ReadMarkdown {
  inline?: boolean;
  offset?: number;
  length?: number;
}
acceptParameter(ReadMarkdown, { name: 'inline', kind: 'flag', about: 'Answers the text itself besides.' });
acceptParameter(ReadMarkdown, {
  name: 'offset',
  kind: 'whole',
  min: 0,
  max: 100_000_000,
  about: 'Where the text begins, in UTF-16 units.',
});
acceptParameter(ReadMarkdown, { name: 'length', kind: 'whole', min: 1, max: 100_000, about: 'How much of it; 100,000 units when absent.' });

@Answer()
export class OutlineView {
  @Whole({ about: 'Level of the heading, 1 to 6.', example: 1 }) level!: number;
  @Text({ about: 'The heading.', example: 'Terms' }) title!: string;
  @Whole({ optional: true, about: 'Page, slide or sheet of the passage.', example: 3 }) page!: number | null;
  @Whole({ about: 'Where its line begins in the markdown, in UTF-16 units.', example: 1_204 }) char_start!: number;
}

@Answer()
export class DocumentMarkdownView {
  @Ref({ about: 'The document.' }) file_id!: string;
  @Choice(TEXT_STATUSES, { about: 'What became of reading its text.' }) file_text_status!: string;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed address of the markdown; null while there is none.' })
  markdown_url!: string | null;
  @Stamp({ optional: true, about: 'Until when the address is good.' }) expires_at!: Date | null;
  @NestedList(() => OutlineView, { about: 'The headings in their order.' }) outline!: OutlineView[];
  @Whole({ optional: true, about: 'Pages, slides or sheets.', example: 20 }) file_pages!: number | null;
  @Whole({ optional: true, about: 'Words of the text.', example: 5_400 }) file_words!: number | null;
  @Text({ optional: true, max: 2, about: 'Language of the text (ISO 639-1).', example: 'en' }) file_language!: string | null;
  @Flag({ about: 'Whether a limit was met: the text is the beginning.' }) file_text_truncated!: boolean;
  @Text({ optional: true, omittable: true, max: 100_000, about: 'With `inline`: the stretch of the text that was asked for.' }) markdown?:
    string | null;
  @Whole({ optional: true, omittable: true, about: 'With `inline`: length of the whole text in UTF-16 units.', example: 48_210 })
  total_chars?: number | null;
  @Whole({ optional: true, omittable: true, about: 'With `inline`: the next `offset`; null at the end.', example: 100_000 }) next_offset?:
    number | null;
}

/** A passage in the order of its document. */
@Answer()
class DocumentPassageView {
  @Ref({ about: 'The passage.' }) passage_id!: string;
  @Whole({ sort: true, about: 'Its place in the document, from 0.', example: 0 }) ordinal!: number;
  @Text({ about: 'What it says.' }) text!: string;
  @Text({ about: 'The headings above it.', example: 'Terms › Payment' }) heading!: string;
  @Whole({ optional: true, about: 'The page it begins on.', example: 3 }) page_from!: number | null;
  @Whole({ optional: true, about: 'The page it ends on.', example: 4 }) page_to!: number | null;
  @Whole({ about: 'Tokens of it.', example: 380 }) tokens!: number;
  @Flag({ about: 'Whether searches find it.' }) indexed!: boolean;
}

export class DocumentPassagePage extends PageOf(DocumentPassageView) {}

export class ListDocumentPassages extends ListQuery(DocumentPassageView) {}

@Accepts()
export class ExtractDocument {
  @Flag({ omittable: true, about: 'Reads the text again although it is there.' }) force?: boolean;
}

@Accepts()
export class DeprecateDocument {
  @Text({ optional: true, max: 500, about: 'Why.' }) reason?: string | null;
  @Ref({ optional: true, about: 'The document to read instead.' }) superseded_by?: string | null;
}

@Accepts()
export class TagDocuments {
  @IdList({ min: 1, max: 1_000, about: 'The documents; ids of anything else are skipped.' }) file_ids!: string[];
  @Json({ omittable: true, about: 'Tags to put on: lists of values by the names of their groups.', example: TAGS }) add?: JsonObject;
  @Json({ omittable: true, about: 'Tags to take off first.', example: { Topic: ['Drafts'] } }) remove?: JsonObject;
}

@Answer()
export class TaggedDocuments {
  @Whole({ about: 'Documents whose tags changed.', example: 2 }) changed!: number;
  @IdList({ about: 'Ids that name no document the caller may change.' }) skipped!: string[];
}
