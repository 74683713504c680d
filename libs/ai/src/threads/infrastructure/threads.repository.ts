import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, ResourceRepository, sql } from '@atrium/platform/database';
import { Thread } from '../domain/thread';
import type { Standing } from '../domain/thread-level';

/** The threads of a workspace. */
@Injectable()
export class ThreadsRepository extends ResourceRepository<Thread> {
  constructor(db: Database) {
    super(db, Thread, 'thread');
  }

  /** What the caller is in a space, directly or by a role. */
  async spaceRole(caller: Principal, space_id: string): Promise<Standing['space_role']> {
    const row = await this.db.current().first<{ role: Standing['space_role'] }>(sql`
      SELECT m.sm_role AS role FROM space_member m JOIN space s ON s.tenant_id = m.tenant_id AND s.space_id = m.sm_space AND s.space_active
      WHERE m.tenant_id = ${requireScope().tenant_id} AND m.sm_space = ${space_id}
        AND ((m.sm_principal_type = 'user' AND m.sm_principal = ${caller.user_id}::uuid) OR (m.sm_principal_type = 'role' AND m.sm_principal = ANY(${[...caller.role_ids]}::uuid[])))
      ORDER BY array_position(ARRAY['owner', 'editor', 'viewer'], m.sm_role) LIMIT 1`);
    return row?.role ?? null;
  }
}
