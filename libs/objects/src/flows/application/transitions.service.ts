import { Injectable } from '@nestjs/common';
import { commentFor, FlowLock, leadsFrom, namedByActions, mayTransition, transitionsFrom } from '@atrium/approvals';
import { FormRows, Forms } from '@atrium/forms';
import { ACL_LEVELS, aclLevel, assertAclLevel, permissionDenied, type Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page } from '@atrium/platform/database';
import {
  accessDenied,
  assertExact,
  invalidField,
  invalidState,
  notFound,
  Problem,
  type FieldFault,
  type JsonObject,
  newId,
} from '@atrium/platform/kernel';
import { ActingCallers, KnownMembers, Mail } from '@atrium/identity';
import { DeletedObjects } from '../../objects/application/deleted-objects';
import { ObjectList, type VersionedObject } from '../../objects/application/object-list';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';
import type { FollowedLifecycle, LifecycleState, LifecycleTransition, NotifyAction } from '../domain/lifecycle-flow';
import { LifecycleFlowsRepository, OBJECT_FLOWS } from '../infrastructure/lifecycle-flows.repository';
import { TransitionRecords, type TransitionRecordRow } from '../infrastructure/transition-records.rows';
import { stateIn } from './followed-flow';
import { StateMoves } from './state-moves';
import { TransitionNeeds } from './transition-needs';

const MOST_NOTIFIED = 100;

/** A move that people are notified of. */
export interface NotifiedMove {
  readonly object: Pick<WorkspaceObject, 'obj_name' | 'obj_acl' | 'obj_created_by'>;
  /** What the new state is called. */
  readonly state: string;
  readonly comment: string | null;
  readonly actions: readonly NotifyAction[];
}

export type { TransitionRecordRow };

/** What a client says of a move. */
export interface TransitionWish {
  readonly transition: string;
  readonly comment?: string | null;
  readonly obj_content?: JsonObject;
}

/** A transition that the caller may make, and what it still lacks. */
export type OpenTransition = Pick<LifecycleTransition, 'key' | 'name' | 'to' | 'comment' | 'require_fields'> & {
  readonly blocked_by: readonly FieldFault[];
};

interface CurrentState {
  readonly flow: FollowedLifecycle;
  readonly state: LifecycleState;
}

const NOUN = 'object';

/** Moves objects along their flows: by a transition from their state that the caller may make, when everything it needs is there. */
@Injectable()
export class TransitionsService {
  constructor(
    private readonly db: Database,
    private readonly flows: LifecycleFlowsRepository,
    private readonly lock: FlowLock,
    private readonly store: ObjectStore,
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly needs: TransitionNeeds,
    private readonly moves: StateMoves,
    private readonly records: TransitionRecords,
    private readonly objects: ObjectList,
    private readonly deleted: DeletedObjects,
    private readonly members: KnownMembers,
    private readonly callers: ActingCallers,
    private readonly mail: Mail,
  ) {}

  /** What the caller may do with the object now; nothing where it follows no active flow or was deleted. */
  listOpenTransitions(caller: Principal, obj_id: string): Promise<readonly OpenTransition[]> {
    return this.db.read(async () => {
      const object = await this.readable(caller, obj_id);
      const standing = object.obj_active && (await this.findCurrentState(object));
      if (!standing) return [];
      const form = await this.rows.openForm('object', object.obj_form);
      const { obj_content } = object;
      return transitionsFrom(standing.flow.olf_transitions, standing.state.key)
        .filter(({ movers }) => mayTransition(caller, movers, relationOf(caller, object)))
        .map((transition) => {
          const { key, name, to, comment } = transition;
          const require_fields = this.needs.listShownFields(caller, form, transition);
          const judged = { content: obj_content, previous: obj_content, state: standing.state.key };
          return { key, name, to, comment, require_fields, blocked_by: this.needs.findUnmetNeeds(caller, form, transition, judged) };
        });
    });
  }

  /** The row is locked while that is decided, so of two callers the second finds the state that the first one set. */
  applyTransition(caller: Principal, obj_id: string, wish: TransitionWish): Promise<VersionedObject> {
    return this.db.write(async () => {
      await this.lock.lockFlow(OBJECT_FLOWS, 'move');
      const object = await this.store.lock(obj_id, undefined, (row) => this.assertReadable(caller, row));
      const standing = await this.findCurrentState(object);
      if (standing) assertActor(caller, object, standing, wish);
      this.store.assertActive(object);
      if (!standing) throw invalidState('The object does not follow an active lifecycle flow.');
      const transition = chosen(standing, wish.transition);
      if (!leadsFrom(transition, standing.state.key))
        throw invalidState(`The transition ${transition.name} does not start in the current state of the object, ${standing.state.name}.`);
      const comment = commentFor(transition, wish.comment);
      await this.assertNeeds(caller, object, { ...standing, transition, ...contentOf(wish) });
      const to = { flow_id: standing.flow.olf_id, state: transition.to };
      await this.moves.applyMoves([{ object, to, ...contentOf(wish) }], { by: caller, transition: transition.key, comment });
      await this.sendNotices(caller, { object, state: nameOf(standing, transition.to), comment, actions: transition.actions });
      return this.objects.readObject(caller, obj_id);
    });
  }

