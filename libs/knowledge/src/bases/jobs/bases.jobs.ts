import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsIn, IsUUID } from 'class-validator';

/** Names a base whose contents are put into searches. */
export class IndexBasePayload {
  @IsUUID() ds_id!: string;
}

/** Has everything in a base found in it: after it was restored, and after its chunking has changed. */
export const indexBase = defineJob('knowledge.index', {
  payload: IndexBasePayload,
  seenWith: ['knowledge-base:edit', 'knowledge-base:write'],
  bulk: true,
  attempts: 5,
  backoffMs: 5 * SECOND,
  timeoutMs: 60 * MINUTE,
  key: ({ ds_id }) => ds_id,
});

/** Why the workspace is tidied. */
export class PurgePayload {
  @IsIn(['day']) because!: 'day';
}

/** Removes what was deleted more than 30 days ago. */
export const purgeKnowledge = defineJob('knowledge.purge', {
  payload: PurgePayload,
  bulk: true,
  attempts: 3,
  timeoutMs: 60 * MINUTE,
  key: () => 'all',
});
