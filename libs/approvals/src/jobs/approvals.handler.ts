import { Injectable } from '@nestjs/common';
import { Handles, type EventDelivery, type JobRun } from '@atrium/platform/messaging';
import { RemovedApprovers } from '../application/removed-approvers';
import { RemovedStates } from '../application/removed-states';
import { approversGone, followStates, type FollowStatesPayload } from './approvals.jobs';

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
  async reportStalls({ name, subject_id }: EventDelivery, run: JobRun): Promise<void> {
    if (subject_id !== null) await this.approvers.reportStalls({ kind: name === 'role.deleted' ? 'role' : 'user', ref: subject_id }, run);
  }
}
