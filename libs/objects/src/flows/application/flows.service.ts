import { Injectable } from '@nestjs/common';
import { absentFrom, assertGraph, FlowActors, FlowLock } from '@atrium/approvals';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import {
  alreadyExists,
  asJson,
  Clock,
  Ids,
  invalidFields,
  notFound,
  pick,
  type FieldFault,
  type JsonObject,
} from '@atrium/platform/kernel';
import type { Job } from '@atrium/platform/messaging';
import { isDeepStrictEqual } from 'node:util';
import { Expression, FormRows } from '@atrium/forms';
import { LifecycleFlow, type LifecycleMap, type LifecycleTransition } from '../domain/lifecycle-flow';
import {
  LifecycleFlowsRepository,
  OBJECT_FLOWS,
  type LifecycleFlowRow,
  type VersionedFlowRow,
} from '../infrastructure/lifecycle-flows.repository';
import { FlowAdoption } from './flow-adoption';
import { StateRemovals } from './state-removals';

/** Changes to lifecycle flows, as the audit log names them. */
const FLOWS_AUDIT = defineAuditTypes({
  'object_flow.created': 'A lifecycle flow was created.',
  'object_flow.updated': 'A lifecycle flow was changed.',
  'object_flow.activated': 'A lifecycle flow was activated.',
  'object_flow.deactivated': 'A lifecycle flow was deactivated.',
});

type CheckedFlow = Pick<LifecycleFlow, 'olf_forms' | 'olf_states' | 'olf_transitions'>;

const FIELDS = { states: 'olf_states', transitions: 'olf_transitions' };
const MOST_FAULTS = 50;

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
    private readonly removals: StateRemovals,
    private readonly adoption: FlowAdoption,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
    private readonly actors: FlowActors,
    private readonly forms: FormRows,
  ) {}

  list(query: ListParameters): Promise<Page<LifecycleFlowRow>> {
    return this.db.read(() => this.flows.listFlows(query));
  }

  get(olf_id: string): Promise<VersionedFlowRow> {
    return this.db.read(() => this.read(olf_id));
  }

  create(wish: FlowWish & Pick<LifecycleFlow, 'olf_name' | 'olf_states'>): Promise<VersionedFlowRow> {
    return this.db.write(async () => {
      const now = this.clock.now();
      const flow = LifecycleFlow.blank({ olf_id: this.ids.next(), ...said(wish) }, now);
      await this.assertSound(flow);
      await this.flows.insert(flow);
      this.audit.record({ type: FLOWS_AUDIT['object_flow.created'], target: targetOf(flow), ...changesBetween(null, shown(flow)) });
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
      await this.assertSound(flow, checked);
      if (flow.olf_active) await this.assertNoRival(flow);
      await this.removals.planRemoval(flow, state_map);
      flow.revise(this.clock);
      await this.flows.save(flow);
      await this.removals.startRemoval(flow, checked.olf_states);
      this.audit.record({ type: FLOWS_AUDIT['object_flow.updated'], target: targetOf(flow), ...changesBetween(before, shown(flow)) });
    });
  }

  /** New objects follow it from now on; with `adopt` those too that follow no flow. */
  activateFlow(olf_id: string, adopt: boolean): Promise<ActivatedFlow> {
    return this.db.write(async () => {
      let job: Job | null = null;
      const flow = await this.changed(olf_id, undefined, async (held) => {
        if (!held.olf_active) {
          await this.assertNoRival(held);
          held.activate(this.clock);
          await this.flows.save(held);
          this.audit.record({ type: FLOWS_AUDIT['object_flow.activated'], target: targetOf(held) });
        }
        if (adopt) job = await this.adoption.startAdoption(held);
      });
      return { flow, job };
    });
  }

  /** Objects keep their states and are not moved while it is inactive. */
  deactivateFlow(olf_id: string, precondition?: Precondition): Promise<VersionedFlowRow> {
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
      await this.lock.lockFlow(OBJECT_FLOWS, 'change');
      await work(await this.flows.lock(olf_id, precondition));
      return this.read(olf_id);
    });
  }

  private async assertNoRival(flow: LifecycleFlow): Promise<void> {
    const [rival] = await this.flows.findCompetingFlows(flow);
    if (!rival) return;
    const scope = flow.catchesAll ? 'every schema without a flow of its own' : 'one of its schemas';
    throw alreadyExists('olf_forms', `The flow ${rival.olf_name} (${rival.olf_id}) is already active for ${scope}. Deactivate it first.`);
  }

  private async read(olf_id: string): Promise<VersionedFlowRow> {
    const row = await this.flows.findFlowRow(olf_id);
    if (!row) throw notFound('lifecycle flow');
    return row;
  }

  /**
   * Refuses flows that objects could not follow: graph, conditions, and everything that transitions name. What the flow named already is
   * not asked after again: members and roles may have gone, fields may have been removed. Within the open unit of work.
   */
  private async assertSound(flow: CheckedFlow, before?: CheckedFlow): Promise<void> {
    assertGraph({ states: flow.olf_states, transitions: flow.olf_transitions }, FIELDS);
    const faults = [
      ...flow.olf_transitions.flatMap((transition, at) => conditionFaults(transition, at, this.clock.now())),
      ...(await this.actors.findUnknownNames(FIELDS.transitions, flow.olf_transitions, before?.olf_transitions)),
      ...(await this.unknownForms(flow, before)),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, MOST_FAULTS));
  }

  /** Schemas that do not exist, and required fields that one of them does not have. */
  private async unknownForms({ olf_forms, olf_transitions }: CheckedFlow, before: CheckedFlow | undefined): Promise<FieldFault[]> {
    if (before && isDeepStrictEqual([olf_forms, olf_transitions], [before.olf_forms, before.olf_transitions])) return [];

    const forms = await this.forms.openAll('object', olf_forms);
    const absent = absentFrom('olf_forms', olf_forms, { exists: (id) => forms.has(id), kind: 'object schema' });
    const fields = olf_transitions.flatMap(({ require_fields }, at) =>
      require_fields.flatMap((key, n): FieldFault[] => {
        const lacking = [...forms.values()].find(({ compiled }) => !compiled.fields.some((field) => field.key === key));
        if (!lacking) return [];
        const path = `olf_transitions[${at}].require_fields[${n}]`;
        return [{ path, code: 'reference', message: `is not a field of the schema ${lacking.form_name}: ${key}` }];
      }),
    );
    return [...absent, ...fields];
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
const shown = (flow: LifecycleFlow): JsonObject => asJson(pick(flow, SHOWN));

/** A condition must be read, and give true or false where it gives anything of an object without values. */
function conditionFaults({ condition }: LifecycleTransition, at: number, now: Date): FieldFault[] {
  if (condition === null) return [];
  const path = `olf_transitions[${at}].condition`;
  const read = Expression.parse(condition);
  if (read instanceof Expression) {
    const answer = read.evaluate({ content: {}, previous: {}, state: '', user: { id: '', roles: [] }, now });
    const isCondition = answer === undefined || answer === null || typeof answer === 'boolean';
    return isCondition ? [] : [{ path, code: 'type', message: `The condition ${condition} must evaluate to true or false.` }];
  }
  return [{ path, code: 'expression', message: `${read.message} (at position ${read.position})` }];
}
