import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, asJson, Clock, Ids, notFound, pick, Problem, type JsonObject } from '@atrium/platform/kernel';
import { isDeepStrictEqual } from 'node:util';
import { ApprovalFlow, MOST_FLOWS } from '../domain/approval-flow';
import { coverEqually, type FlowScope } from '../domain/flow-scope';
import type { StateMap } from '../domain/state-map';
import {
  APPROVAL_FLOWS,
  ApprovalFlowsRepository,
  type ApprovalFlowRow,
  type VersionedApprovalFlowRow,
} from '../infrastructure/approval-flows.repository';
import { FlowLock } from '../infrastructure/flow-lock';
import { ApprovalFlowCheck } from './approval-flow-check';
import { RemovedStates } from './removed-states';

/** Changes to approval flows, as the audit log names them. */
const FLOWS_AUDIT = defineAuditTypes({
  'approval_flow.created': 'An approval flow was created.',
  'approval_flow.updated': 'An approval flow was changed.',
  'approval_flow.activated': 'An approval flow was activated.',
  'approval_flow.deactivated': 'An approval flow was deactivated.',
});

export type { ApprovalFlowRow, VersionedApprovalFlowRow };

/** What a client says of a flow; what is absent stays as it is, or begins empty. */
export type ApprovalFlowWish = Partial<
  Pick<ApprovalFlow, 'caf_name' | 'caf_description' | 'caf_scope' | 'caf_states' | 'caf_transitions' | 'caf_on_edit' | 'caf_metadata'>
>;
export type NewApprovalFlow = ApprovalFlowWish & Pick<ApprovalFlow, 'caf_name' | 'caf_subject' | 'caf_states'>;

/** What is changed of a flow, and where subjects in removed states go. */
export interface FlowRevision {
  readonly wish: ApprovalFlowWish;
  readonly state_map?: StateMap | undefined;
}

/** Whether the caller may know that a flow has the scope. */
export type ShownScope = (scope: FlowScope) => Promise<boolean>;
const SHOWN_TO_ALL: ShownScope = () => Promise.resolve(true);

