import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the schema; what else was asked for is found by the id of the job. */
export class ImportObjectsPayload {
  @IsUUID() obj_form!: string;
}

/** Writes the rows of a table as objects. */
export const importObjects = defineJob('objects.import', {
  payload: ImportObjectsPayload,
  attempts: 8,
  bulk: true,
  seenWith: ['object:create', 'object:edit'],
});
