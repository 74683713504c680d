import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, PermissionSet, type Changes, type Permission, type Principal } from '@atrium/platform/access';
import { Database, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, invalidField, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { User } from '../domain/user';
import { InvitationsRepository } from '../infrastructure/invitations.repository';
import { UsersRepository, type UserFilters, type UserRow } from '../infrastructure/users.repository';
import { Escalation } from '../../roles/application/escalation';
import { assertSeat, identityTaken } from './member-faults';
import { PEOPLE_AUDIT } from './people.audit';

export type { UserRow } from '../infrastructure/users.repository';

export interface UserChanges {
  readonly user_name?: string;
  readonly user_title?: string | null;
  readonly user_roles?: readonly string[];
  readonly user_metadata?: JsonObject;
  readonly user_external_id?: string | null;
}

/** A member with the details of a single read. */
export type UserDetail = UserRow & {
  readonly row_version: number;
  readonly user_session_count: number;
  readonly user_key_count: number;
  readonly permissions: readonly Permission[];
};

/**
 * Members as administrators see and change them. What may cost somebody the owner role runs in `runWithOwnerRemaining`, which
 * locks the workspace before any member, as every other change of who is in does.
 */
@Injectable()
export class UsersService {
  constructor(
    private readonly db: Database,
    private readonly users: UsersRepository,
    private readonly invitations: InvitationsRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  list(query: UserFilters): Promise<Page<UserRow>> {
    return this.db.read(() => this.users.listUsers(query));
  }

  get(id: string): Promise<UserDetail> {
    return this.db.read(() => this.read(id));
  }

  change(caller: Principal, id: string, wanted: UserChanges, precondition?: Precondition): Promise<UserDetail> {
    return this.db.write(async () => {
      const apply = (): Promise<void> => this.apply(caller, id, wanted, precondition);
      await (wanted.user_roles === undefined ? apply() : this.escalation.runWithOwnerRemaining(apply));
      return this.read(id);
    });
  }

  suspend(caller: Principal, id: string, reason: string | null): Promise<UserDetail> {
    this.escalation.assertNotSelf(caller, id);
    return this.db.write(async () => {
      await this.escalation.runWithOwnerRemaining(async () => {
        const user = await this.lockFor(caller, id);
        const before = user.user_status;
        user.suspend();
        await this.save(user);
        this.tell(user, 'user.suspended', { before: { user_status: before }, after: { user_status: user.user_status }, reason });
      });
      return this.read(id);
    });
  }

  reactivate(caller: Principal, id: string, reason: string | null): Promise<UserDetail> {
    return this.db.write(async () => {
      const { ws_seat_limit } = await this.users.lockEntrance(null);
      const user = await this.lockFor(caller, id);
      const before = user.user_status;
      user.reactivate();
      if (user.user_kind === 'person') assertSeat({ ws_seat_limit, taken: ws_seat_limit === null ? 0 : await this.users.countSeats() });
      await this.save(user);
      this.tell(user, 'user.reactivated', { before: { user_status: before }, after: { user_status: user.user_status }, reason });
      return this.read(id);
    });
  }

  remove(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    this.escalation.assertNotSelf(caller, id);
    return this.db.write(() =>
      this.escalation.runWithOwnerRemaining(async () => {
        const user = await this.users.lock(id, precondition);
        await this.escalation.assertMayChange(caller, id);
        if (user.user_status === 'removed') return;
        user.assertEditable();
        await this.end(user, caller.user_id);
      }),
    );
  }

  leaveWorkspace(caller: Principal): Promise<void> {
    return this.db.write(() =>
      this.escalation.runWithOwnerRemaining(async () => this.end(await this.users.lock(caller.user_id), caller.user_id)),
    );
  }

  withdrawInvitation(caller: Principal, id: string): Promise<void> {
    return this.db.write(() =>
      this.escalation.runWithOwnerRemaining(async () => {
        const user = await this.users.lock(id);
        await this.escalation.assertMayChange(caller, id);
        if (user.user_status === 'removed') return;
        user.assertEditable();
        user.assertInvited();
        await this.end(user, caller.user_id);
      }),
    );
  }

  endSessions(caller: Principal, id: string): Promise<{ revoked: number }> {
    return this.db.write(async () => {
      const user = await this.lockFor(caller, id);
      const revoked = await this.users.endSessions(id);
      this.audit.record({ type: PEOPLE_AUDIT['user.sessions_ended'], target: target(user), after: { revoked } });
      return { revoked };
    });
  }

  disableMfa(caller: Principal, id: string): Promise<void> {
    return this.db.write(async () => {
      const user = await this.lockFor(caller, id);
      if (user.user_status === 'invited')
        throw new Problem('invalid_state', 'The person has not joined the workspace yet. Only they can change their account.');
      if ((await this.users.countMembershipsElsewhere(id)) > 0)
        throw new Problem('in_use', 'The person also belongs to another workspace, which may require the second factor.');
      if (await this.users.disableMfa(id))
        this.audit.record({
          type: PEOPLE_AUDIT['user.mfa_disabled'],
          target: target(user),
          before: { user_mfa: true },
          after: { user_mfa: false },
        });
    });
  }

  private async apply(caller: Principal, id: string, { user_roles, ...facts }: UserChanges, precondition?: Precondition): Promise<void> {
    const user = await this.lockFor(caller, id, precondition);
    const before = factsOf(user);
    Object.assign(user, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
    const roles = user_roles === undefined ? { before: {}, after: {} } : await this.assign(caller, id, user_roles);
    const change = changesBetween({ ...before, ...roles.before }, { ...factsOf(user), ...roles.after });
    const changed = Object.keys(change.after ?? {});
    if (changed.length === 0) return;
    await this.save(user).catch((error: unknown) => {
      throw identityTaken(error, user);
    });
    this.tell(user, 'user.updated', change, { changed });
  }

  /** E1 for every role that is new; those that are taken away are within the caller's reach, since the member is. */
  private async assign(
    caller: Principal,
    id: string,
    wanted: readonly string[],
  ): Promise<{ readonly before: object; readonly after: object }> {
    const before = ((await this.users.findRolesOfUsers([id])).get(id) ?? []).map((role) => role.role_id);
    const after = [...new Set(wanted.map((role) => role.toLowerCase()))];
    const grants = await this.users.findGrantsOfRoles(after);
    const unknown = wanted.findIndex((role) => !grants.has(role.toLowerCase()));
    if (unknown >= 0) throw invalidField(`user_roles[${unknown}]`, 'must be a role of this workspace', 'reference');
    await this.escalation.assertGrants(
      caller,
      after.filter((role) => !before.includes(role)).flatMap((role) => grants.get(role) ?? []),
    );
    await this.users.setRoles(id, after);
    return { before: { user_roles: before.sort() }, after: { user_roles: after.sort() } };
  }

  /** Everything of the membership ends but the row and what the person made. */
  private async end(user: User, by: string): Promise<void> {
    const before = user.user_status;
    await this.users.endSessions(user.user_id);
    user.remove();
    await this.save(user);
    await this.users.setRoles(user.user_id, []);
    await this.invitations.endOpenInvitation(user.user_id, 'revoked');
    const keys = await this.users.revokeKeys(user.user_id, by);
    for (const key_id of keys)
      this.outbox.emitEvent({ name: 'api_key.revoked', subject_id: key_id, payload: { key_revoke_reason: 'owner_removed' } });
    this.tell(user, 'user.removed', { before: { user_status: before }, after: { user_status: 'removed', keys_revoked: keys.length } });
  }

  /** The member locked for a change by somebody who reaches that far (E2). */
  private async lockFor(caller: Principal, id: string, precondition?: Precondition): Promise<User> {
    const user = await this.users.lock(id, precondition);
    user.assertEditable();
    await this.escalation.assertMayChange(caller, id);
    return user;
  }

  private async save(user: User): Promise<void> {
    user.touch(this.clock);
    await this.users.save(user);
  }

  private tell(
    user: User,
    type: 'user.updated' | 'user.suspended' | 'user.reactivated' | 'user.removed',
    change: Changes & { readonly reason?: string | null },
    payload: JsonObject = {},
  ): void {
    this.outbox.emitEvent({ name: type, subject_id: user.user_id, payload });
    this.audit.record({ type: PEOPLE_AUDIT[type], target: target(user), ...change });
  }

  private async read(id: string): Promise<UserDetail> {
    const user = await this.users.findUserDetail(id);
    if (!user) throw notFound('user');
    return { ...user, permissions: PermissionSet.of(await this.escalation.listGrantsOfUsers(id)).list() };
  }
}

const target = ({ user_id, user_name }: User) => ({ type: 'user', id: user_id, name: user_name });

/** What administrators change of a member. */
const factsOf = ({ user_name, user_title, user_metadata, user_external_id }: User): object => ({
  user_name,
  user_title,
  user_metadata,
  user_external_id,
});
