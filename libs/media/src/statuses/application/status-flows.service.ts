import { Injectable, type OnModuleInit } from '@nestjs/common';
import { absentFrom, unknownActors, FlowActors, FlowLock } from '@atrium/approvals';
import { WorkspaceStarts } from '@atrium/identity';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidFields, notFound, Problem, type FieldFault } from '@atrium/platform/kernel';
import { FLOW_SCOPES, MediaStatusFlow, type StatusGraph, type StatusRemap } from '../domain/media-status-flow';
import { STANDARD_FLOW } from '../domain/standard-flow';
import { STATUS_FLOWS, StatusFlowsRepository, type StatusFlowRow } from '../infrastructure/status-flows.repository';
import { TagGroupsRepository } from '../../tags/infrastructure/tag-groups.repository';
import { assertStatusGraph } from './followed-states';
import { StatusRemaps } from './status-remaps';

/** What is kept of changes to the states that files go through. */
const STATUSES_AUDIT = defineAuditTypes({
  'media_status_flow.created': 'A status flow was created.',
  'media_status_flow.updated': 'A status flow was changed.',
  'media_status_flow.deleted': 'A status flow was deleted.',
});

export type { StatusFlowRow };

/** A flow as it is put: whole. */
export interface FlowFacts extends StatusGraph {
  readonly msf_name: string;
  readonly msf_description?: string | null;
  readonly msf_scope: readonly string[];
  readonly msf_active?: boolean;
  /** What becomes of files in states that are gone. */
  readonly remap?: StatusRemap;
}

const NAME_ONCE = 'media_status_flow_name';

