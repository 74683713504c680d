import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names a memory whose text is new. */
export class IndexMemoryPayload {
  @IsUUID() mem_id!: string;
}

/** Has a memory found by its meaning. */
export const indexMemory = defineJob('ai.index', {
  payload: IndexMemoryPayload,
  attempts: 5,
  backoffMs: 5 * SECOND,
  timeoutMs: 2 * MINUTE,
  key: ({ mem_id }) => mem_id,
});
