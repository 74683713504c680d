import { Injectable } from '@nestjs/common';
import { ActingCallers, KnownMembers, Mail } from '@atrium/identity';
import { aclLevel, type Principal } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import type { NotifyAction } from '../domain/lifecycle-flow';

const MOST_NOTIFIED = 100;

/** A move that people are notified of. */
export interface NotifiedMove {
  readonly object: Pick<WorkspaceObject, 'obj_name' | 'obj_acl' | 'obj_created_by'>;
  /** What the new state is called. */
  readonly state: string;
  readonly comment: string | null;
  readonly actions: readonly NotifyAction[];
}

/** Mails to those whom a transition names, within the unit of work of the move: never to the person who makes it, nor to those who may not read the object. */
@Injectable()
export class TransitionNotices {
  constructor(
    private readonly members: KnownMembers,
    private readonly callers: ActingCallers,
    private readonly mail: Mail,
  ) {}

  async send(caller: Principal, { object, state, comment, actions }: NotifiedMove): Promise<void> {
    const ids = new Set(actions.flatMap(({ users, roles, creator }) => [...users, ...roles, ...(creator ? [object.obj_created_by] : [])]));
    const named = [...ids].filter((id) => id !== null);
    if (named.length === 0 || !this.mail.configured) return;
    const people = (await this.members.addressees(named, MOST_NOTIFIED)).filter(({ user_id }) => user_id !== caller.user_id);
    const readers = await this.callers.among(people.map(({ user_id }) => user_id));
    const mover = (await this.members.nameOf(caller.user_id)) ?? '';
    const move = newId();
    for (const { user_id, user_email, user_locale, ws_name } of people) {
      const reader = readers.get(user_id);
      if (!reader?.permissions.has('object:view') || aclLevel(object.obj_acl, reader) === 0) continue;
      this.mail.send({
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
