import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { PrincipalType, SpaceMember, SpaceRole } from './space';

/** Who is in which space. */
@Injectable()
export class SpaceMembersRepository {
  constructor(private readonly db: Database) {}

  of(space_id: string): Promise<SpaceMember[]> {
    return this.db.current().query<SpaceMember & Record<string, unknown>>(sql`
      SELECT sm_space, sm_principal_type, sm_principal, sm_role, sm_created, sm_created_by FROM space_member
      WHERE tenant_id = ${requireScope().tenant_id} AND sm_space = ${space_id} ORDER BY sm_created, sm_principal`);
  }

  async add(member: SpaceMember): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO space_member (tenant_id, sm_space, sm_principal_type, sm_principal, sm_role, sm_created, sm_created_by)
      VALUES (${requireScope().tenant_id}, ${member.sm_space}, ${member.sm_principal_type}, ${member.sm_principal}, ${member.sm_role}, ${member.sm_created}, ${member.sm_created_by})`);
  }

  async changeRole(space_id: string, type: PrincipalType, principal: string, role: SpaceRole): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE space_member SET sm_role = ${role}
      WHERE tenant_id = ${requireScope().tenant_id} AND sm_space = ${space_id} AND sm_principal_type = ${type} AND sm_principal = ${principal}`);
  }

  async remove(space_id: string, type: PrincipalType, principal: string): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM space_member
      WHERE tenant_id = ${requireScope().tenant_id} AND sm_space = ${space_id} AND sm_principal_type = ${type} AND sm_principal = ${principal}`);
  }
}
