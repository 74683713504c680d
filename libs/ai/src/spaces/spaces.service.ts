import { Injectable } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, sql, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidFields, type FieldFault, type JsonObject } from '@atrium/platform/kernel';
import { Outbox, planJob } from '@atrium/platform/messaging';
import { AgentAccess } from '../agents/application/agent-access';
import { KnownReferences, plainIds } from '../agents/application/known-references';
import { ThreadAccessSignals } from '../events/thread-access-signals';
import { DeletedSpaceRows } from './deleted-spaces.rows';
import { SpaceAccess } from './space-access';
import { SpaceMembersRepository } from './space-members.repository';
import { THREADS_AT_ONCE } from './space-retention';
import { Space } from './space';
import { withdrawThreads } from './spaces.jobs';
import { SpacesRepository, type SpaceRow, type SpaceSummary } from './spaces.repository';

/** What a client says of a space. */
export interface SpaceFacts {
  readonly space_name?: string;
  readonly space_description?: string | null;
  readonly space_icon?: string | null;
  readonly space_instructions?: string | null;
  readonly space_agent?: string | null;
  readonly space_knowledge?: readonly string[];
  readonly space_color?: string | null;
  readonly space_metadata?: JsonObject;
}

export interface SpaceFilters extends ListParameters {
  readonly all?: boolean;
  readonly space_active?: boolean;
}

/** A space as answers show it: to its members in full, to others by its name and the number of its members. */
export type SpaceAnswer = Omit<SpaceRow, 'space_created' | 'space_updated'> &
  Pick<SpaceSummary, 'space_member_count' | 'space_role'> & {
    readonly space_thread_count: number | null;
    readonly space_created: Date | null;
    readonly space_updated: Date | null;
  };

export type VersionedSpaceAnswer = SpaceAnswer & { readonly row_version: number };

