import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FlowLock } from '@atrium/approvals';
import { Database, type UnitOfWork } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { ObjectStates, type Entry, type ObjectState, type StatedObject, type StateSource } from '../../objects/application/object-states';
import type { EnteredState } from '../../objects/domain/object-change';
import { LifecycleFlowsRepository, OBJECT_FLOWS, type GoverningFlow } from '../infrastructure/lifecycle-flows.repository';
import { TransitionRecords } from '../infrastructure/transition-records.rows';
import { entryInto, stateIn } from './followed-flow';

/** Gives objects their states: where new ones begin, what a state means, and where those go that get another schema. */
@Injectable()
export class FlowStates implements OnModuleInit, StateSource {
  /** The flow of each schema, found once a unit of work: the lock keeps it from changing until the end, or finds at the end that it has not. */
  private readonly known = new WeakMap<UnitOfWork, Map<string, Promise<GoverningFlow | undefined>>>();

  constructor(
    private readonly db: Database,
    private readonly states: ObjectStates,
    private readonly flows: LifecycleFlowsRepository,
    private readonly lock: FlowLock,
    private readonly records: TransitionRecords,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.states.register(this);
  }

  async findEntryState(form_id: string): Promise<EnteredState | null> {
    const flow = await this.governing(form_id);
    return flow ? entryInto(flow, null) : null;
  }

  async describeStates(objects: readonly StatedObject[]): Promise<ReadonlyMap<string, ObjectState>> {
    const flows = await this.flows.findStates([...new Set(objects.flatMap(({ obj_flow }) => obj_flow ?? []))]);
    return new Map(
      objects.flatMap(({ obj_id, obj_flow, obj_status }): [string, ObjectState][] => {
        const flow = obj_flow === null ? undefined : flows.get(obj_flow);
        const state = flow && obj_status !== null ? stateIn(flow, obj_status) : undefined;
        if (!state) return [];
        const { key, name, color, locked, retrievable } = state;
        return [[obj_id, { key, name, color, locked, retrievable }]];
      }),
    );
  }

  async findStateAfterFormChange({ obj_flow, obj_status }: StatedObject, form_id: string): Promise<EnteredState | null> {
    const flow = await this.governing(form_id);
    if (!flow) return null;
    const stays = flow.olf_id === obj_flow && obj_status !== null ? stateIn(flow, obj_status) : undefined;
    return stays ? { flow_id: flow.olf_id, state: stays.key } : entryInto(flow, obj_status);
  }

  recordEntries(entries: readonly Entry[], by: string | null): Promise<void> {
    return this.records.insertRecords(
      entries.map(({ obj_id, flow_id, from, state }) => ({
        otr_object: obj_id,
        otr_flow: flow_id,
        otr_transition: null,
        otr_from: from,
        otr_to: state,
        otr_comment: null,
        otr_by: by,
      })),
      this.clock.now(),
    );
  }

  private governing(form_id: string): Promise<GoverningFlow | undefined> {
    const work = this.db.current();
    const known = this.known.get(work) ?? new Map<string, Promise<GoverningFlow | undefined>>();
    this.known.set(work, known);
    const found = known.get(form_id) ?? this.held(form_id);
    known.set(form_id, found);
    return found;
  }

  private async held(form_id: string): Promise<GoverningFlow | undefined> {
    const keep = async (): Promise<GoverningFlow | undefined> => {
      await this.lock.lockFlow(OBJECT_FLOWS, 'move');
      return this.flows.findGoverningFlow(form_id);
    };
    const work = this.db.current();
    if (!work.locksLast) return keep();
    const flow = await this.flows.findGoverningFlow(form_id);
    work.lockLast(`flow of ${form_id}`, flow, keep);
    return flow;
  }
}
