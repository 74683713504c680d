import { Choice, Decimal, Flag, IdList, Json, NestedList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, ListQuery, PageOf } from '@atrium/platform/http';
import type { JsonObject } from '@atrium/platform/kernel';
import { FileView, ListLibrary } from '@atrium/files';
import { Transform } from 'class-transformer';
import { tagsByGroup } from './asked-tags';
import { LIFECYCLES, type DocumentFilters, type Lifecycle } from './document-query';

const TEXT_STATUSES = ['pending', 'running', 'ready', 'empty', 'unsupported', 'failed'] as const;
const TAGS = { Topic: ['Contracts'] };

/** A document in a list. */
@Answer()
class DocumentView extends FileView {
  @Flag({ about: 'Whether the document is deprecated. Deprecated documents are kept, but found only on request.' })
  file_deprecated!: boolean;
  @Stamp({ optional: true, about: 'When the document was deprecated; null if it is active.' }) file_deprecated_at!: Date | null;
  @Ref({ optional: true, about: 'Who deprecated the document.' }) file_deprecated_by!: string | null;
  @Text({ optional: true, max: 500, about: 'Why the document was deprecated.' }) file_deprecated_reason!: string | null;
  @Ref({ optional: true, about: 'Id of the document that supersedes this one.' }) file_superseded_by!: string | null;
  @Whole({ about: 'Number of linked documents that you can view.', example: 2 }) file_relation_count!: number;
  @Flag({ about: 'Whether the text of the document is available as markdown.' }) markdown_ready!: boolean;
  @Choice(TEXT_STATUSES, { about: 'Status of text extraction; `empty` if the document contains no text, such as a scan.' })
  file_text_status!: string;
  @Text({ optional: true, max: 500, about: 'Why the text is missing or incomplete. Also states if the encoding of the file was guessed.' })
  file_text_error!: string | null;
  @Flag({ about: 'Whether the text was cut off at a limit.' }) file_text_truncated!: boolean;
  @Text({ optional: true, max: 2, about: 'Language of the text (ISO 639-1).', example: 'en' }) file_language!: string | null;
  @Whole({ optional: true, about: 'Number of pages, slides or sheets.', example: 20 }) file_pages!: number | null;
  @Whole({ optional: true, about: 'Number of words in the text.', example: 5_400 }) file_words!: number | null;
  @Json({ about: 'Tags of the document: values by tag group.', example: TAGS }) media_tags!: JsonObject;
}

@Answer()
class ListedDocumentView extends DocumentView {
  @Decimal({
    optional: true,
    omittable: true,
    min: 0,
    max: 1,
    about: 'Cosine similarity of the best passage. Only with `embedding_search`; null if names and summaries were searched instead.',
    example: 0.71,
  })
  similarity?: number | null;
}

export class DocumentPage extends PageOf(ListedDocumentView) {}

@Answer()
export class FolderOfDocument {
  @Ref({ about: 'Id of the folder.' }) album_id!: string;
  @Text({ about: 'Name of the folder.', example: 'Contracts' }) album_name!: string;
}

@Answer()
export class DocumentDetailView extends DocumentView {
  @NestedList(() => FolderOfDocument, { about: 'Folders of the document that you can view.' }) folders!: FolderOfDocument[];
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
  about: 'Text in the name or the summary, in any case; `%` and `_` are not wildcards.',
});
acceptParameter(
  ListDocuments,
  { name: 'embedding_search', kind: 'text', min: 1, max: 2_000 },
  {
    type: 'string',
    minLength: 1,
    maxLength: 2_000,
    description:
      'What the documents are about, in your own words. The most similar documents come first, at most 1,000. The header `X-Search-Mode` is `meaning`, or `text` if only names and summaries could be searched.',
  },
);
acceptParameter(
  ListDocuments,
  { name: 'similarityThreshold', kind: 'number', min: 0, max: 1 },
  {
    type: 'number',
    minimum: 0,
    maximum: 1,
    description: 'Minimum similarity. The default depends on the model: 0.12 for the built-in model, otherwise 0.2.',
  },
);
acceptParameter(ListDocuments, { name: 'include_subfolders', kind: 'flag', about: 'Whether to include the subfolders of `folder`.' });
Transform(({ value }: { value: unknown }) => tagsByGroup(value))(ListDocuments.prototype, 'tags');
acceptParameter(
  ListDocuments,
  { name: 'tags', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description:
      'Only documents with one of these values in each named group: `tags[Topic]=Contracts`. `tags=Contracts` matches the value in any group.',
  },
);
acceptParameter(
  ListDocuments,
  { name: 'file_format', kind: 'texts', min: 1, max: 200 },
  {
    type: 'array',
    items: { type: 'string', maxLength: 17 },
    maxItems: 200,
    description: 'File extension; repeat the parameter for several.',
  },
);
acceptParameter(
  ListDocuments,
  { name: 'file_id', kind: 'ids', min: 1, max: 200 },
  {
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    maxItems: 200,
    description: 'Only these documents, active or deprecated; repeat the parameter for several.',
  },
);
acceptParameter(ListDocuments, { name: 'favorite', kind: 'flag', about: 'Whether you have marked the document.' });
acceptParameter(
  ListDocuments,
  { name: 'file_text_status', kind: 'choice', values: TEXT_STATUSES },
  { type: 'string', enum: [...TEXT_STATUSES], description: 'Status of text extraction.' },
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
    { type: 'string', enum: [...LIFECYCLES], default: 'active', description: 'Active documents, deprecated documents, or all.' },
  );
}

