import { Choice, IdList, Ref } from '@atrium/platform/database';
import { Accepts } from '@atrium/platform/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional } from 'class-validator';
import { REINDEX_STEPS, type ReindexStep } from '../application/reindex-steps';
import { LISTED_REPO_TYPES, type RepoType } from '../../core/domain/repositories';
import { REPO_ID } from '../../core/http/repository-fields';

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
