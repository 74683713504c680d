import { createHash } from 'node:crypto';
import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsOptional, IsUUID, ValidateNested } from 'class-validator';

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

/** How far the copies of some memories are blanked. */
export class ForgettingPlace {
  @IsUUID() thread_id!: string;
  /** The last run that was looked at; null where none of the thread was. */
  @IsOptional() @IsUUID() run_id!: string | null;
  /** Whether copies are left behind it: in what a legal hold keeps, or in runs that are not over. */
  @IsBoolean() leaves!: boolean;
}

/** Names memories that are gone, and their person; without ids, all of that person that still have copies. */
export class ForgetCopiesPayload {
  @IsUUID() mem_user!: string;
  @IsArray() @IsUUID(undefined, { each: true }) mem_ids!: string[];
  /** Where to go on, with these memories alone. */
  @IsOptional() @ValidateNested() @Type(() => ForgettingPlace) from?: ForgettingPlace;
}

const digestOf = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 20);

/** Blanks what runs and answers hold of the memories of a person that are gone. */
export const forgetCopies = defineJob('ai.forget', {
  payload: ForgetCopiesPayload,
  attempts: 10,
  backoffMs: 10 * SECOND,
  timeoutMs: 10 * MINUTE,
  key: ({ mem_user, mem_ids, from }) => (from ? `${mem_user} ${digestOf([mem_ids, from])}` : mem_user),
});

/** Takes up copies that a legal hold has kept. */
export const holdsReleased = defineSubscriber('ai.holds-released', { events: ['legal_hold.released'] });
