import { FileView, ListLibrary } from '@atrium/files';
import { Choice, Flag, IdList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, PageOf } from '@atrium/platform/http';
import type { BaseLink } from './base-files.service';

const LINKS = ['own', 'linked'] as const;
const TEXT_STATUSES = ['pending', 'running', 'ready', 'empty', 'unsupported', 'failed'] as const;

@Answer()
class BaseFileView extends FileView {
  @Choice(LINKS, { about: '`own` for a file of the knowledge base, `linked` for a document of the library.', example: 'own' })
  ds_link!: BaseLink;
  @Choice(TEXT_STATUSES, { about: 'Status of text extraction.', example: 'ready' }) file_text_status!: string;
  @Whole({ about: 'Number of passages that searches can find.', example: 42 }) file_passage_count!: number;
  @Text({ optional: true, max: 500, about: 'Why the text could not be extracted or indexed.' }) file_index_error!: string | null;
  @Flag({ about: 'Whether the file is a deprecated document. Deprecated documents are not found until they are restored.' })
  file_deprecated!: boolean;
  @Ref({ optional: true, about: 'Who linked the document; null for own files.' }) linked_by!: string | null;
  @Stamp({ optional: true, about: 'When the document was linked; null for own files.' }) linked_at!: Date | null;
}

export class BaseFilePage extends PageOf(BaseFileView) {}

/** Query of GET /knowledge-bases/{id}/files. */
export class ListBaseFiles extends ListLibrary {
  ds_link?: BaseLink;
  file_text_status?: (typeof TEXT_STATUSES)[number];
}
acceptParameter(
  ListBaseFiles,
  { name: 'ds_link', kind: 'choice', values: LINKS },
  { type: 'string', enum: [...LINKS], description: 'Only own files, or only linked documents.' },
);
acceptParameter(
  ListBaseFiles,
  { name: 'file_text_status', kind: 'choice', values: TEXT_STATUSES },
  { type: 'string', enum: [...TEXT_STATUSES], description: 'Status of text extraction.' },
);

@Accepts()
export class BaseFileIds {
  @IdList({ min: 1, max: 1_000, about: 'Ids of documents of the library.' }) file_ids!: string[];
}

@Answer()
export class LinkedDocuments {
  @Whole({ about: 'Number of documents linked.', example: 2 }) added!: number;
  @Whole({
    about: 'Number of ids skipped because the document was already linked, does not exist, or cannot be viewed by you.',
    example: 0,
  })
  skipped!: number;
}

@Answer()
export class UnlinkedDocuments {
  @Whole({ about: 'Number of documents unlinked.', example: 2 }) removed!: number;
  @Whole({ about: 'Number of ids skipped because they are not linked documents.', example: 0 }) skipped!: number;
}
