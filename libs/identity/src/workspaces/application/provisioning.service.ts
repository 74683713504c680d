import { Injectable } from '@nestjs/common';
import { isGrant } from '@atrium/platform/access';
import { Database, runInScope, SYSTEM_ACTOR, violatesConstraint } from '@atrium/platform/database';
import { alreadyExists, Ids, invalidField, newId, notFound } from '@atrium/platform/kernel';
import { mintKey } from '../../keys/domain/api-key';
import { BUILT_IN_ROLES } from '../../roles/application/built-in-roles';
import { Passwords } from '../../sign-in/infrastructure/passwords';
import { normalEmail } from '../../shared/domain/email';
import { OperatedMemberRows } from '../infrastructure/operated-member.rows';
import { Workspaces, type WorkspaceOwner } from './workspaces.service';

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

export type NewMember = WorkspaceOwner;

export interface NewKey {
  readonly key_name: string;
  readonly user_email: string;
  readonly scopes?: readonly string[] | undefined;
}

/** How workspaces, people and keys come to be at the command line and in tests, without invitations. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly db: Database,
    private readonly members: OperatedMemberRows,
    private readonly ids: Ids,
    private readonly passwords: Passwords,
    private readonly workspaces: Workspaces,
  ) {}

  /** A workspace with an owner who has a password, or is invited. */
  createWorkspace({
    ws_name,
    ws_slug,
    modules,
    owner,
  }: NewWorkspace): Promise<{ ws_id: string; owner_user_id: string; invite_url: string | null }> {
    return this.workspaces.provisionWorkspace({ ws_name, ws_slug, ws_modules: modules, owner });
  }

  /** A further member with built-in roles, whom the operator vouches for. */
  async addUser(tenant_id: string, member: NewMember, role_keys: readonly string[]): Promise<{ user_id: string }> {
    const unknown = role_keys.find((key) => !BUILT_IN_ROLES.some((role) => role.role_key === key));
    if (unknown) throw invalidField('role', `${unknown} is not one of ${BUILT_IN_ROLES.map((role) => role.role_key).join(', ')}`, 'choice');
    const spec = { ...(await this.memberSpec(member)), role_keys, vouched: true };
    const user_id = await this.db.acrossTenants(() =>
      this.members.insertMember(tenant_id, spec).catch((error: unknown) => {
        if (violatesConstraint(error, 'workspace_user_pkey'))
          throw alreadyExists('user_email', `${member.user_email} is already a member.`);
        throw violatesConstraint(error, 'workspace_user_tenant_id_fkey') ? notFound('workspace') : error;
      }),
    );
    return { user_id: user_id ?? '' };
  }

  /** A key for a member; its value is in this answer only. */
  createKey(tenant_id: string, { key_name, user_email, scopes }: NewKey): Promise<{ key_id: string; key_secret: string }> {
    const wrong = scopes?.find((scope) => !isGrant(scope));
    if (wrong) throw invalidField('scopes', `${wrong} is not a permission`, 'choice');
    assertLength('key_name', key_name, MAX_KEY_NAME);
    const minted = mintKey();
    const key_id = this.ids.next();
    return this.within(tenant_id, () =>
      this.db.write(async () => {
        const { public_id, hash } = minted;
        const key = { key_id, key_name, public_id, hash, user_email: normalEmail(user_email), scopes: scopes ?? null };
        if (!(await this.members.insertKey(tenant_id, key))) throw notFound('active member');
        return { key_id, key_secret: minted.value };
      }),
    );
  }

  private within<T>(tenant_id: string, work: () => Promise<T>): Promise<T> {
    return runInScope({ tenant_id, actor: SYSTEM_ACTOR, request_id: newId() }, work);
  }

  private async memberSpec({ user_email, user_name, password }: NewMember): Promise<Record<string, unknown>> {
    if (!EMAIL.test(user_email.trim()) || user_email.length > MAX_EMAIL)
      throw invalidField('user_email', 'must be an e-mail address', 'format');
    assertLength('user_name', user_name, MAX_NAME);
    return {
      user_id: this.ids.next(),
      user_email: normalEmail(user_email),
      user_name,
      password_hash: password === undefined ? null : await this.passwords.hashPassword(password),
    };
  }
}

function assertLength(path: string, text: string, max: number): void {
  if (text.trim().length === 0 || text.length > max)
    throw invalidField(path, `must have 1 to ${max} characters`, text.length > max ? 'too_long' : 'too_short');
}
