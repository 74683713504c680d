import { Injectable } from '@nestjs/common';
import { isGrant, MODULES, isModule } from '@atrium/platform/access';
import { Database, runInScope, sql, SYSTEM_ACTOR, violates } from '@atrium/platform/database';
import { Ids, invalidField, newId, notFound, Problem } from '@atrium/platform/kernel';
import { mintKey } from '../domain/api-key';
import { BUILT_IN_ROLES } from './built-in-roles';
import { Passwords } from '../infrastructure/passwords';
import { normalEmail } from '../domain/email';

const EMAIL = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;
const MAX_EMAIL = 254;
const MAX_NAME = 255;
const MAX_KEY_NAME = 80;

export interface NewWorkspace {
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly modules: readonly string[];
  readonly owner: NewMember;
}

export interface NewMember {
  readonly user_email: string;
  readonly user_name: string;
  readonly password?: string | undefined;
}

export interface NewKey {
  readonly key_name: string;
  readonly user_email: string;
  readonly scopes?: readonly string[] | undefined;
}

export interface WorkspaceLine {
  readonly ws_id: string;
  readonly ws_name: string;
  readonly ws_slug: string;
  readonly ws_status: string;
  readonly ws_created: string;
}

/** What an operator does to workspaces from outside of them: make, license, suspend, add people and keys. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly db: Database,
    private readonly ids: Ids,
    private readonly passwords: Passwords,
  ) {}

  async createWorkspace({ ws_name, ws_slug, modules, owner }: NewWorkspace): Promise<{ ws_id: string; owner_user_id: string }> {
    const unknown = modules.find((module) => !isModule(module));
    if (unknown) throw invalidField('modules', `${unknown} is none of ${MODULES.join(', ')}`, 'choice');
    assertLength('ws_name', ws_name, MAX_NAME);
    const ws_id = this.ids.next();
    const roles = BUILT_IN_ROLES.map((role) => ({ ...role, role_id: this.ids.next() }));
    const spec = { ws_id, ws_name, ws_slug, modules, roles, owner: { ...(await this.memberSpec(owner)), role_keys: ['owner'] } };
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ made: { user_id: string } }>('SELECT ws_provision($1) AS made', [JSON.stringify(spec)]).catch((error: unknown) => {
        throw violates(error, 'workspace_ws_slug_key') ? new Problem('already_exists', `The slug ${ws_slug} is taken.`) : violates(error, 'workspace_ws_slug_check') ? invalidField('ws_slug', 'takes 3 to 40 lower-case letters, digits and hyphens, beginning with a letter', 'pattern') : error;
      }),
    );
    return { ws_id, owner_user_id: row?.made.user_id ?? '' };
  }

  listWorkspaces(): Promise<WorkspaceLine[]> {
    return this.db.acrossTenants((tx) => tx.query<WorkspaceLine & Record<string, unknown>>('SELECT * FROM ws_list()'));
  }

  /** A further member with built-in roles. */
  async addUser(tenant_id: string, member: NewMember, role_keys: readonly string[]): Promise<{ user_id: string }> {
    const unknown = role_keys.find((key) => !BUILT_IN_ROLES.some((role) => role.role_key === key));
    if (unknown) throw invalidField('role', `${unknown} is none of ${BUILT_IN_ROLES.map((role) => role.role_key).join(', ')}`, 'choice');
    const spec = { ...(await this.memberSpec(member)), role_keys };
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ made: { user_id: string } }>('SELECT ws_add_user($1, $2) AS made', [tenant_id, JSON.stringify(spec)]).catch((error: unknown) => {
        if (violates(error, 'workspace_user_pkey')) throw new Problem('already_exists', `${member.user_email} is a member already.`);
        throw violates(error, 'workspace_user_tenant_id_fkey') ? notFound('workspace') : error;
      }),
    );
    return { user_id: row?.made.user_id ?? '' };
  }

  /** A key for a member; its value is in this answer only. */
  createKey(tenant_id: string, { key_name, user_email, scopes }: NewKey): Promise<{ key_id: string; key_secret: string }> {
    const wrong = scopes?.find((scope) => !isGrant(scope));
    if (wrong) throw invalidField('scopes', `${wrong} is no permission`, 'choice');
    assertLength('key_name', key_name, MAX_KEY_NAME);
    const minted = mintKey();
    const key_id = this.ids.next();
    return this.within(tenant_id, () =>
      this.db.write(async (tx) => {
        const made = await tx.execute(
          sql`INSERT INTO api_key (tenant_id, key_id, key_name, key_public_id, key_hash, key_user, key_scopes)
              SELECT tenant_id, ${key_id}, ${key_name}, ${minted.public_id}, ${minted.hash}, user_id, ${scopes ?? null}::text[]
              FROM workspace_user WHERE tenant_id = ${tenant_id} AND user_email = ${normalEmail(user_email)} AND user_status = 'active'`,
        );
        if (made === 0) throw notFound('active member');
        return { key_id, key_secret: minted.value };
      }),
    );
  }

  /** Grants a module, or ends it now. */
  setModule(tenant_id: string, module: string, granted: boolean): Promise<void> {
    if (!isModule(module)) throw invalidField('module', `${module} is none of ${MODULES.join(', ')}`, 'choice');
    return this.within(tenant_id, () =>
      this.db.write(async (tx) => {
        await this.assertWorkspace(tenant_id);
        await tx.execute(
          sql`INSERT INTO licence (tenant_id, lic_module, lic_expires_at, lic_source) VALUES (${tenant_id}, ${module}, ${granted ? null : new Date()}, 'operator')
              ON CONFLICT (tenant_id, lic_module) DO UPDATE SET lic_expires_at = excluded.lic_expires_at, lic_updated = now()`,
        );
      }),
    );
  }

  setStatus(tenant_id: string, status: 'active' | 'suspended'): Promise<void> {
    return this.within(tenant_id, () =>
      this.db.write(async (tx) => {
        await this.assertWorkspace(tenant_id);
        await tx.execute(sql`UPDATE workspace SET ws_status = ${status}, ws_updated = now() WHERE tenant_id = ${tenant_id}`);
      }),
    );
  }

  private async assertWorkspace(tenant_id: string): Promise<void> {
    if (!(await this.db.current().first(sql`SELECT 1 FROM workspace WHERE tenant_id = ${tenant_id}`))) throw notFound('workspace');
  }

  private within<T>(tenant_id: string, work: () => Promise<T>): Promise<T> {
    return runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id: newId() }, work);
  }

  private async memberSpec({ user_email, user_name, password }: NewMember): Promise<Record<string, unknown>> {
    if (!EMAIL.test(user_email.trim()) || user_email.length > MAX_EMAIL) throw invalidField('user_email', 'must be an e-mail address', 'format');
    assertLength('user_name', user_name, MAX_NAME);
    return { user_id: this.ids.next(), user_email: normalEmail(user_email), user_name, password_hash: password === undefined ? null : await this.passwords.hash(password) };
  }
}

function assertLength(path: string, text: string, max: number): void {
  if (text.trim().length === 0 || text.length > max) throw invalidField(path, `takes 1 to ${max} characters`, text.length > max ? 'too_long' : 'too_short');
}
