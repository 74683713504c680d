import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names a space that was deleted. */
export class WithdrawThreadsPayload {
  @IsUUID() space_id!: string;
}

/** Makes threads of a deleted space private: those that its deletion did not reach. */
export const withdrawThreads = defineJob('ai.withdraw', {
  payload: WithdrawThreadsPayload,
  attempts: 10,
  backoffMs: 10 * SECOND,
  timeoutMs: 10 * MINUTE,
  key: ({ space_id }) => space_id,
});