/** The approval flows of a workspace. Every change takes their lock alone, so that no subject moves during it. */
@Injectable()
export class ApprovalFlows {
  constructor(
    private readonly db: Database,
    private readonly flows: ApprovalFlowsRepository,
    private readonly lock: FlowLock,
    private readonly check: ApprovalFlowCheck,
    private readonly removals: RemovedStates,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<ApprovalFlowRow>> {
    return this.db.read(() => this.flows.listFlows(query));
  }

  get(caf_id: string): Promise<VersionedApprovalFlowRow> {
    return this.db.read(() => this.read(caf_id));
  }

  /** New flows are inactive. */
  create({ caf_subject, ...wish }: NewApprovalFlow): Promise<VersionedApprovalFlowRow> {
    return this.db.write(async () => {
      await this.lock.lockFlow(APPROVAL_FLOWS, 'change');
      if ((await this.flows.countFlows()) >= MOST_FLOWS)
        throw new Problem('limit_reached', `A workspace has at most ${MOST_FLOWS} approval flows.`);
      const flow = ApprovalFlow.blank({ caf_id: this.ids.next(), caf_subject, ...said(wish) }, this.clock.now());
      await this.check.assertSound(flow);
      await this.flows.insert(flow);
      this.audit.record({ type: FLOWS_AUDIT['approval_flow.created'], target: targetOf(flow), ...changesBetween(null, shown(flow)) });
      return this.read(flow.caf_id);
    });
  }

  /** Subjects in states that the flow no longer has go where `state_map` says. Open requests stay as they were opened. */
  change(
    caf_id: string,
    { wish, state_map = {} }: FlowRevision,
    { precondition, isShown = SHOWN_TO_ALL }: { readonly precondition?: Precondition | undefined; readonly isShown?: ShownScope } = {},
  ): Promise<VersionedApprovalFlowRow> {
    return this.changed(caf_id, precondition, async (flow) => {
      const [before, checked] = [shown(flow), pick(flow, CHECKED)];
      Object.assign(flow, said(wish));
      if (isDeepStrictEqual(before, shown(flow))) return;
      await this.check.assertSound(flow, checked);
      if (flow.caf_active) await this.assertNoRival(flow, isShown);
      await this.removals.planRemoval(flow, state_map);
      flow.revise(this.clock);
      await this.flows.save(flow);
      await this.removals.startRemoval(flow);
      this.audit.record({ type: FLOWS_AUDIT['approval_flow.updated'], target: targetOf(flow), ...changesBetween(before, shown(flow)) });
    });
  }

  /** A rival is named where that is shown. */
  activateFlow(caf_id: string, isShown: ShownScope = SHOWN_TO_ALL): Promise<VersionedApprovalFlowRow> {
    return this.changed(caf_id, undefined, async (flow) => {
      if (flow.caf_active) return;
      await this.assertNoRival(flow, isShown);
      flow.activate(this.clock);
      await this.flows.save(flow);
      this.audit.record({ type: FLOWS_AUDIT['approval_flow.activated'], target: targetOf(flow) });
    });
  }

  /** Subjects keep their states and may be published while it is inactive. */
  deactivateFlow(caf_id: string, precondition?: Precondition): Promise<VersionedApprovalFlowRow> {
    return this.changed(caf_id, precondition, async (flow) => {
      if (!flow.caf_active) return;
      flow.deactivate(this.clock);
      await this.flows.save(flow);
      this.audit.record({ type: FLOWS_AUDIT['approval_flow.deactivated'], target: targetOf(flow) });
    });
  }

  private changed(
    caf_id: string,
    precondition: Precondition | undefined,
    work: (flow: ApprovalFlow) => Promise<void>,
  ): Promise<VersionedApprovalFlowRow> {
    return this.db.write(async () => {
      await this.lock.lockFlow(APPROVAL_FLOWS, 'change');
      await work(await this.flows.lock(caf_id, precondition));
      return this.read(caf_id);
    });
  }

  private async assertNoRival(flow: ApprovalFlow, isShown: ShownScope): Promise<void> {
    const rival = (await this.flows.listOtherActiveFlows(flow)).find(({ caf_scope }) => coverEqually(caf_scope, flow.caf_scope));
    if (!rival) return;
    const named = (await isShown(rival.caf_scope)) ? `The flow ${rival.caf_name} (${rival.caf_id})` : 'Another flow';
    throw alreadyExists('caf_scope', `${named} is already active for the same scope. Deactivate it first.`);
  }

  private async read(caf_id: string): Promise<VersionedApprovalFlowRow> {
    const row = await this.flows.findFlowRow(caf_id);
    if (!row) throw notFound('approval flow');
    return row;
  }
}

/** What was said, without what was not; a site or language that is named twice counts once. */
const said = ({ caf_scope, ...wish }: ApprovalFlowWish): ApprovalFlowWish => ({
  ...Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined)),
  ...(caf_scope === undefined ? {} : { caf_scope: onceEach(caf_scope) }),
});

const onceEach = ({ sites, locales }: FlowScope): FlowScope => ({
  sites: [...new Set(sites.map((id) => id.toLowerCase()))],
  locales: [...new Set(locales)],
});

const targetOf = ({ caf_id, caf_name }: ApprovalFlow): { type: string; id: string; name: string } => ({
  type: 'approval_flow',
  id: caf_id,
  name: caf_name,
});

const CHECKED = ['caf_subject', 'caf_scope', 'caf_states', 'caf_transitions'] as const;
const SHOWN = [
  'caf_name',
  'caf_description',
  'caf_subject',
  'caf_scope',
  'caf_states',
  'caf_transitions',
  'caf_on_edit',
  'caf_metadata',
] as const;
const shown = (flow: ApprovalFlow): JsonObject => asJson(pick(flow, SHOWN));
