import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsArray, IsUUID } from 'class-validator';

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

/** Names memories that are gone, and their person; without ids, all of that person that still have copies. */
export class ForgetCopiesPayload {
  @IsUUID() mem_user!: string;
  @IsArray() @IsUUID(undefined, { each: true }) mem_ids!: string[];
}

/** Blanks what runs and answers hold of the memories of a person that are gone. */
export const forgetCopies = defineJob('ai.forget', {
  payload: ForgetCopiesPayload,
  attempts: 10,
  backoffMs: 10 * SECOND,
  timeoutMs: 10 * MINUTE,
  key: ({ mem_user }) => mem_user,
});

/** Takes up copies that a legal hold has kept. */
export const holdsReleased = defineSubscriber('ai.holds-released', { events: ['legal_hold.released'] });
