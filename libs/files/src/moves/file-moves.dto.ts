import { Choice, IdList, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer, Body } from '@atrium/platform/http';
import { File } from '../core/domain/file';
import { Upload } from '../uploads/domain/upload';

/** Body of POST /files/{id}/move. */
export class MoveFile extends Body(File, { required: ['file_repo'] }) {}

/** Body of POST /files/actions/move. */
@Accepts()
export class MoveFiles extends Body(File, { required: ['file_repo'] }) {
  @IdList({ min: 1, max: 1_000, about: 'The files.' }) file_ids!: string[];
}

@Answer()
export class MoveOutcomeView {
  @Ref({ about: 'The file.' }) file_id!: string;
  @Choice(['moved', 'skipped'], { about: 'Outcome. A file that was already in the repository counts as moved.' }) outcome!: string;
  @Text({ omittable: true, about: 'Reason the file was skipped: not_found, invalid_move, invalid_state, in_use.' }) code?: string;
}

@Answer()
export class MoveOutcomes {
  @NestedList(() => MoveOutcomeView, { about: 'One entry per file, in the order of the request.' }) data!: MoveOutcomeView[];
}

/** Body of POST /files/{id}/copy-to-media. */
export class CopyToMedia extends Body(Upload, { optional: ['album_ids', 'media_tags', 'file_name'] }) {}
