import { Choice, IdList, Nested, NestedList, Ref, Text, Whole } from '@atrium/platform/database';
import { acceptParameter, Accepts, Answer, ListQuery, PageOf, View } from '@atrium/platform/http';
import { LISTED_REPO_TYPES, type RepoType } from '../../core/domain/repositories';
import { FilePrefView } from '../../core/http/files.dto';
import { REPO_ID, REPO_TYPE, repoIdSchema, repoTypeSchema } from '../../core/http/repository-fields';
import { TrashedFile } from '../application/trash';

/** A file in the trash as clients see it. */
@Answer()
class TrashedFileView extends View(TrashedFile) {
  @Nested(() => FilePrefView, { about: 'Your own marks; always unmarked in the trash.' }) file_pref!: FilePrefView;
}

export class TrashPage extends PageOf(TrashedFileView) {}

/** Query of GET /files/trash. */
export class ListTrash extends ListQuery(TrashedFile) {
  override repo_type?: RepoType;
  override repo_id?: string;
}
acceptParameter(ListTrash, { name: 'repo_type', kind: 'choice', values: LISTED_REPO_TYPES }, repoTypeSchema);
acceptParameter(ListTrash, { name: 'repo_id', kind: 'id' }, repoIdSchema);

/** Query of DELETE /files/{id}. */
export class DeleteFile {
  dry_run?: boolean;
}
acceptParameter(
  DeleteFile,
  { name: 'dry_run', kind: 'flag' },
  { type: 'boolean', default: false, description: 'Whether to change nothing and return 200 with what deleting would affect.' },
);

@Answer()
export class DeletionPreviewView {
  @Whole({ about: 'Number of places that use the file, including those that you may not read.' }) references!: number;
  @Whole({ about: 'Number of publications among them.' }) publications!: number;
  @Whole({ about: 'Number of share links among them.' }) share_links!: number;
  @Whole({ about: 'Number of versions of the file.' }) versions!: number;
}

/** Body of POST /files/trash/empty. */
@Accepts()
export class EmptyTrash {
  @Choice(LISTED_REPO_TYPES, { ...REPO_TYPE, optional: true, computed: true }) repo_type?: RepoType | null;
  @Ref(REPO_ID) repo_id?: string | null;
}

/** Body of the actions on many files. */
@Accepts()
export class ManyFiles {
  @IdList({ min: 1, max: 1_000, about: 'The files.' }) file_ids!: string[];
}

@Answer()
export class BatchOutcomeView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Choice(['trashed', 'restored', 'purged', 'skipped'], { about: 'Outcome.' }) outcome!: string;
  @Text({ omittable: true, about: 'Reason the file was skipped: not_found, invalid_state, gone.' }) code?: string;
}

@Answer()
export class BatchOutcomes {
  @NestedList(() => BatchOutcomeView, { about: 'One entry per file, in the order of the request.' }) data!: BatchOutcomeView[];
}
