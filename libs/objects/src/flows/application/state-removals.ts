import { Injectable } from '@nestjs/common';
import { FlowChange, FlowLock, FOLLOWING_BATCH } from '@atrium/approvals';
import { FormRows } from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { planJob, Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectIndex } from '../../objects/application/object-index';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { LifecycleFlow, LifecycleMap, LifecycleState } from '../domain/lifecycle-flow';
import { LifecycleFlowsRepository, OBJECT_FLOWS } from '../infrastructure/lifecycle-flows.repository';
import { followStates } from '../jobs/flows.jobs';
import { stateIn } from './followed-flow';
import { StateMoves } from './state-moves';

/** What of a flow says where its objects go. */
type FollowedFlow = Pick<LifecycleFlow, 'olf_id' | 'olf_states' | 'olf_map'>;

/** Brings objects along when the states of their flow change: out of removed states, and into or out of what searches find. */
@Injectable()
export class StateRemovals {
  constructor(
    private readonly db: Database,
    private readonly flows: LifecycleFlowsRepository,
    private readonly lock: FlowLock,
    private readonly store: ObjectStore,
    private readonly moves: StateMoves,
    private readonly forms: FormRows,
    private readonly index: ObjectIndex,
    private readonly outbox: Outbox,
  ) {}

  /** Refuses new states that leave objects behind; what the flow remembers of the old ones is kept with it. */
  async planRemoval(flow: LifecycleFlow, said: LifecycleMap): Promise<void> {
    const { map } = await this.changeOf(flow).planRemoval({
      map: flow.olf_map,
      said,
      field: 'state_map',
      states: flow.olf_states,
      isStrict: true,
      listRemoved: () => this.goneStates(flow),
      stateOf: (state) => state,
      refuse: (stranded) =>
        new Problem('in_use', 'Objects are in states that the change removes. Map these states to new ones in state_map.', {
          errors: stranded.map(({ place, counted }) => ({
            path: `state_map.${place}`,
            code: 'in_use',
            message: `${counted} objects are in the state ${place}`,
          })),
        }),
    });
    flow.olf_map = map;
  }

  /** The flow is written: objects follow. */
  async startRemoval(flow: LifecycleFlow, before: readonly LifecycleState[]): Promise<void> {
    const change = this.changeOf(flow);
    await change.moveSubjects(await this.goneStates(flow));
    const turned = turnedStates(before, flow.olf_states);
    for (const state of turned)
      await change.spend(async (most) => this.reindex(await this.flows.listObjectsInState(flow.olf_id, state, most)));
    if (change.isSpent) this.outbox.addJob(planJob(followStates, { olf_id: flow.olf_id, states: turned, revision: flow.olf_revision }));
  }

  /** What was too much at once. Goes by the flow as it is now, which may have changed again. */
  async remapStates({ olf_id, states }: { readonly olf_id: string; readonly states: readonly string[] }, run: JobRun): Promise<void> {
    for (let moved = FOLLOWING_BATCH; moved > 0; await run.heartbeat()) {
      run.signal.throwIfAborted();
      moved = await this.db.write(() => this.nextBatch(olf_id));
    }
    for (const state of states) {
      for (let after: string | null = null; ; await run.heartbeat()) {
        run.signal.throwIfAborted();
        const ids = await this.db.write(() => this.reindexBehind(olf_id, state, after));
        after = ids.at(-1) ?? null;
        if (after === null) break;
      }
    }
  }

  private async nextBatch(olf_id: string): Promise<number> {
    await this.lock.lockFlow(OBJECT_FLOWS, 'move');
    const flow = (await this.flows.findFlows([olf_id])).get(olf_id);
    return flow ? this.changeOf(flow).moveBatch(await this.goneStates(flow)) : 0;
  }

  private async reindexBehind(olf_id: string, state: string, after: string | null): Promise<readonly string[]> {
    await this.lock.lockFlow(OBJECT_FLOWS, 'move');
    const ids = await this.flows.listObjectsInState(olf_id, state, FOLLOWING_BATCH, after);
    await this.reindex(ids);
    return ids;
  }

  private async goneStates({ olf_id, olf_states }: Pick<LifecycleFlow, 'olf_id' | 'olf_states'>): Promise<string[]> {
    return (await this.flows.listStatesInUse(olf_id)).filter((status) => !olf_states.some(({ key }) => key === status));
  }

  private changeOf(flow: FollowedFlow): FlowChange<string> {
    return new FlowChange({
      countIn: (state, most) => this.flows.countIn(flow.olf_id, state, most),
      moveOut: (state, most) => this.empty(flow, state, most),
    });
  }

  /** Moves objects out of a state that is gone; how many. */
  private async empty(flow: FollowedFlow, state: string, most: number): Promise<number> {
    const to = stateIn(flow, state);
    if (!to) return 0;
    const objects = await this.store.lockMany(await this.flows.listObjectsInState(flow.olf_id, state, most));
    const staying = objects.filter(({ obj_flow, obj_status }) => obj_flow === flow.olf_id && obj_status === state);
    await this.moves.applyMoves(
      staying.map((object) => ({ object, to: { flow_id: flow.olf_id, state: to.key } })),
      { by: null, transition: null },
    );
    return objects.length;
  }

  private async reindex(ids: readonly string[]): Promise<number> {
    if (ids.length === 0) return 0;
    const objects = await this.store.lockMany(ids);
    const forms = await this.forms.openAll('object', [...new Set(objects.map(({ obj_form }) => obj_form))]);
    for (const form of forms.values())
      await this.index.indexObjects(
        form,
        objects.filter(({ obj_form }) => obj_form === form.form_id),
      );
    return ids.length;
  }
}

/** States that searches find objects in from now on, or no longer. */
const turnedStates = (before: readonly LifecycleState[], after: readonly LifecycleState[]): string[] =>
  after.flatMap(({ key, retrievable }) => {
    const old = before.find((state) => state.key === key);
    return old && old.retrievable !== retrievable ? [key] : [];
  });