function acceptFolder(owner: Function): void {
  acceptParameter(
    owner,
    { name: 'folder', kind: 'text', min: 1, max: 36 },
    {
      type: 'string',
      maxLength: 36,
      description: 'Only documents in this folder, curated or smart; `none` for documents without a folder.',
    },
  );
}

@Answer()
class DocumentFormatView {
  @Text({ about: 'File extension, as accepted by `file_format`; empty for names without an extension.', example: 'pdf' }) format!: string;
  @Whole({ optional: true, about: 'Number of documents; null if they were not counted.', example: 42 }) count!: number | null;
}

@Answer()
export class DocumentFormatPage extends PageOf(DocumentFormatView) {
  @Flag({ about: 'False if more than 500,000 documents match; formats are then returned without counts.' }) counted!: boolean;
}

/** Query of GET /documents/{id}/markdown. */
export class ReadMarkdown {
  inline?: boolean;
  offset?: number;
  length?: number;
}
acceptParameter(ReadMarkdown, { name: 'inline', kind: 'flag', about: 'Whether to include the text itself.' });
acceptParameter(ReadMarkdown, {
  name: 'offset',
  kind: 'whole',
  min: 0,
  max: 100_000_000,
  about: 'Start of the returned text, in UTF-16 code units.',
});
acceptParameter(ReadMarkdown, {
  name: 'length',
  kind: 'whole',
  min: 1,
  max: 100_000,
  about: 'Length of the returned text, in UTF-16 code units; 100,000 when omitted.',
});

@Answer()
export class OutlineView {
  @Whole({ about: 'Level of the heading, from 1 to 6.', example: 1 }) level!: number;
  @Text({ about: 'Text of the heading.', example: 'Terms' }) title!: string;
  @Whole({ optional: true, about: 'Page, slide or sheet of the heading.', example: 3 }) page!: number | null;
  @Whole({ about: 'Position of the heading in the markdown, in UTF-16 code units.', example: 1_204 }) char_start!: number;
}

@Answer()
export class DocumentMarkdownView {
  @Ref({ about: 'Id of the document.' }) file_id!: string;
  @Choice(TEXT_STATUSES, { about: 'Status of text extraction.' }) file_text_status!: string;
  @Text({ optional: true, max: 4_000, format: 'uri', about: 'Signed URL of the markdown; null until the text is available.' })
  markdown_url!: string | null;
  @Stamp({ optional: true, about: 'When the URL expires.' }) expires_at!: Date | null;
  @NestedList(() => OutlineView, { about: 'Headings of the text, in order.' }) outline!: OutlineView[];
  @Whole({ optional: true, about: 'Number of pages, slides or sheets.', example: 20 }) file_pages!: number | null;
  @Whole({ optional: true, about: 'Number of words in the text.', example: 5_400 }) file_words!: number | null;
  @Text({ optional: true, max: 2, about: 'Language of the text (ISO 639-1).', example: 'en' }) file_language!: string | null;
  @Flag({ about: 'Whether the text was cut off at a limit.' }) file_text_truncated!: boolean;
  @Text({ optional: true, omittable: true, max: 100_000, about: 'With `inline`: the requested part of the text.' }) markdown?:
    string | null;
  @Whole({ optional: true, omittable: true, about: 'With `inline`: length of the whole text, in UTF-16 code units.', example: 48_210 })
  total_chars?: number | null;
  @Whole({ optional: true, omittable: true, about: 'With `inline`: the next `offset`; null at the end of the text.', example: 100_000 })
  next_offset?: number | null;
}

/** A passage of a document. */
@Answer()
class DocumentPassageView {
  @Ref({ about: 'Id of the passage.' }) passage_id!: string;
  @Whole({ sort: true, about: 'Position of the passage in the document, from 0.', example: 0 }) ordinal!: number;
  @Text({ about: 'Text of the passage.' }) text!: string;
  @Text({ about: 'Headings above the passage.', example: 'Terms › Payment' }) heading!: string;
  @Whole({ optional: true, about: 'First page of the passage.', example: 3 }) page_from!: number | null;
  @Whole({ optional: true, about: 'Last page of the passage.', example: 4 }) page_to!: number | null;
  @Whole({ about: 'Number of tokens in the passage.', example: 380 }) tokens!: number;
  @Flag({ about: 'Whether searches find the passage.' }) indexed!: boolean;
}

export class DocumentPassagePage extends PageOf(DocumentPassageView) {}

export class ListDocumentPassages extends ListQuery(DocumentPassageView) {}

@Accepts()
export class ExtractDocument {
  @Flag({ omittable: true, about: 'Whether to extract the text again even if it is available.' }) force?: boolean;
}

@Accepts()
export class DeprecateDocument {
  @Text({ optional: true, max: 500, about: 'Why the document is deprecated.' }) file_deprecated_reason?: string | null;
  @Ref({ optional: true, about: 'Id of the document that supersedes this one; null for none.' }) file_superseded_by?: string | null;
}

@Accepts()
export class TagDocuments {
  @IdList({ min: 1, max: 1_000, about: 'Ids of the documents; other ids are skipped.' }) file_ids!: string[];
  @Json({ omittable: true, about: 'Tags to add: lists of values by tag group.', example: TAGS }) add?: JsonObject;
  @Json({
    omittable: true,
    about: 'Tags to remove, before others are added: lists of values by tag group.',
    example: { Topic: ['Drafts'] },
  })
  remove?: JsonObject;
}

@Answer()
export class TaggedDocuments {
  @Whole({ about: 'Number of documents whose tags changed.', example: 2 }) changed!: number;
  @IdList({ about: 'Number of ids skipped because they are not documents that you can edit.' }) skipped!: string[];
}
