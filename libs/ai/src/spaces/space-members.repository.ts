import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { PrincipalType, SpaceMember, SpaceRole } from './space';

/** Who is in which space. The place of somebody who has left the workspace is kept, because they may be invited again; until then they are in no space. */
@Injectable()
export class SpaceMembersRepository {
  constructor(private readonly db: Database) {}

  /** The members of a space who are in the workspace. */
  findMembers(space_id: string): Promise<SpaceMember[]> {
    return this.db.current().query<SpaceMember & Record<string, unknown>>(sql`
      SELECT sm_space, sm_principal_type, sm_principal, sm_role, sm_created, sm_created_by FROM space_member m
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.sm_space = ${space_id} AND ${isInWorkspace()} ORDER BY m.sm_created, m.sm_principal`);
  }

  async insertMember(member: SpaceMember): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO space_member (tenant_id, sm_space, sm_principal_type, sm_principal, sm_role, sm_created, sm_created_by)
      VALUES (${requireScope().tenant_id}, ${member.sm_space}, ${member.sm_principal_type}, ${member.sm_principal}, ${member.sm_role}, ${member.sm_created}, ${member.sm_created_by})`);
  }

  async changeRole(space_id: string, type: PrincipalType, principal: string, role: SpaceRole): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE space_member SET sm_role = ${role}
      WHERE tenant_id = ${requireScope().tenant_id} AND sm_space = ${space_id} AND sm_principal_type = ${type} AND sm_principal = ${principal}`);
  }

  async deleteMember(space_id: string, type: PrincipalType, principal: string): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM space_member
      WHERE tenant_id = ${requireScope().tenant_id} AND sm_space = ${space_id} AND sm_principal_type = ${type} AND sm_principal = ${principal}`);
  }
}

/** Condition on `m`: a member of the workspace or one of its roles, as `KnownMembers` knows them. */
export const isInWorkspace = (): Sql => sql`CASE m.sm_principal_type
  WHEN 'user' THEN EXISTS (SELECT FROM workspace_user u WHERE u.tenant_id = m.tenant_id AND u.user_id = m.sm_principal AND u.user_status <> 'removed')
  ELSE EXISTS (SELECT FROM role o WHERE o.tenant_id = m.tenant_id AND o.role_id = m.sm_principal) END`;
