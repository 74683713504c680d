import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { Outbox, planJob, type JobRun } from '@atrium/platform/messaging';
import { approvalStateOf, type ApprovalFlow, type FollowedApprovalFlow } from '../domain/approval-flow';
import { FlowChange, FOLLOWING_BATCH } from '../domain/flow-change';
import type { StateMap } from '../domain/state-map';
import { APPROVAL_FLOWS, ApprovalFlowsRepository } from '../infrastructure/approval-flows.repository';
import { FlowLock } from '../infrastructure/flow-lock';
import { StandingRows } from '../infrastructure/standings.rows';
import { followStates } from '../jobs/approvals.jobs';

type Flow = Pick<FollowedApprovalFlow, 'caf_id' | 'caf_states' | 'caf_map'>;

/** Brings subjects along when states of their flow are removed. Open requests keep the transition that they were opened with. */
@Injectable()
export class RemovedStates {
  constructor(
    private readonly db: Database,
    private readonly flows: ApprovalFlowsRepository,
    private readonly standings: StandingRows,
    private readonly lock: FlowLock,
    private readonly outbox: Outbox,
  ) {}

  /** Refuses new states that leave subjects behind; what the flow remembers of the old ones is stored with it. */
  async planRemoval(flow: ApprovalFlow, said: StateMap): Promise<void> {
    const { map } = await this.changeOf(flow).planRemoval({
      map: flow.caf_map,
      said,
      field: 'state_map',
      states: flow.caf_states,
      isStrict: true,
      listRemoved: () => this.listRemoved(flow),
      stateOf: (state) => state,
      refuse: (stranded) =>
        new Problem('in_use', 'The change removes states that are in use. Map these states to new ones in state_map.', {
          errors: stranded.map(({ place, counted }) => ({
            path: `state_map.${place}`,
            code: 'in_use',
            message: `The state ${place} is in use: ${counted}`,
          })),
        }),
    });
    flow.caf_map = map;
  }

  /** The flow is written: subjects follow, those beyond the first thousand in the background. */
  async startRemoval(flow: ApprovalFlow): Promise<void> {
    const left = await this.changeOf(flow).moveSubjects(await this.listRemoved(flow));
    if (left.length > 0) this.outbox.addJob(planJob(followStates, { caf_id: flow.caf_id, revision: flow.caf_revision }));
  }

  /** What was too much at once. Goes by the flow as it is now, which may have changed again. */
  async followStates(caf_id: string, run: JobRun): Promise<void> {
    for (let moved = FOLLOWING_BATCH; moved > 0; await run.heartbeat()) {
      run.signal.throwIfAborted();
      moved = await this.db.write(async () => {
        await this.lock.lockFlow(APPROVAL_FLOWS, 'move');
        const flow = await this.flows.findFollowedFlow(caf_id);
        return flow ? this.changeOf(flow).moveBatch(await this.listRemoved(flow)) : 0;
      });
    }
  }

  private async listRemoved({ caf_id, caf_states }: Flow): Promise<string[]> {
    return (await this.standings.listStatesInUse(caf_id)).filter((state) => !caf_states.some(({ key }) => key === state));
  }

  private changeOf(flow: Flow): FlowChange<string> {
    return new FlowChange({
      countIn: (state, most) => this.standings.countInState(flow.caf_id, state, most),
      moveOut: async (state, most) => {
        const to = approvalStateOf(flow, state)?.key;
        return to === undefined ? 0 : this.standings.moveSubjects(flow.caf_id, { from: state, to }, most);
      },
    });
  }
}
