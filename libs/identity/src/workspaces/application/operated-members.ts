import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, enterWorkspace } from '@atrium/platform/database';
import { invalidField, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { normalEmail } from '../../shared/domain/email';
import { noSuchWorkspace } from '../domain/workspace-life';
import { UsersRepository } from '../../people/infrastructure/users.repository';
import { Passwords } from '../../sign-in/infrastructure/passwords';
import { OperatedMemberRows, type MemberLine } from '../infrastructure/operated-member.rows';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { Escalation } from '../../roles/application/escalation';
import { KEY_AUDIT } from '../../keys/application/keys.audit';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { WORKSPACES_AUDIT } from './workspaces.audit';

/** Members and keys of a workspace in the hands of an operator at the command line, where nobody inside can help. */
@Injectable()
export class OperatedMembers {
  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly members: OperatedMemberRows,
    private readonly users: UsersRepository,
    private readonly escalation: Escalation,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  listMembers(ws_id: string): Promise<MemberLine[]> {
    return this.within(ws_id, () => this.members.listMembers(ws_id));
  }

  /** Gives a member exactly these roles, each by its key or name; an owner remains. */
  setRoles(ws_id: string, user_email: string, roles: readonly string[]): Promise<{ user_id: string; roles: readonly string[] }> {
    return this.within(ws_id, () =>
      this.escalation.runWithOwnerRemaining(async () => {
        const { user_id, user_name } = await this.member(ws_id, user_email);
        const known = await this.members.findNamedRoles(ws_id, roles);
        const unknown = roles.find((name) => !known.some((role) => role.name === name));
        if (unknown) throw invalidField('role', `${unknown} is not a role of the workspace`, 'reference');
        const before = await this.members.listRoleNames(ws_id, user_id);
        const wanted = known.map(({ role_id }) => role_id);
        await this.members.deleteOtherRoles(ws_id, user_id, wanted);
        await this.members.insertRoles(ws_id, user_id, wanted);
        const after = await this.members.listRoleNames(ws_id, user_id);
        this.audit.record({
          type: WORKSPACES_AUDIT['workspace.roles_set'],
          target: { type: 'user', id: user_id, name: user_name },
          before: { roles: before },
          after: { roles: after },
        });
        this.outbox.emitEvent({ name: 'user.updated', subject_id: user_id, payload: { changed: ['user_roles'] } });
        return { user_id, roles: after };
      }),
    );
  }

  /** A new password for a member, whom the operator vouches for; whatever was begun for the account ends, with every session and the keys the person made. */
  async resetPassword(ws_id: string, user_email: string, password: string): Promise<{ user_id: string }> {
    await this.passwords.assertStrong(password, [user_email]);
    const hash = await this.passwords.hashPassword(password);
    const done = await this.within(ws_id, async () => {
      const { user_id, user_name } = await this.member(ws_id, user_email);
      if (!(await this.members.vouchPassword(user_id, hash))) throw new Problem('invalid_state', 'The account is locked.');
      this.audit.record({ type: WORKSPACES_AUDIT['workspace.password_reset'], target: { type: 'user', id: user_id, name: user_name } });
      return { user_id };
    });
    await this.throttle.reopenAccount({ account: normalEmail(user_email), address: undefined });
    return done;
  }

  /** Takes the second factor of a member away. */
  disableMfa(ws_id: string, user_email: string): Promise<{ user_id: string }> {
    return this.within(ws_id, async () => {
      const { user_id, user_name } = await this.member(ws_id, user_email);
      if (!(await this.users.disableMfa(user_id))) throw new Problem('invalid_state', 'The person has no second factor.');
      this.audit.record({ type: WORKSPACES_AUDIT['workspace.mfa_disabled'], target: { type: 'user', id: user_id, name: user_name } });
      return { user_id };
    });
  }

  /** Ends a key, named by its id or the beginning that lists show (`atk_…`). */
  revokeKey(ws_id: string, key: string): Promise<{ key_id: string }> {
    return this.within(ws_id, async () => {
      const row = await this.members.revokeKey(ws_id, key);
      if (!row) throw new Problem('not_found', 'The workspace has no such active API key.');
      this.audit.record({ type: KEY_AUDIT['api_key.revoked'], target: { type: 'api_key', id: row.key_id, name: row.key_name } });
      this.outbox.emitEvent({ name: 'api_key.revoked', subject_id: row.key_id, payload: { key_name: row.key_name, reason: 'user' } });
      return { key_id: row.key_id };
    });
  }

  private async member(ws_id: string, user_email: string): Promise<{ user_id: string; user_name: string }> {
    const row = await this.members.lockMember(ws_id, normalEmail(user_email));
    if (!row) throw new Problem('not_found', `${user_email} is not a member of the workspace.`);
    return row;
  }

  private within<T>(ws_id: string, work: () => Promise<T>): Promise<T> {
    return enterWorkspace(ws_id, () =>
      this.db.write(async () => {
        if (!(await this.rows.findCurrentWorkspace())) throw noSuchWorkspace();
        return work();
      }),
    );
  }
}
