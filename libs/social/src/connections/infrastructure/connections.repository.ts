import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
} from '@atrium/platform/database';
import type { Platform } from '../../network/domain/platforms';
import { SocialConnection } from '../domain/social-connection';

type Internal =
  | 'tenant_id'
  | 'row_version'
  | 'con_access'
  | 'con_refresh'
  | 'con_token_version'
  | 'con_refreshing'
  | 'con_warned'
  | 'con_next'
  | 'con_accounts_read'
  | 'con_removed'
  | 'isUsable';

/** A connection as it is read. */
export type ConnectionRow = Omit<SocialConnection, Internal | MethodsOf<SocialConnection>> & {
  /** Posts that wait to be sent through it. */
  readonly con_scheduled_posts: number;
};

const DEPENDENT = sql`(SELECT count(DISTINCT p.sp_id)::integer FROM social_target t
  JOIN social_variant v ON v.tenant_id = t.tenant_id AND v.spv_target = t.tgt_id
  JOIN social_post p ON p.tenant_id = v.tenant_id AND p.sp_id = v.spv_post AND p.sp_state = 'scheduled'
  WHERE t.tenant_id = r.tenant_id AND t.tgt_connection = r.con_id) AS con_scheduled_posts`;

/** The grants of a workspace. */
@Injectable()
export class ConnectionsRepository extends ResourceRepository<SocialConnection> {
  constructor(db: Database) {
    super(db, SocialConnection, 'connection', 'beside');
  }

  listConnections(query: ListParameters): Promise<Page<ConnectionRow>> {
    return listPage<ConnectionRow>(this.db.current(), SocialConnection, query, { where: sql`r.con_removed IS NULL`, select: DEPENDENT });
  }

  findConnectionRow(con_id: string): Promise<(ConnectionRow & { readonly row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(SocialConnection)}, r.row_version, ${DEPENDENT} FROM social_connection r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.con_id = ${con_id} AND r.con_removed IS NULL`,
      );
  }

  /** The connection of an account, also one that was removed; locked. */
  async lockOfAccount(platform: Platform, account_id: string): Promise<SocialConnection | null> {
    const row = await this.db.current().first<{ con_id: string }>(
      sql`SELECT con_id FROM social_connection WHERE tenant_id = ${requireScope().tenant_id} AND con_platform = ${platform} AND con_account_id = ${account_id}
          ORDER BY con_removed DESC NULLS FIRST LIMIT 1`,
    );
    return row ? this.lock(row.con_id) : null;
  }

  /** Those of a platform, or the one; locked. */
  async lockConnected(platform: Platform, con_id: string | null): Promise<SocialConnection[]> {
    const rows = await this.db.current().query<{ con_id: string }>(
      sql`SELECT con_id FROM social_connection WHERE tenant_id = ${requireScope().tenant_id} AND con_platform = ${platform} AND con_removed IS NULL
          AND (${con_id}::uuid IS NULL OR con_id = ${con_id}::uuid) LIMIT 1000`,
    );
    return this.lockMany(rows.map((row) => row.con_id));
  }

  async recordUse(con_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE social_connection SET con_last_used = now() WHERE tenant_id = ${requireScope().tenant_id} AND con_id = ${con_id} AND (con_last_used IS NULL OR con_last_used < now() - interval '1 minute')`,
      );
  }

  /** Connections of all workspaces that are to be looked at. */
  findDueConnections(most: number): Promise<readonly { readonly tenant_id: string; readonly con_id: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; con_id: string }>('SELECT * FROM social_connections_due($1)', [most]);
  }
}
