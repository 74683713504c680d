import { Injectable } from '@nestjs/common';
import { FlowLock } from '@atrium/approvals';
import { Audit, changes } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, notFound, type JsonObject } from '@atrium/platform/kernel';
import type { Job } from '@atrium/platform/messaging';
import { isDeepStrictEqual } from 'node:util';
import { LifecycleFlow, type LifecycleMap } from '../domain/lifecycle-flow';
import {
  LifecycleFlowsRepository,
  OBJECT_FLOWS,
  type LifecycleFlowRow,
  type VersionedFlowRow,
} from '../infrastructure/lifecycle-flows.repository';
import { FlowAdoption } from './flow-adoption';
import { FlowChecks } from './flow-checks';
import { FLOWS_AUDIT } from './flows.audit';
import { StateRemovals } from './state-removals';

export type { LifecycleFlowRow, VersionedFlowRow };

/** What a client says of a flow; what is absent stays as it is, or begins empty. */
export type FlowWish = Partial<
  Pick<LifecycleFlow, 'olf_name' | 'olf_description' | 'olf_forms' | 'olf_states' | 'olf_transitions' | 'olf_metadata'>
>;

/** A flow that was activated, and the job that has objects follow it, where that was asked for. */
export interface ActivatedFlow {
  readonly flow: VersionedFlowRow;
  readonly job: Job | null;
}

/** The lifecycle flows of a workspace. Every change takes their lock alone, so that no object moves during it. */
@Injectable()
export class FlowsService {
  constructor(
    private readonly db: Database,
    private readonly flows: LifecycleFlowsRepository,
    private readonly lock: FlowLock,
    private readonly checks: FlowChecks,
    private readonly removals: StateRemovals,
    private readonly adoption: FlowAdoption,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<LifecycleFlowRow>> {
    return this.db.read(() => this.flows.page(query));
  }

  one(olf_id: string): Promise<VersionedFlowRow> {
    return this.db.read(() => this.read(olf_id));
  }

  create(wish: FlowWish & Pick<LifecycleFlow, 'olf_name' | 'olf_states'>): Promise<VersionedFlowRow> {
    return this.db.write(async () => {
      const now = this.clock.now();
      const flow = Object.assign(new LifecycleFlow(), {
        olf_id: this.ids.next(),
        olf_description: null,
        olf_active: false,
        olf_forms: [],
        olf_transitions: [],
        olf_map: {},
        olf_metadata: {},
        olf_revision: 1,
        olf_created: now,
        olf_updated: now,
        ...said(wish),
      });
      await this.checks.demandSound(flow);
      await this.flows.insert(flow);
      this.audit.record({ type: FLOWS_AUDIT['object_flow.created'], target: targetOf(flow), ...changes(null, shown(flow)) });
      return this.read(flow.olf_id);
    });
  }

  /** Objects in states that the flow no longer has go where `state_map` says. */
  change(olf_id: string, wish: FlowWish, state_map: LifecycleMap, precondition?: Precondition): Promise<VersionedFlowRow> {
    return this.changed(olf_id, precondition, async (flow) => {
      const [before, checked] = [
        shown(flow),
        { olf_forms: flow.olf_forms, olf_states: flow.olf_states, olf_transitions: flow.olf_transitions },
      ];
      Object.assign(flow, said(wish));
      if (isDeepStrictEqual(before, shown(flow))) return;
      await this.checks.demandSound(flow, checked);
      if (flow.olf_active) await this.demandNoRival(flow);
      await this.removals.plan(flow, state_map);
      flow.revise(this.clock);
      await this.flows.save(flow);
      await this.removals.start(flow, checked.olf_states);
      this.audit.record({ type: FLOWS_AUDIT['object_flow.updated'], target: targetOf(flow), ...changes(before, shown(flow)) });
    });
  }

  /** New objects follow it from now on; with `adopt` those too that follow no flow. */
  activate(olf_id: string, adopt: boolean): Promise<ActivatedFlow> {
    return this.db.write(async () => {
      let job: Job | null = null;
      const flow = await this.changed(olf_id, undefined, async (held) => {
        if (!held.olf_active) {
          await this.demandNoRival(held);
          held.activate(this.clock);
          await this.flows.save(held);
          this.audit.record({ type: FLOWS_AUDIT['object_flow.activated'], target: targetOf(held) });
        }
        if (adopt) job = await this.adoption.start(held);
      });
      return { flow, job };
    });
  }

  /** Objects keep their states and are not moved while it is inactive. */
  deactivate(olf_id: string, precondition?: Precondition): Promise<VersionedFlowRow> {
    return this.changed(olf_id, precondition, async (flow) => {
      if (!flow.olf_active) return;
      flow.deactivate(this.clock);
      await this.flows.save(flow);
      this.audit.record({ type: FLOWS_AUDIT['object_flow.deactivated'], target: targetOf(flow) });
    });
  }

  private changed(
    olf_id: string,
    precondition: Precondition | undefined,
    work: (flow: LifecycleFlow) => Promise<void>,
  ): Promise<VersionedFlowRow> {
    return this.db.write(async () => {
      await this.lock.take(OBJECT_FLOWS, 'change');
      await work(await this.flows.lock(olf_id, precondition));
      return this.read(olf_id);
    });
  }

  private async demandNoRival(flow: LifecycleFlow): Promise<void> {
    const [rival] = await this.flows.rivals(flow);
    if (!rival) return;
    const scope = flow.catchesAll ? 'every schema without a flow of its own' : 'one of its schemas';
    throw alreadyExists('olf_forms', `The flow ${rival.olf_name} (${rival.olf_id}) is already active for ${scope}. Deactivate it first.`);
  }

  private async read(olf_id: string): Promise<VersionedFlowRow> {
    const row = await this.flows.one(olf_id);
    if (!row) throw notFound('lifecycle flow');
    return row;
  }
}

/** What was said, without what was not; a schema that is named twice counts once. */
const said = ({ olf_forms, ...wish }: FlowWish): FlowWish => ({
  ...Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
  ...(olf_forms === undefined ? {} : { olf_forms: [...new Set(olf_forms.map((id) => id.toLowerCase()))] }),
});

const targetOf = ({ olf_id, olf_name }: LifecycleFlow): { type: string; id: string; name: string } => ({
  type: 'object_flow',
  id: olf_id,
  name: olf_name,
});

const SHOWN = ['olf_name', 'olf_description', 'olf_forms', 'olf_states', 'olf_transitions', 'olf_metadata'] as const;
const shown = (flow: LifecycleFlow): JsonObject => Object.fromEntries(SHOWN.map((name) => [name, flow[name]])) as unknown as JsonObject;
