import { Choice, IdList, NestedList, Ref, Text } from '@atrium/platform/database';
import { Accepts, Answer, Body } from '@atrium/platform/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { REINDEX_STEPS, type ReindexStep } from '../application/reindex-steps';
import { File } from '../domain/file';
import { LISTED_REPO_TYPES, type RepoType } from '../domain/repositories';
import { Upload } from '../domain/upload';

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

/** Body of POST /uploads/import. */
@Accepts()
export class ImportFile extends Body(Upload, { required: ['file_repo'], optional: ['file_name', 'album_ids', 'media_tags'] }) {
  @Text({
    computed: true,
    min: 1,
    max: 8_000,
    about: 'Address of the file, starting with https://. Addresses in private networks are refused.',
    format: 'uri',
    example: 'https://example.com/harbour.jpg',
  })
  source_url!: string;
}

const REPO_TYPE = { about: 'Kind of the repository.' };
const REPO_ID = {
  optional: true,
  computed: true,
  about: 'Id of the owning object. Required for ds, thread, design, prompt and ppt, not allowed for others.',
};

/** Body of POST /files/actions/reindex. */
@Accepts()
export class ReindexFiles {
  @Choice(LISTED_REPO_TYPES, { about: 'Kind of the repository. Required unless `file_ids` are given.', optional: true, computed: true })
  repo_type?: RepoType | null;

  @Ref(REPO_ID) repo_id?: string | null;
  @IdList({ optional: true, min: 1, max: 1_000, about: 'Files of one repository. Default: all of its files.' }) file_ids?: string[] | null;

  @IsOptional()
  @IsArray({ message: 'array|must be an array' })
  @ArrayMinSize(1, { message: 'too_few|must have at least 1 item' })
  @ArrayMaxSize(REINDEX_STEPS.length, { message: `too_many|must have at most ${REINDEX_STEPS.length} items` })
  @IsIn(REINDEX_STEPS, { each: true, message: `choice|must be of ${REINDEX_STEPS.join(', ')}` })
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...REINDEX_STEPS] },
    minItems: 1,
    maxItems: REINDEX_STEPS.length,
    nullable: true,
    description: 'Steps to run again. Default: all.',
    example: ['metadata', 'renditions'],
  })
  steps?: ReindexStep[] | null;
}

/** Body of POST /files/trash/empty. */
@Accepts()
export class EmptyTrash {
  @Choice(LISTED_REPO_TYPES, { ...REPO_TYPE, optional: true, computed: true }) repo_type?: RepoType | null;
  @Ref(REPO_ID) repo_id?: string | null;
}

/** Body of POST /files/{id}/hold. */
@Accepts()
export class HoldFile {
  @Text({ computed: true, min: 1, max: 500, about: 'Reason for the hold.', example: 'Preservation letter of 3 March' }) reason!: string;
}
