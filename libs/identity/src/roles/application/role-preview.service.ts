import { Injectable } from '@nestjs/common';
import { PermissionSet } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidState, notFound } from '@atrium/platform/kernel';
import { RoleChanges, type PermissionsOfUser } from '../infrastructure/role-changes';
import { RolesRepository } from '../infrastructure/roles.repository';
import { checkedGrants } from './grants';
import { PermissionCatalog, type PermissionLine } from './permission-catalog';
import { PermissionUse } from './permission-use';

export interface RolePreview {
  readonly gained: readonly PermissionsOfUser[];
  readonly lost: readonly PermissionsOfUser[];
  readonly keys_affected: number;
  readonly operations_opened: readonly string[];
  readonly operations_closed: readonly string[];
}

/** Reports what a change of a role would do and which of its permissions nobody uses; stores nothing. */
@Injectable()
export class RolePreviewService {
  constructor(
    private readonly db: Database,
    private readonly roles: RolesRepository,
    private readonly changes: RoleChanges,
    private readonly catalog: PermissionCatalog,
    private readonly use: PermissionUse,
  ) {}

  previewRole(role_id: string, role_permissions: readonly string[]): Promise<RolePreview> {
    const permissions = checkedGrants('role_permissions', role_permissions);
    return this.db.readMany(async () => {
      const role = await this.roles.findRow(role_id);
      if (!role) throw invalidField('role_id', 'must be a role of this workspace', 'reference');
      if (role.isOwner && (permissions.length !== 1 || permissions[0] !== '*'))
        throw invalidState('The permissions of the role owner cannot be changed.');
      const [before, after] = [PermissionSet.of(role.role_permissions), PermissionSet.of(permissions)];
      const change = { role_id: role.role_id, gained: after.without(before).list(), lost: before.without(after).list(), ...MEANINGS };
      const [affected, keys_affected, others] = await Promise.all([
        this.changes.findAffectedUsers(change),
        this.changes.countAffectedKeys(change),
        this.changes.listOtherGrants(role.role_id),
      ]);
      return { ...affected, keys_affected, ...this.operations(role.role_permissions, permissions, others) };
    });
  }

  /** Permissions of the role that none of its holders has used in so many days. */
  listUnusedPermissions(role_id: string, days: number): Promise<PermissionLine[]> {
    return this.db.readMany(async () => {
      const role = await this.roles.findRow(role_id);
      if (!role) throw notFound('role');
      const granted = PermissionSet.of(role.role_permissions);
      const used = await this.use.readUseOfUsers(await this.changes.findRoleHolders(role_id), days);
      const asked = PermissionSet.of([...used.permissions, ...this.askedBy(used.operations)]);
      return this.catalog.describePermissions(granted.without(asked).list());
    });
  }

  /** Operations that open or close for somebody who has the role; when no one has, for a person who had only this role. */
  private operations(
    before: readonly string[],
    after: readonly string[],
    others: readonly (readonly string[])[],
  ): Pick<RolePreview, 'operations_opened' | 'operations_closed'> {
    const [opened, closed] = [new Set<string>(), new Set<string>()];
    for (const other of others.length > 0 ? others : [[]]) {
      const [was, will] = [
        this.catalog.openTo(PermissionSet.of([...other, ...before])),
        this.catalog.openTo(PermissionSet.of([...other, ...after])),
      ];
      for (const operation of will) if (!was.has(operation)) opened.add(operation);
      for (const operation of was) if (!will.has(operation)) closed.add(operation);
    }
    return { operations_opened: [...opened].sort(), operations_closed: [...closed].sort() };
  }

  /** Calling an operation uses the permission it requires. */
  private askedBy(operations: readonly string[]): string[] {
    return operations.flatMap((name) => {
      const policy = this.catalog.findOperation(name)?.policy;
      return [...(policy?.any ?? []), ...(policy?.all ?? [])];
    });
  }
}

const MEANINGS = meanings();

/** Every grant there is, beside every permission it means. */
function meanings(): { readonly grants: string[]; readonly meanings: string[] } {
  const permissions = PermissionSet.ALL.list();
  const grants = [...permissions, ...new Set(permissions.map((permission) => `${permission.slice(0, permission.indexOf(':'))}:*`)), '*'];
  const pairs = grants.flatMap((grant) =>
    PermissionSet.of([grant])
      .list()
      .map((permission) => [grant, permission] as const),
  );
  return { grants: pairs.map(([grant]) => grant), meanings: pairs.map(([, permission]) => permission) };
}
