import { FileView, ListLibrary } from '@atrium/files';
import { Choice, Flag, IdList, Ref, Stamp, Text, Whole } from '@atrium/platform/database';
import { Accepts, acceptParameter, Answer, PageOf } from '@atrium/platform/http';
import type { BaseLink } from './base-files.service';

const LINKS = ['own', 'linked'] as const;
const TEXT_STATUSES = ['pending', 'running', 'ready', 'empty', 'unsupported', 'failed'] as const;

@Answer()
class BaseFileView extends FileView {
  @Choice(LINKS, { about: 'A file of the base itself, or a document of the library that it searches.', example: 'own' }) ds_link!: BaseLink;
  @Choice(TEXT_STATUSES, { about: 'What became of reading its text.', example: 'ready' }) file_text_status!: string;
  @Whole({ about: 'Passages that searches look into.', example: 42 }) file_passage_count!: number;
  @Text({ optional: true, max: 500, about: 'Why its text could not be read or indexed.' }) file_index_error!: string | null;
  @Flag({ about: 'Whether it is a deprecated document: it is not found until it is restored.' }) file_deprecated!: boolean;
  @Ref({ optional: true, about: 'Who linked it; null for own files.' }) linked_by!: string | null;
  @Stamp({ optional: true, about: 'When it was linked; null for own files.' }) linked_at!: Date | null;
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
  { type: 'string', enum: [...LINKS], description: 'Own files, or linked documents.' },
);
acceptParameter(
  ListBaseFiles,
  { name: 'file_text_status', kind: 'choice', values: TEXT_STATUSES },
  { type: 'string', enum: [...TEXT_STATUSES], description: 'What became of reading its text.' },
);

@Accepts()
export class BaseFileIds {
  @IdList({ min: 1, max: 1_000, about: 'Ids of documents of the library.' }) file_ids!: string[];
}

@Answer()
export class LinkedDocuments {
  @Whole({ about: 'Documents that are linked now and were not before.', example: 2 }) added!: number;
  @Whole({ about: 'Ids that name no document the caller may read, or one that was linked already.', example: 0 }) skipped!: number;
}

@Answer()
export class UnlinkedDocuments {
  @Whole({ about: 'Documents that were linked and are no longer.', example: 2 }) removed!: number;
  @Whole({ about: 'Ids that name no linked document.', example: 0 }) skipped!: number;
}
