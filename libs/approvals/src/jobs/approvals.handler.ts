import { Injectable } from '@nestjs/common';
import type { JsonObject } from '@atrium/platform/kernel';
import { Handles, type EventDelivery, type JobRun } from '@atrium/platform/messaging';
import { RemovedApprovers, type WaitedFor } from '../application/removed-approvers';
import { RemovedStates } from '../application/removed-states';
import { approversGone, followStates, type FollowStatesPayload } from './approvals.jobs';

const isOfRoles = ({ changed }: JsonObject): boolean => Array.isArray(changed) && changed.includes('user_roles');

/** Requests wait for a person by their id, or by a role that they may have had. */
const personIn = (ref: string): readonly WaitedFor[] => [
  { kind: 'user', ref },
  { kind: 'role', ref: null },
];

/** Runs the jobs of approvals. */
@Injectable()
export class ApprovalsHandler {
  constructor(
    private readonly states: RemovedStates,
    private readonly approvers: RemovedApprovers,
  ) {}

  @Handles(followStates)
  followStates({ caf_id }: FollowStatesPayload, run: JobRun): Promise<void> {
    return this.states.followStates(caf_id, run);
  }

  @Handles(approversGone)
  async reportStalls({ name, subject_id, payload }: EventDelivery, run: JobRun): Promise<void> {
    if (subject_id === null || (name === 'user.updated' && !isOfRoles(payload))) return;
    const changed = name.startsWith('role.') ? [{ kind: 'role' as const, ref: subject_id }] : personIn(subject_id);
    await this.approvers.reportStalls(changed, run);
  }
}
