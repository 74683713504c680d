import { Injectable } from '@nestjs/common';
import { Audit } from '@atrium/platform/access';
import { Database, enterWorkspace, sql } from '@atrium/platform/database';
import { invalidField, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { normalEmail } from '../../shared/domain/email';
import { noSuchWorkspace } from '../domain/workspace-life';
import { Passwords } from '../../sign-in/infrastructure/passwords';
import { WorkspaceLifeRows } from '../infrastructure/workspace-life.rows';
import { Escalation } from '../../roles/application/escalation';
import { KEY_AUDIT } from '../../keys/application/keys.audit';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { WORKSPACES_AUDIT } from './workspaces.audit';

export interface MemberLine {
  readonly user_id: string;
  readonly user_email: string | null;
  readonly user_name: string;
  readonly user_kind: string;
  readonly user_status: string;
  readonly roles: readonly string[];
}

/** Members and keys of a workspace in the hands of an operator at the command line, where nobody inside can help. */
@Injectable()
export class OperatedMembers {
  constructor(
    private readonly db: Database,
    private readonly rows: WorkspaceLifeRows,
    private readonly escalation: Escalation,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  listMembers(ws_id: string): Promise<MemberLine[]> {
    return this.within(ws_id, () =>
      this.db.current().query<MemberLine & Record<string, unknown>>(
        sql`SELECT u.user_id, u.user_email, u.user_name, u.user_kind, u.user_status,
                   ARRAY(SELECT coalesce(r.role_key, r.role_name) FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = u.tenant_id AND l.user_id = u.user_id ORDER BY 1) AS roles
            FROM workspace_user u WHERE u.tenant_id = ${ws_id} AND u.user_status <> 'removed' ORDER BY u.user_created, u.user_id`,
      ),
    );
  }

  /** Gives a member exactly these roles, each by its key or name; an owner remains. */
  setRoles(ws_id: string, user_email: string, roles: readonly string[]): Promise<{ user_id: string; roles: readonly string[] }> {
    return this.within(ws_id, () =>
      this.escalation.withOwnerRemaining(async () => {
        const tx = this.db.current();
        const { user_id, user_name } = await this.member(ws_id, user_email);
        const known = await tx.query<{ role_id: string; name: string }>(
          sql`SELECT role_id, w.name FROM unnest(${[...roles]}::text[]) w (name) JOIN role ON tenant_id = ${ws_id} AND (role_key = w.name OR folded(role_name) = folded(w.name))`,
        );
        const unknown = roles.find((name) => !known.some((role) => role.name === name));
        if (unknown) throw invalidField('role', `${unknown} is not a role of the workspace`, 'reference');
        const before = await this.rolesOf(ws_id, user_id);
        const wanted = known.map(({ role_id }) => role_id);
        await tx.execute(
          sql`DELETE FROM user_role_link WHERE tenant_id = ${ws_id} AND user_id = ${user_id} AND role_id <> ALL (${wanted}::uuid[])`,
        );
        await tx.execute(
          sql`INSERT INTO user_role_link (tenant_id, user_id, role_id) SELECT ${ws_id}::uuid, ${user_id}::uuid, r FROM unnest(${wanted}::uuid[]) r ON CONFLICT DO NOTHING`,
        );
        const after = await this.rolesOf(ws_id, user_id);
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
      const tx = this.db.current();
      const done = await tx.first<{ done: boolean }>(sql`SELECT auth_vouch_password(${user_id}::uuid, ${hash}) AS done`);
      if (!done?.done) throw new Problem('invalid_state', 'The account is locked.');
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
      const done = await this.db.current().first<{ off: boolean }>(sql`SELECT auth_mfa_off(${user_id}::uuid) AS off`);
      if (!done?.off) throw new Problem('invalid_state', 'The person has no second factor.');
      this.audit.record({ type: WORKSPACES_AUDIT['workspace.mfa_disabled'], target: { type: 'user', id: user_id, name: user_name } });
      return { user_id };
    });
  }

  /** Ends a key, named by its id or the beginning that lists show (`atk_…`). */
  revokeKey(ws_id: string, key: string): Promise<{ key_id: string }> {
    return this.within(ws_id, async () => {
      const row = await this.db.current().first<{ key_id: string; key_name: string }>(
        sql`UPDATE api_key SET key_revoked_at = now(), key_revoke_reason = 'user', key_updated = now(), row_version = row_version + 1
            WHERE tenant_id = ${ws_id} AND (key_id::text = ${key.toLowerCase()} OR key_prefix = ${key}) AND key_revoked_at IS NULL RETURNING key_id, key_name`,
      );
      if (!row) throw new Problem('not_found', 'The workspace has no such active API key.');
      this.audit.record({ type: KEY_AUDIT['api_key.revoked'], target: { type: 'api_key', id: row.key_id, name: row.key_name } });
      this.outbox.emitEvent({ name: 'api_key.revoked', subject_id: row.key_id, payload: { key_name: row.key_name, reason: 'user' } });
      return { key_id: row.key_id };
    });
  }

  private async rolesOf(ws_id: string, user_id: string): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ name: string }>(
        sql`SELECT coalesce(r.role_key, r.role_name) AS name FROM user_role_link l JOIN role r USING (tenant_id, role_id) WHERE l.tenant_id = ${ws_id} AND l.user_id = ${user_id} ORDER BY 1`,
      );
    return rows.map(({ name }) => name);
  }

  private async member(ws_id: string, user_email: string): Promise<{ user_id: string; user_name: string }> {
    const row = await this.db
      .current()
      .first<{ user_id: string; user_name: string }>(
        sql`SELECT user_id, user_name FROM workspace_user WHERE tenant_id = ${ws_id} AND user_email = ${normalEmail(user_email)} AND user_status <> 'removed' FOR UPDATE`,
      );
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
