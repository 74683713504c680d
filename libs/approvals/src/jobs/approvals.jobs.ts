import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob, defineSubscriber } from '@atrium/platform/messaging';
import { IsInt, IsUUID } from 'class-validator';

/** Names a flow of which states were removed. */
export class FollowStatesPayload {
  @IsUUID() caf_id!: string;
  @IsInt() revision!: number;
}

/** Brings the subjects along that were too many at once. */
export const followStates = defineJob('approvals.states', {
  payload: FollowStatesPayload,
  bulk: true,
  attempts: 8,
  backoffMs: 5 * SECOND,
  timeoutMs: 60 * MINUTE,
  key: ({ caf_id, revision }) => `${caf_id}.${revision}`,
});

/** Reports requests for which nobody is left when a person or a role is removed, or when what they may do changes. */
export const approversGone = defineSubscriber('approvals.approvers', {
  events: ['user.removed', 'user.suspended', 'user.updated', 'role.deleted', 'role.updated'],
});