  listHistory(caller: Principal, obj_id: string, query: ListParameters): Promise<Page<TransitionRecordRow>> {
    return this.db.read(async () => {
      await this.readable(caller, obj_id);
      return this.records.listRecords(obj_id, query);
    });
  }

  private async readable(caller: Principal, obj_id: string): Promise<WorkspaceObject> {
    const object = await this.store.findRow(obj_id);
    if (!object) throw notFound(NOUN);
    await this.assertReadable(caller, object);
    return object;
  }

  private async assertReadable(caller: Principal, object: WorkspaceObject): Promise<void> {
    await this.deleted.assertFindable(object);
    assertAclLevel(object.obj_acl, caller, 'view', NOUN);
  }

  /** The active flow that the object entered, and its state in it. */
  private async findCurrentState({ obj_flow, obj_status }: WorkspaceObject): Promise<CurrentState | null> {
    if (obj_flow === null || obj_status === null) return null;
    const flow = (await this.flows.findFlows([obj_flow])).get(obj_flow);
    const state = flow && stateIn(flow, obj_status);
    return flow?.olf_active && state ? { flow, state } : null;
  }

  /** Refuses a move whose content may not be written, or that lacks something: judged by the content as it would be stored. */
  private async assertNeeds(
    caller: Principal,
    object: WorkspaceObject,
    { state, transition, obj_content }: CurrentState & { readonly transition: LifecycleTransition; readonly obj_content?: JsonObject },
  ): Promise<void> {
    const form = await this.rows.openForm('object', object.obj_form, 'share');
    const previous = object.obj_content;
    if (obj_content !== undefined) {
      assertExact('obj_content', obj_content);
      if (state.locked)
        throw invalidState(`The content cannot be changed in the state ${state.name}. Move the object to another state first.`);
    }
    const content =
      obj_content === undefined
        ? previous
        : await this.forms.validateContent(form.compiled, obj_content, {
            mode: 'update',
            previous,
            owner_id: object.obj_id,
            at: 'obj_content',
            state: transition.to,
            actor: caller,
          });
    const unmet = this.needs.findUnmet(caller, form, transition, { content, previous, state: state.key });
    const [first] = unmet;
    if (first)
      throw new Problem(
        'unprocessable_content',
        unmet.length === 1 ? first.message : 'The object does not meet the requirements of the transition; see errors.',
        {
          errors: unmet,
        },
      );
  }

  /** Mails to those whom a transition names, within the unit of work of the move: never to the person who makes it, nor to those who may not read the object. */
  private async sendNotices(caller: Principal, { object, state, comment, actions }: NotifiedMove): Promise<void> {
    const named = namedByActions(actions, object.obj_created_by);
    if (named.length === 0 || !this.mail.configured) return;
    const people = (await this.members.resolveAddressees(named, MOST_NOTIFIED)).filter(({ user_id }) => user_id !== caller.user_id);
    const readers = await this.callers.resolveMemberPrincipals(people.map(({ user_id }) => user_id));
    const mover = (await this.members.nameOf(caller.user_id)) ?? '';
    const move = newId();
    for (const { user_id, user_email, user_locale, ws_name } of people) {
      const reader = readers.get(user_id);
      if (!reader?.permissions.has('object:view') || aclLevel(object.obj_acl, reader) === 0) continue;
      this.mail.queueMail({
        template: 'object_state',
        to: user_email,
        user_id,
        locale: user_locale,
        key: `object-state.${move}.${user_id}`,
        vars: { ws_name, mover, object: object.obj_name, state, comment: comment ?? '' },
      });
    }
  }
}

const contentOf = ({ obj_content }: TransitionWish): { readonly obj_content?: JsonObject } =>
  obj_content === undefined ? {} : { obj_content };

/** What the caller is to the object. */
const relationOf = (caller: Principal, object: Pick<WorkspaceObject, 'obj_acl' | 'obj_created_by'>) => ({
  editor: caller.permissions.has('object:edit') && (aclLevel(object.obj_acl, caller) ?? ACL_LEVELS.edit) >= ACL_LEVELS.edit,
  creator: object.obj_created_by !== null && object.obj_created_by === caller.user_id,
});

function chosen({ flow }: CurrentState, key: string): LifecycleTransition {
  const transition = flow.olf_transitions.find((one) => one.key === key);
  if (!transition) throw invalidField('transition', `is not a transition of the flow ${flow.olf_name}`, 'reference');
  return transition;
}

/**
 * Whether the caller may make the transition, whatever became of the object. Allowed actors who may not edit the object fill in what the
 * transition requires, and nothing else.
 */
function assertActor(
  caller: Principal,
  object: WorkspaceObject,
  { flow }: CurrentState,
  { transition: key, obj_content }: TransitionWish,
): void {
  const transition = flow.olf_transitions.find((one) => one.key === key);
  if (!transition) return;
  const relation = relationOf(caller, object);
  if (!mayTransition(caller, transition.movers, relation))
    throw accessDenied(
      `You are not allowed to make the transition ${transition.name}. GET /objects/{id}/transitions lists those you can make.`,
    );
  if (!relation.editor && !Object.keys(obj_content ?? {}).every((field) => transition.require_fields.includes(field)))
    throw permissionDenied(['object:edit']);
}

const nameOf = ({ flow }: CurrentState, key: string): string => flow.olf_states.find((state) => state.key === key)?.name ?? key;
