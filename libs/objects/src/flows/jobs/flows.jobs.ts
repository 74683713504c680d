import { SECOND, MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsArray, IsInt, IsString, IsUUID, MaxLength } from 'class-validator';

/** Names a flow that takes objects in which follow none. */
export class AdoptPayload {
  @IsUUID() olf_id!: string;
}

/** Has the objects of a flow's schemas follow it. Begun again it goes on with those that are left. */
export const adoptObjects = defineJob('objects.adopt', {
  payload: AdoptPayload,
  seenWith: ['object:lifecycle:edit'],
  bulk: true,
  attempts: 8,
  backoffMs: 5 * SECOND,
  timeoutMs: 120 * MINUTE,
});

/** Names a flow whose states have changed, and those of them that searches find objects in from now on, or no longer. */
export class FollowStatesPayload {
  @IsUUID() olf_id!: string;
  @IsArray() @IsString({ each: true }) @MaxLength(40, { each: true }) states!: string[];
  @IsInt() revision!: number;
}

/** Brings the objects along that were too many at once. */
export const followStates = defineJob('objects.states', {
  payload: FollowStatesPayload,
  bulk: true,
  attempts: 8,
  backoffMs: 5 * SECOND,
  timeoutMs: 120 * MINUTE,
  key: ({ olf_id, revision }) => `${olf_id}.${revision}`,
});
