import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidField, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Role, roleNameTaken } from '../domain/role';
import { RolesRepository, type RoleName, type RoleRow } from '../infrastructure/roles.repository';
import { Escalation } from './escalation';
import { checkedGrants } from './grants';

/** What is audited of roles. */
export const ROLE_AUDIT = defineAuditTypes({
  'role.created': 'A role was created.',
  'role.updated': 'A role was renamed, made the default or its permissions were changed.',
  'role.deleted': 'A role was deleted; another role may have been assigned to its users.',
  'role.given': 'A role was assigned to users.',
  'role.taken': 'A role was removed from users.',
});

export interface RoleFacts {
  readonly role_name?: string;
  readonly role_description?: string | null;
  readonly role_permissions?: readonly string[];
  readonly role_default?: boolean;
}

export type { RoleName as RoleNameLine, RoleRow as RoleLine } from '../infrastructure/roles.repository';

export type RoleAnswer = RoleRow & { readonly row_version: number };

/**
 * The roles of a workspace. A caller who changes what a role allows holds all that it allowed before and will allow,
 * so that no one raises their own permissions or removes those of members above them.
 */
@Injectable()
export class RolesService {
  constructor(
    private readonly db: Database,
    private readonly roles: RolesRepository,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<RoleRow>> {
    return this.db.read(() => this.roles.listRoles(query));
  }

  listRoleNames(query: ListParameters): Promise<Page<RoleName>> {
    return this.db.read(() => this.roles.listRoleNames(query));
  }

  get(id: string): Promise<RoleAnswer> {
    return this.db.read(() => this.read(id));
  }

  create(
    caller: Principal,
    facts: RoleFacts & { readonly role_name: string; readonly role_permissions: readonly string[] },
  ): Promise<RoleAnswer> {
    const permissions = checkedGrants('role_permissions', facts.role_permissions);
    return this.db.write(() => this.add(caller, { ...facts, role_permissions: permissions }));
  }

  /** The same permissions under another name. */
  copy(caller: Principal, id: string, role_name: string): Promise<RoleAnswer> {
    return this.db.write(async () => {
      const { role_description, role_permissions } = await this.found(id);
      return this.add(caller, { role_name, role_description, role_permissions });
    });
  }

  change(caller: Principal, id: string, facts: RoleFacts, precondition?: Precondition): Promise<RoleAnswer> {
    const permissions = facts.role_permissions === undefined ? undefined : checkedGrants('role_permissions', facts.role_permissions);
    return this.db.write(async () => {
      if (facts.role_default !== undefined || permissions) await this.roles.lockAll();
      const role = await this.roles.lock(id, precondition);
      const before = told(role);
      if (permissions && role.permit(permissions))
        await this.escalation.assertGrants(caller, [...(before.role_permissions as string[]), ...permissions]);
      if (facts.role_name !== undefined) role.role_name = facts.role_name;
      if (facts.role_description !== undefined) role.role_description = facts.role_description;
      if (facts.role_default !== undefined) await this.place(caller, role, facts.role_default);
      const difference = changesBetween(before, told(role));
      const changed = Object.keys(difference.after ?? {});
      if (changed.length === 0) return this.read(id);
      role.touch(this.clock);
      await this.stored(this.roles.save(role), role.role_name);
      this.outbox.emitEvent({ name: 'role.updated', subject_id: id, payload: { changed } });
      this.audit.record({ type: ROLE_AUDIT['role.updated'], target: targetOf(role), ...difference });
      return this.read(id);
    });
  }

  remove(caller: Principal, id: string, replace_with?: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.roles.lockAll();
      const role = await this.roles.lock(id, precondition);
      role.assertMayGo();
      const replacement = replace_with === undefined ? null : await this.replacementOf(role, replace_with);
      await this.escalation.assertGrants(caller, [...role.role_permissions, ...(replacement?.role_permissions ?? [])]);
      if (!replacement) await this.assertUnused(role);
      else await this.roles.handOver(id, replacement.role_id);
      await this.roles.remove(role);
      if (replacement && role.role_default) {
        replacement.becomeDefault(true);
        replacement.touch(this.clock);
        await this.roles.save(replacement);
      }
      this.outbox.emitEvent({
        name: 'role.deleted',
        subject_id: id,
        payload: { role_name: role.role_name, replace_with: replacement?.role_id ?? null },
      });
      this.audit.record({
        type: ROLE_AUDIT['role.deleted'],
        target: targetOf(role),
        before: told(role),
        after: replacement ? { replace_with: replacement.role_id } : null,
      });
    });
  }

  private async add(
    caller: Principal,
    facts: RoleFacts & { readonly role_name: string; readonly role_permissions: readonly string[] },
  ): Promise<RoleAnswer> {
    await this.escalation.assertGrants(caller, facts.role_permissions);
    const now = this.clock.now();
    const role = Role.blank(
      {
        role_id: this.ids.next(),
        role_name: facts.role_name,
        role_description: facts.role_description ?? null,
        role_permissions: [...facts.role_permissions],
      },
      now,
    );
    if (facts.role_default) {
      await this.roles.lockAll();
      await this.place(caller, role, true);
    }
    await this.stored(this.roles.insert(role), role.role_name);
    this.outbox.emitEvent({ name: 'role.created', subject_id: role.role_id, payload: { role_name: role.role_name } });
    this.audit.record({ type: ROLE_AUDIT['role.created'], target: targetOf(role), after: told(role) });
    return this.read(role.role_id);
  }

  /** A caller who makes a role the default gives it to all future users. */
  private async place(caller: Principal, role: Role, wanted: boolean): Promise<void> {
    const was = role.role_default;
    role.becomeDefault(wanted);
    if (was || !wanted) return;
    await this.escalation.assertGrants(caller, role.role_permissions);
    await this.roles.clearDefault(this.clock.now());
  }

  private async replacementOf(role: Role, id: string): Promise<Role> {
    if (id.toLowerCase() === role.role_id) throw invalidField('replace_with', 'must be another role', 'reference');
    return this.roles.lock(id).catch((error: unknown) => {
      throw error instanceof Problem && error.code === 'not_found'
        ? invalidField('replace_with', 'must be a role of this workspace', 'reference')
        : error;
    });
  }

  private async assertUnused(role: Role): Promise<void> {
    if (role.role_default)
      throw new Problem('in_use', 'This is the default role. Make another role the default, or name a replacement in replace_with.');
    if (await this.roles.isHeld(role.role_id)) throw new Problem('in_use', 'Users have this role. Name a replacement in replace_with.');
  }

  private async found(id: string): Promise<Role> {
    const role = await this.roles.findRow(id);
    if (!role) throw notFound('role');
    return role;
  }

  private async read(id: string): Promise<RoleAnswer> {
    const row = await this.roles.findRoleDetail(id);
    if (!row) throw notFound('role');
    return row;
  }

  private async stored(writing: Promise<unknown>, name: string): Promise<void> {
    await writing.catch((error: unknown) => {
      throw violatesConstraint(error, 'role_name_unique') ? roleNameTaken(name) : error;
    });
  }
}

const targetOf = ({ role_id, role_name }: Role): { type: string; id: string; name: string } => ({
  type: 'role',
  id: role_id,
  name: role_name,
});

const told = ({ role_name, role_description, role_permissions, role_default }: Role): JsonObject => ({
  role_name,
  role_description,
  role_permissions: [...role_permissions],
  role_default,
});
