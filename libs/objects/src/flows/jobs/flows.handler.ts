import { Injectable } from '@nestjs/common';
import { Handles, type JobResult, type JobRun } from '@atrium/platform/messaging';
import { FlowAdoption } from '../application/flow-adoption';
import { StateRemovals } from '../application/state-removals';
import { adoptObjects, followStates, type AdoptPayload, type FollowStatesPayload } from './flows.jobs';

/** Runs the jobs of lifecycle flows. */
@Injectable()
export class FlowsHandler {
  constructor(
    private readonly adoption: FlowAdoption,
    private readonly removals: StateRemovals,
  ) {}

  @Handles(adoptObjects)
  adoptObjects({ olf_id }: AdoptPayload, run: JobRun): Promise<JobResult> {
    return this.adoption.runAdoption(olf_id, run);
  }

  @Handles(followStates)
  remapStates(payload: FollowStatesPayload, run: JobRun): Promise<void> {
    return this.removals.remapStates(payload, run);
  }
}
