import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsArray, IsString, IsUUID } from 'class-validator';

/** Names the bytes of a file. */
export class ExtractPayload {
  @IsUUID() file_id!: string;
  @IsString() version!: string;
}

/** Reads the text of a file's bytes. */
export const extractText = defineJob('retrieval.extract', {
  payload: ExtractPayload,
  seenWith: ['document:edit'],
  attempts: 4,
  backoffMs: 5 * SECOND,
  timeoutMs: 15 * MINUTE,
  key: ({ file_id, version }) => `${file_id}:${version}`,
});

/** Names objects that nothing names any more. */
export class DiscardTextsPayload {
  @IsArray() @IsString({ each: true }) keys!: string[];
}

/** Removes the markdown of files that are gone. */
export const discardTexts = defineJob('retrieval.discard-texts', { payload: DiscardTextsPayload, attempts: 6, backoffMs: 5 * SECOND });
