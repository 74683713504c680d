import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** The run that a job is about. */
export class RunPayload {
  @IsUUID() run_id!: string;
}

/** The thread that a job is about. */
export class ThreadPayload {
  @IsUUID() thread_id!: string;
}

/** Answers a message, or reports the end of a run that has ended. The claim in the database decides who does. */
export const answer = defineJob('ai.run', {
  payload: RunPayload,
  attempts: 10,
  concurrency: 20,
  awaited: true,
  timeoutMs: 15 * MINUTE,
  key: ({ run_id }) => run_id,
});

/** Gives a thread a title after its first answer. Only hosts of the release before ask for it: the unit of work that ends an answer does so. */
export const nameThread = defineJob('ai.title', {
  payload: ThreadPayload,
  attempts: 3,
  timeoutMs: MINUTE,
  key: ({ thread_id }) => thread_id,
});