/** The flows of a workspace, as those who manage them see them. A repository follows at most one. */
@Injectable()
export class StatusFlows implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly flows: StatusFlowsRepository,
    private readonly lock: FlowLock,
    private readonly groups: TagGroupsRepository,
    private readonly remaps: StatusRemaps,
    private readonly actors: FlowActors,
    private readonly starts: WorkspaceStarts,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  onModuleInit(): void {
    this.starts.register({ context: 'media', setUpWorkspace: () => this.seed() });
  }

  list(query: ListParameters): Promise<Page<StatusFlowRow>> {
    return this.db.read(() => this.flows.listFlows(query));
  }

  get(id: string): Promise<StatusFlowRow> {
    return this.db.read(() => this.row(id));
  }

  create(facts: FlowFacts): Promise<StatusFlowRow> {
    return this.db.write(async () => {
      await this.lock.lockFlow(STATUS_FLOWS, 'change');
      const now = this.clock.now();
      const flow = MediaStatusFlow.blank({ msf_id: this.ids.next() }, now);
      await this.describe(flow, facts);
      await this.follow(flow, [], facts.msf_active ?? false, facts.remap ?? {});
      await this.once(flow, () => this.flows.insert(flow));
      await this.remaps.startRemap(flow);
      this.audit.record({
        type: STATUSES_AUDIT['media_status_flow.created'],
        target: targetOf(flow),
        ...changesBetween(null, shown(flow)),
      });
      return this.row(flow.msf_id);
    });
  }

  /** Replaces a flow; files in states that are gone go where `remap` says. */
  replace(id: string, facts: FlowFacts, precondition?: Precondition): Promise<StatusFlowRow> {
    return this.db.write(async () => {
      await this.lock.lockFlow(STATUS_FLOWS, 'change');
      const flow = await this.flows.lock(id, precondition);
      const before = shown(flow);
      const followed = flow.msf_active ? flow.msf_scope : [];
      await this.describe(flow, facts);
      await this.follow(flow, followed, facts.msf_active ?? flow.msf_active, facts.remap ?? {});
      flow.touch(this.clock);
      await this.once(flow, () => this.flows.save(flow));
      await this.remaps.startRemap(flow);
      this.audit.record({
        type: STATUSES_AUDIT['media_status_flow.updated'],
        target: targetOf(flow),
        ...changesBetween(before, shown(flow)),
      });
      return this.row(id);
    });
  }

  remove(id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.lock.lockFlow(STATUS_FLOWS, 'change');
      const flow = await this.flows.lock(id, precondition);
      if (flow.msf_active) throw new Problem('invalid_state', 'Files follow this flow. Make another flow active first.');
      await this.flows.remove(flow);
      this.audit.record({
        type: STATUSES_AUDIT['media_status_flow.deleted'],
        target: targetOf(flow),
        ...changesBetween(shown(flow), null),
      });
    });
  }

  private async describe(
    flow: MediaStatusFlow,
    { msf_name, msf_description, msf_scope, msf_states, msf_transitions }: FlowFacts,
  ): Promise<void> {
    const strange = msf_scope.flatMap((type, at): FieldFault[] =>
      (FLOW_SCOPES as readonly string[]).includes(type)
        ? []
        : [{ path: `msf_scope[${at}]`, code: 'choice', message: `must be one of ${FLOW_SCOPES.join(', ')}` }],
    );
    if (strange.length > 0) throw invalidFields(strange);
    assertStatusGraph({ msf_states, msf_transitions });
    await this.assertNamed({ msf_states, msf_transitions });
    Object.assign(flow, {
      msf_name,
      msf_description: msf_description ?? null,
      msf_scope: [...new Set(msf_scope)],
      msf_states,
      msf_transitions,
    });
  }

  /** The repositories of the flow follow it from now on, or none does; `before`: those that followed it until now. */
  private async follow(flow: MediaStatusFlow, before: readonly string[], active: boolean, remap: StatusRemap): Promise<void> {
    flow.msf_active = active;
    const now = active ? flow.msf_scope : [];
    for (const other of active ? await this.flows.listOtherActive(flow.msf_id) : []) await this.yield(other, now);
    await this.remaps.planRemap(flow, { follow: now, leave: before.filter((type) => !now.includes(type)), remap });
  }

  /** Another flow gives up repositories; one that has none left is not active any more. */
  private async yield(other: MediaStatusFlow, types: readonly string[]): Promise<void> {
    const left = other.msf_scope.filter((type) => !types.includes(type));
    if (left.length === other.msf_scope.length) return;
    if (left.length === 0) other.msf_active = false;
    else other.msf_scope = left;
    other.touch(this.clock);
    await this.flows.save(other);
    this.audit.record({
      type: STATUSES_AUDIT['media_status_flow.updated'],
      target: targetOf(other),
      after: { msf_active: other.msf_active, msf_scope: [...other.msf_scope] },
    });
  }

  /** Allowed actors, members who are notified, and groups must exist. */
  private async assertNamed({ msf_transitions }: StatusGraph): Promise<void> {
    const known = await this.actors.findKnownActors({
      users: msf_transitions.flatMap(({ movers, side }) => [...movers.users, ...side.notify]),
      roles: msf_transitions.flatMap(({ movers, side }) => [...movers.roles, ...side.notify]),
    });
    const names = [...new Set(msf_transitions.flatMap(({ required_tags }) => required_tags))];
    const groups = new Set([
      ...(await this.groups.findByName('media', names)).keys(),
      ...(await this.groups.findByName('docs', names)).keys(),
    ]);
    const faults = msf_transitions.flatMap(({ movers, side, required_tags }, at): FieldFault[] => [
      ...unknownActors(`msf_transitions[${at}].movers`, movers, known),
      ...absentFrom(`msf_transitions[${at}].side.notify`, side.notify, {
        exists: (id) => known.users.has(id) || known.roles.has(id),
        kind: 'member or role',
      }),
      ...absentFrom(`msf_transitions[${at}].required_tags`, required_tags, { exists: (name) => groups.has(name), kind: 'tag group' }),
    ]);
    if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  }

  /** What every workspace begins with. */
  private async seed(): Promise<void> {
    const facts = { ...STANDARD_FLOW, msf_id: this.ids.next(), msf_scope: ['media'], msf_active: true };
    await this.flows.insert(MediaStatusFlow.blank(facts, this.clock.now()));
  }

  private async row(id: string): Promise<StatusFlowRow> {
    const row = await this.flows.findFlowRow(id);
    if (!row) throw notFound('media status flow');
    return row;
  }

  private async once(flow: MediaStatusFlow, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw violatesConstraint(error, NAME_ONCE)
        ? alreadyExists('msf_name', `A status flow named ${flow.msf_name} already exists.`)
        : error;
    }
  }
}

const targetOf = ({ msf_id, msf_name }: MediaStatusFlow): { type: string; id: string; name: string } => ({
  type: 'media_status_flow',
  id: msf_id,
  name: msf_name,
});

const shown = ({ msf_name, msf_description, msf_scope, msf_active, msf_states, msf_transitions }: MediaStatusFlow): object => ({
  msf_name,
  msf_description,
  msf_scope: [...msf_scope],
  msf_active,
  msf_states,
  msf_transitions,
});
