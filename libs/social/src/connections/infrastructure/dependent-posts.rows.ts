import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** A post that depends on a connection. */
export interface DependentPost {
  readonly sp_id: string;
  readonly sp_title: string;
  readonly code: string | null;
}

/** Posts by the connection that sends them, as far as the reader may see them. */
@Injectable()
export class DependentPostRows {
  constructor(private readonly db: Database) {}

  /** Posts that failed because the grant of a connection had ended, newest first. */
  listFailedPosts(reader: Principal, con_id: string, most: number): Promise<DependentPost[]> {
    return this.db.current().query<DependentPost & Record<string, unknown>>(
      sql`SELECT DISTINCT ON (p.sp_updated, p.sp_id) p.sp_id, p.sp_title, v.spv_error ->> 'code' AS code
          FROM social_target t JOIN social_variant v ON v.tenant_id = t.tenant_id AND v.spv_target = t.tgt_id AND v.spv_state = 'failed'
          JOIN social_post p ON p.tenant_id = v.tenant_id AND p.sp_id = v.spv_post AND p.sp_active AND p.sp_state IN ('failed', 'partial') AND ${aclAllows('p.sp_acl', reader, 'view')}
          WHERE t.tenant_id = ${requireScope().tenant_id} AND t.tgt_connection = ${con_id}
            AND v.spv_error ->> 'code' IN ('connection_revoked', 'connection_expired', 'disconnected', 'missing_scope')
          ORDER BY p.sp_updated DESC, p.sp_id LIMIT ${most}`,
    );
  }

  /** Posts that wait to be sent through it, the next first. */
  listScheduledPosts(
    reader: Principal,
    con_id: string,
    most: number,
  ): Promise<{ readonly sp_id: string; readonly sp_title: string; readonly sp_schedule_at: string }[]> {
    return this.db.current().query(
      sql`SELECT DISTINCT p.sp_schedule_at, p.sp_id, p.sp_title FROM social_target t JOIN social_variant v ON v.tenant_id = t.tenant_id AND v.spv_target = t.tgt_id
          JOIN social_post p ON p.tenant_id = v.tenant_id AND p.sp_id = v.spv_post AND p.sp_state = 'scheduled' AND p.sp_active AND ${aclAllows('p.sp_acl', reader, 'view')}
          WHERE t.tenant_id = ${requireScope().tenant_id} AND t.tgt_connection = ${con_id} ORDER BY p.sp_schedule_at, p.sp_id LIMIT ${most}`,
    );
  }
}
