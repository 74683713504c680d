import { Injectable } from '@nestjs/common';
import { assertMap, FlowLock, keptMap, successorOf } from '@atrium/approvals';
import { FormRows } from '@atrium/forms';
import { Database } from '@atrium/platform/database';
import { invalidField, Problem, type FieldFault } from '@atrium/platform/kernel';
import { job, Outbox, type JobRun } from '@atrium/platform/messaging';
import { ObjectIndex } from '../../objects/application/object-index';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { LifecycleFlow, LifecycleMap, LifecycleState } from '../domain/lifecycle-flow';
import { LifecycleFlowsRepository, OBJECT_FLOWS } from '../infrastructure/lifecycle-flows.repository';
import { followStates } from '../jobs/flows.jobs';
import { stateIn } from './followed-flow';
import { StateMoves } from './state-moves';

const AT_ONCE = 1_000;
const BATCH = 200;

/**
 * Brings objects along when the states of their flow change: out of states that are gone, and into or out of what searches find.
 * Up to a thousand at once; more in the background, and until then the flow itself knows what their state means.
 */
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
  async plan(flow: LifecycleFlow, said: LifecycleMap): Promise<void> {
    assertMap(said, flow.olf_states, 'state_map');
    const standing = Object.keys(said).find((old) => flow.olf_states.some(({ key }) => key === old));
    if (standing !== undefined)
      throw invalidField(`state_map.${standing}`, 'is still a state of the flow; map only removed states', 'reference');
    flow.olf_map = keptMap(flow.olf_map, said, flow.olf_states);
    const faults: FieldFault[] = [];
    for (const state of await this.goneStates(flow)) {
      const count = successorOf(state, flow.olf_map) === undefined ? await this.flows.countIn(flow.olf_id, state, AT_ONCE + 1) : 0;
      const counted = count > AT_ONCE ? `more than ${AT_ONCE}` : String(count);
      if (count > 0) faults.push({ path: `state_map.${state}`, code: 'in_use', message: `${counted} objects are in the state ${state}` });
    }
    if (faults.length > 0)
      throw new Problem('in_use', 'Objects are in states that the change removes. Map these states to new ones in state_map.', {
        errors: faults,
      });
  }

  /** The flow is written: objects follow. */
  async start(flow: LifecycleFlow, before: readonly LifecycleState[]): Promise<void> {
    let left = AT_ONCE;
    for (const state of await this.goneStates(flow)) left -= await this.empty(flow, state, left);
    const turned = turnedStates(before, flow.olf_states);
    for (const state of turned) left -= await this.reindex(await this.flows.objectsIn(flow.olf_id, state, Math.max(left, 0)), left);
    if (left <= 0) this.outbox.add(job(followStates, { olf_id: flow.olf_id, states: turned, revision: flow.olf_revision }));
  }

  /** What was too much at once. Goes by the flow as it is now, which may have changed again. */
  async follow({ olf_id, states }: { readonly olf_id: string; readonly states: readonly string[] }, run: JobRun): Promise<void> {
    for (let moved = BATCH; moved > 0; await run.heartbeat()) {
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
    await this.lock.take(OBJECT_FLOWS, 'move');
    const flow = (await this.flows.followed([olf_id])).get(olf_id);
    const [state] = flow ? await this.goneStates(flow) : [];
    return flow && state !== undefined ? this.empty(flow, state, BATCH) : 0;
  }

  private async reindexBehind(olf_id: string, state: string, after: string | null): Promise<readonly string[]> {
    await this.lock.take(OBJECT_FLOWS, 'move');
    const ids = await this.flows.objectsIn(olf_id, state, BATCH, after);
    await this.reindex(ids, BATCH);
    return ids;
  }

  private async goneStates({ olf_id, olf_states }: Pick<LifecycleFlow, 'olf_id' | 'olf_states'>): Promise<string[]> {
    return (await this.flows.statesIn(olf_id)).filter((status) => !olf_states.some(({ key }) => key === status));
  }

  /** Moves objects out of a state that is gone; how many. */
  private async empty(flow: Pick<LifecycleFlow, 'olf_id' | 'olf_states' | 'olf_map'>, state: string, most: number): Promise<number> {
    const to = stateIn(flow, state);
    if (!to || most <= 0) return 0;
    const objects = await this.store.lockMany(await this.flows.objectsIn(flow.olf_id, state, most));
    const staying = objects.filter(({ obj_flow, obj_status }) => obj_flow === flow.olf_id && obj_status === state);
    await this.moves.make(
      staying.map((object) => ({ object, to: { flow_id: flow.olf_id, state: to.key } })),
      { by: null, transition: null },
    );
    return objects.length;
  }

  private async reindex(ids: readonly string[], most: number): Promise<number> {
    if (ids.length === 0 || most <= 0) return 0;
    const objects = await this.store.lockMany(ids);
    const forms = await this.forms.openAll('object', [...new Set(objects.map(({ obj_form }) => obj_form))]);
    for (const form of forms.values())
      await this.index.put(
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
