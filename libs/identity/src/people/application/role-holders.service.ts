import { Injectable } from '@nestjs/common';
import { Audit, type Principal } from '@atrium/platform/access';
import { Database, type Page } from '@atrium/platform/database';
import { notFound, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { MAX_ROLES_OF_USER, type Role } from '../../roles/domain/role';
import type { UserFilters, UserRow } from '../infrastructure/users.repository';
import { RolesRepository } from '../../roles/infrastructure/roles.repository';
import { Escalation } from '../../roles/application/escalation';
import { UsersService } from './users.service';
import { ROLE_AUDIT } from '../../roles/application/roles.service';

export type { UserRow as RoleHolder } from '../infrastructure/users.repository';

/** Gives a role to users and takes it from them; ids of nobody, of former members and of extensions are passed over. */
@Injectable()
export class RoleHoldersService {
  constructor(
    private readonly db: Database,
    private readonly roles: RolesRepository,
    private readonly users: UsersService,
    private readonly escalation: Escalation,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  list(id: string, query: UserFilters): Promise<Page<UserRow>> {
    return this.db.read(async () => {
      if (!(await this.roles.findRow(id))) throw notFound('role');
      return this.users.list({ ...query, user_role: id });
    });
  }

  assignRole(caller: Principal, id: string, user_ids: readonly string[]): Promise<{ changed: number }> {
    return this.db.write(async () => {
      await this.roles.lockAll();
      const role = await this.roles.lock(id);
      await this.escalation.assertGrants(caller, role.role_permissions);
      const users = await this.roles.lockUsers(user_ids, id, { having: false });
      if (users.length === 0) return { changed: 0 };
      await this.escalation.assertMayChangeAll(caller, users);
      const full = await this.roles.filterUsersWithRoles(users, MAX_ROLES_OF_USER);
      if (full.length > 0)
        throw new Problem(
          'limit_reached',
          `A user can have at most ${MAX_ROLES_OF_USER} roles; ${full.length === 1 ? 'one of these users has' : `${full.length} of these users have`} that many.`,
        );
      const changed = await this.roles.assignRole(id, users);
      this.tell(role, 'role.given', users);
      return { changed };
    });
  }

  unassignRole(caller: Principal, id: string, user_ids: readonly string[]): Promise<{ changed: number }> {
    return this.db.write(async () => {
      const role = await this.roles.findRow(id);
      if (!role) throw notFound('role');
      if (role.isOwner) return this.escalation.runWithOwnerRemaining(() => this.takeFrom(caller, role, user_ids));
      await this.roles.lockAll();
      return this.takeFrom(caller, role, user_ids);
    });
  }

  private async takeFrom(caller: Principal, role: Role, user_ids: readonly string[]): Promise<{ changed: number }> {
    const users = await this.roles.lockUsers(user_ids, role.role_id, { having: true });
    if (users.length === 0) return { changed: 0 };
    await this.escalation.assertMayChangeAll(caller, users);
    const changed = await this.roles.unassignRole(role.role_id, users);
    this.tell(role, 'role.taken', users);
    return { changed };
  }

  private tell({ role_id, role_name }: Role, type: 'role.given' | 'role.taken', users: readonly string[]): void {
    for (const user_id of users) this.outbox.emitEvent({ name: 'user.updated', subject_id: user_id, payload: { changed: ['user_roles'] } });
    this.audit.record({ type: ROLE_AUDIT[type], target: { type: 'role', id: role_id, name: role_name }, after: { user_ids: [...users] } });
  }
}