/** Spaces as such: what they are called, and what answers in them follow and use. */
@Injectable()
export class SpacesService {
  constructor(
    private readonly db: Database,
    private readonly spaces: SpacesRepository,
    private readonly deleted: DeletedSpaceRows,
    private readonly members: SpaceMembersRepository,
    private readonly access: SpaceAccess,
    private readonly agents: AgentAccess,
    private readonly references: KnownReferences,
    private readonly signals: ThreadAccessSignals,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The spaces that the caller is in; `all` is for administrators of people, who see of the others the names and the numbers of members. */
  list(caller: Principal, { all = false, space_active = true, ...query }: SpaceFilters): Promise<Page<SpaceAnswer>> {
    return this.db.read(async () => {
      const needed = all ? 'admin:users' : 'space:view';
      if (!caller.permissions.has(needed)) throw permissionDenied([needed]);
      // The spaces that come with the caller are the active ones.
      const own = space_active ? sql`r.space_id = ANY(${[...caller.space_ids]}::uuid[])` : this.spaces.membershipCondition(caller);
      const findable = space_active ? sql`true` : await this.access.findableCondition();
      const page = await this.spaces.listSpaces(query, sql`r.space_active = ${space_active} AND ${findable} AND ${all ? sql`true` : own}`);
      return { ...page, data: await this.complete(caller, page.data) };
    });
  }

  get(caller: Principal, space_id: string): Promise<VersionedSpaceAnswer> {
    return this.db.read(async () => this.answer(caller, await this.access.requireSpace(caller, space_id, 'viewer')));
  }

  create(caller: Principal, facts: SpaceFacts & { readonly space_name: string }): Promise<VersionedSpaceAnswer> {
    return this.named(() =>
      this.db.write(async () => {
        const space = this.blank(caller, facts.space_name);
        await this.apply(caller, space, facts);
        await this.spaces.insert(space);
        await this.members.insertMember({
          sm_space: space.space_id,
          sm_principal_type: 'user',
          sm_principal: caller.user_id,
          sm_role: 'owner',
          sm_created: space.space_created,
          sm_created_by: caller.user_id,
        });
        this.outbox.emitEvent({ name: 'space.created', subject_id: space.space_id, payload: { space_name: space.space_name } });
        return this.answer(caller, space);
      }),
    );
  }

  change(caller: Principal, space_id: string, facts: SpaceFacts, precondition?: Precondition): Promise<VersionedSpaceAnswer> {
    return this.named(() =>
      this.db.write(async () => {
        const space = await this.access.lockSpace(caller, space_id, 'editor', precondition);
        await this.apply(caller, space, facts);
        space.touch(this.clock);
        await this.spaces.save(space);
        this.outbox.emitEvent({ name: 'space.updated', subject_id: space_id, payload: { changed: Object.keys(facts) } });
        return this.answer(caller, space);
      }),
    );
  }

  /**
   * Its threads are their owners' alone from then on, for a deleted space opens nothing; streams of everybody else end. Where they
   * are many, the rest of them is withdrawn in the background.
   */
  remove(caller: Principal, space_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const space = await this.access.lockToDelete(caller, space_id, precondition);
      if (!space) return;
      space.deactivate(this.clock);
      await this.spaces.save(space);
      const withdrawn = await this.deleted.withdrawThreads(space_id, THREADS_AT_ONCE);
      if (withdrawn === THREADS_AT_ONCE) this.outbox.addJob(planJob(withdrawThreads, { space_id }));
      this.signals.signalChange({ space_id });
      this.outbox.emitEvent({ name: 'space.deleted', subject_id: space_id, payload: { space_name: space.space_name } });
    });
  }

  private async answer(caller: Principal, space: Space): Promise<VersionedSpaceAnswer> {
    const { tenant_id: _, ...row } = space;
    const summary = (await this.spaces.findSummaries(caller, [space.space_id])).get(space.space_id);
    return { ...row, space_member_count: 0, space_thread_count: 0, space_role: null, ...summary };
  }

  private async complete(caller: Principal, rows: readonly SpaceRow[]): Promise<SpaceAnswer[]> {
    if (rows.length === 0) return [];
    const summaries = await this.spaces.findSummaries(
      caller,
      rows.map(({ space_id }) => space_id),
    );
    const mayView = caller.permissions.has('space:view');
    return rows.map((row) => {
      const answer = { ...row, space_member_count: 0, space_thread_count: 0, space_role: null, ...summaries.get(row.space_id) };
      return answer.space_role === null || !mayView ? { ...answer, ...UNSEEN } : answer;
    });
  }

  private blank({ user_id }: Principal, space_name: string): Space {
    const now = this.clock.now();
    return Space.blank({ space_id: this.ids.next(), space_name, space_user: user_id }, now);
  }

  private async apply(caller: Principal, space: Space, entered: SpaceFacts): Promise<void> {
    const facts = withPlainIds(entered);
    const { space_agent, space_icon, space_knowledge } = facts;
    const faults: FieldFault[] = [
      ...(space_agent && space_agent !== space.space_agent && !(await this.agents.findUsable(caller, space_agent))
        ? [{ path: 'space_agent', code: 'reference', message: 'is not an active agent that you can view' }]
        : []),
      ...(space_icon === undefined || space_icon === space.space_icon
        ? []
        : await this.references.checkIcon(caller, 'space_icon', space_icon)),
      ...(space_knowledge
        ? await this.references.checkKnowledge(caller, { field: 'space_knowledge', ids: space_knowledge, kept: space.space_knowledge })
        : []),
    ];
    if (faults.length > 0) throw invalidFields(faults);
    Object.assign(space, facts);
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violatesConstraint(error, 'space_name_taken'))
        throw alreadyExists('space_name', 'An active space with this name already exists. Choose another name.');
      throw error;
    }
  }
}

const withPlainIds = ({ space_agent, space_knowledge, ...facts }: SpaceFacts): SpaceFacts => ({
  ...facts,
  ...(space_agent === undefined ? {} : { space_agent: space_agent?.toLowerCase() ?? null }),
  ...(space_knowledge ? { space_knowledge: plainIds(space_knowledge) } : {}),
});

/** What those who are not in a space do not see of it. */
const UNSEEN = {
  space_description: null,
  space_icon: null,
  space_instructions: null,
  space_agent: null,
  space_knowledge: [],
  space_color: null,
  space_user: null,
  space_metadata: {},
  space_created: null,
  space_updated: null,
  space_thread_count: null,
} as const;
