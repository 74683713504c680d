import { Flag, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import type { MetadataFilter } from '../application/metadata-filter';
import { File } from '../domain/file';
import { HistoryLine } from '../domain/history-line';
import { LISTED_REPO_TYPES, type RepoType } from '../domain/repositories';
import { repoIdSchema, repoTypeSchema } from './repository-fields';

@Answer()
export class FilePrefView {
  @Flag({ about: 'Whether the file is one of your favorites.' }) favorite!: boolean;
}

/** A file as clients see it. */
@Answer()
export class FileView extends View(File) {
  @Nested(() => FilePrefView, { about: 'Your own marks.' }) file_pref!: FilePrefView;
}

export class FilePage extends PageOf(FileView) {}

@Answer()
export class FoundFiles {
  @NestedList(() => FileView, { about: 'Best matches first.' }) data!: FileView[];
}

/** Query of GET /files. */
export class ListFiles extends ListQuery(File, { extended: true }) {
  override repo_type!: RepoType;
  override repo_id?: string;
  override file_metadata?: MetadataFilter;
}
acceptParameter(ListFiles, { name: 'repo_type', kind: 'choice', values: LISTED_REPO_TYPES }, repoTypeSchema, true);
acceptParameter(ListFiles, { name: 'repo_id', kind: 'id' }, repoIdSchema);
acceptParameter(
  ListFiles,
  { name: 'file_metadata', kind: 'json' },
  {
    type: 'object',
    additionalProperties: true,
    description: 'Exact matches on metadata: `file_metadata[project]=harbour`, `file_metadata[system][width]=4032`.',
  },
);

/** What every list of a library's files takes; the context that lists them adds its own filters. */
export class ListLibrary extends ListQuery(File, { extended: true }) {}

/** Query of GET /files/search. */
export class SearchFiles {
  q!: string;
  repo_type?: RepoType;
  file_type?: string;
  limit?: number;
}
acceptParameter(
  SearchFiles,
  { name: 'q', kind: 'text', min: 1, max: 200 },
  { type: 'string', minLength: 1, maxLength: 200, description: 'Part of the name; tolerates typing errors.' },
  true,
);
acceptParameter(
  SearchFiles,
  { name: 'repo_type', kind: 'choice', values: LISTED_REPO_TYPES },
  { ...repoTypeSchema, description: 'Kind of the repository. Default: all repositories that you may see.' },
);
acceptParameter(
  SearchFiles,
  { name: 'file_type', kind: 'text', min: 1 },
  { type: 'string', maxLength: 255, description: 'MIME type, or its prefix up to `/`.' },
);
acceptParameter(
  SearchFiles,
  { name: 'limit', kind: 'whole', min: 1, max: 50 },
  { type: 'integer', minimum: 1, maximum: 50, default: 20, description: 'Maximum number of matches.' },
);

/** Body of PUT /files/{id}. */
export class UpdateFile extends Body(File, { optional: ['file_name', 'file_metadata', 'file_summary'] }) {}

@Answer()
export class FavoriteView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Nested(() => FilePrefView, { about: 'The changed marks.' }) file_pref!: FilePrefView;
}

@Answer()
export class FileReferenceView {
  @Text({ sort: true, filter: 'equals', about: 'Kind of the place: album, design, publication, share_link, …', example: 'album' })
  ref_type!: string;
  @Ref({ about: 'Id of the place.' }) ref_id!: string;
  @Text({ sort: true, filter: 'contains', about: 'Name of the place.', example: 'Summer campaign' }) ref_name!: string;
  @Text({ optional: true, about: 'Position within the place, if useful.' }) ref_detail!: string | null;
  @Flag({ filter: 'equals', about: 'Whether it prevents the file from being permanently deleted.' }) ref_blocking!: boolean;
}

@Answer()
export class FileReferencePage extends PageOf(FileReferenceView) {
  @Whole({ about: 'Number of further places that you may not read; the same on every page.' }) hidden!: number;
}

export class ListFileReferences extends ListQuery(FileReferenceView, { whole: true }) {}

@Answer()
class HistoryLineView extends View(HistoryLine) {}

export class HistoryPage extends PageOf(HistoryLineView) {}

/** Query of GET /files/{id}/history. */
export class ListHistory extends ListQuery(HistoryLine) {}

/** Body of POST /files/{id}/hold. */
@Accepts()
export class HoldFile {
  @Text({ computed: true, min: 1, max: 500, about: 'Reason for the hold.', example: 'Preservation letter of 3 March' }) lh_reason!: string;
}
