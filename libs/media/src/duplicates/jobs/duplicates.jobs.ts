import { SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the file whose copies are wanted. */
export class DuplicatesPayload {
  @IsUUID() file_id!: string;
}

/** Finds what a file is a copy of. */
export const findDuplicates = defineJob('media.duplicates', {
  payload: DuplicatesPayload,
  attempts: 5,
  backoffMs: 2 * SECOND,
  key: ({ file_id }) => file_id,
});
