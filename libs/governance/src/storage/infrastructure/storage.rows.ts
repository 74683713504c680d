import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import { NO_QUOTA, type ConsumptionGroup, type StorageQuota } from '../domain/storage';
import { NIL_ID } from '@atrium/platform/kernel';
import { causedBy } from '../../shared/infrastructure/caused-by';

export interface StoredSum {
  readonly key: string | null;
  readonly bytes: number;
  readonly objects: number;
}

/** All that was stored at a moment. */
export interface StoredThen {
  readonly at: string;
  readonly bytes: number;
  readonly objects: number;
}

const COLUMNS: Readonly<Record<Exclude<ConsumptionGroup, 'date'>, string>> = {
  class: 'con_class',
  repo_type: 'con_repo_type',
  provider: 'con_provider',
  family: 'con_family',
  user: 'con_user',
};

const QUOTA = raw('quota_bytes, quota_used, quota_reserved, quota_warn_percent, quota_user_bytes');

/** Sums and what came since in one: exact in every snapshot. */
export const storedNow = (): Sql => {
  const { tenant_id } = requireScope();
  return sql`(SELECT con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects FROM storage_consumption WHERE tenant_id = ${tenant_id}
    UNION ALL SELECT con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects FROM storage_delta WHERE tenant_id = ${tenant_id})`;
};

/** What a workspace holds, its bounds, and what it held on earlier days. */
@Injectable()
export class StorageRows {
  constructor(private readonly db: Database) {}

  async readQuota(): Promise<StorageQuota> {
    return (
      (await this.db
        .current()
        .first<StorageQuota & { [column: string]: unknown }>(
          sql`SELECT ${QUOTA} FROM storage_quota WHERE tenant_id = ${requireScope().tenant_id}`,
        )) ?? NO_QUOTA
    );
  }

  /** The bounds, nobody else changing them until the unit of work ends. */
  async lockQuota(): Promise<StorageQuota> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`INSERT INTO storage_quota (tenant_id) VALUES (${tenant_id}) ON CONFLICT DO NOTHING`);
    const row = await this.db
      .current()
      .first<StorageQuota & { [column: string]: unknown }>(
        sql`SELECT ${QUOTA} FROM storage_quota WHERE tenant_id = ${tenant_id} FOR UPDATE`,
      );
    return row ?? NO_QUOTA;
  }

  async setQuota({ quota_bytes, quota_warn_percent, quota_user_bytes }: StorageQuota): Promise<void> {
    const tx = this.db.current();
    await tx.execute(sql`
      UPDATE storage_quota SET quota_bytes = ${quota_bytes}::bigint, quota_warn_percent = ${quota_warn_percent}::integer, quota_user_bytes = ${quota_user_bytes}::bigint, quota_updated = now()
      WHERE tenant_id = ${requireScope().tenant_id}`);
    await tx.execute(sql`SELECT storage_watch(${causedBy()}::jsonb)`);
  }

  /** Sets bytes aside, of a person or of nobody; what does not allow it, or null. */
  async reserveBytes(bytes: number, user: string | null): Promise<'workspace' | 'person' | null> {
    const row = await this.db
      .current()
      .first<{ outcome: 'workspace' | 'person' | null }>(sql`SELECT storage_reserve(${bytes}::bigint, ${user}::uuid) AS outcome`);
    return row?.outcome ?? null;
  }

  /** What counts lines of bytes, as one statement. */
  settleStatement(lines: readonly object[]): Sql {
    return sql`SELECT storage_settle(${JSON.stringify(lines)}::jsonb, ${causedBy()}::jsonb)`;
  }

  /** Moves a batch of what came and went, of all workspaces, into the sums; how many rows. */
  async rollBatch(limit: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ moved: number }>('SELECT storage_roll($1) AS moved', [limit]);
    return row?.moved ?? 0;
  }

  /** The amount stored for each value of a dimension, the largest first; amounts without an owner have no key. */
  sumBy(group: Exclude<ConsumptionGroup, 'date'>): Promise<StoredSum[]> {
    const column = raw(COLUMNS[group]);
    return this.db.current().query(sql`
      SELECT nullif(nullif(${column}::text, ${NIL_ID}), '') AS key, sum(con_bytes)::bigint AS bytes, sum(con_objects)::bigint AS objects FROM ${storedNow()} held
      GROUP BY ${column} HAVING sum(con_bytes) <> 0 OR sum(con_objects) <> 0 ORDER BY sum(con_bytes) DESC, 1`);
  }

  async readTotal(): Promise<StoredSum> {
    const row = await this.db
      .current()
      .first<StoredSum & { [column: string]: unknown }>(
        sql`SELECT NULL AS key, coalesce(sum(con_bytes), 0)::bigint AS bytes, coalesce(sum(con_objects), 0)::bigint AS objects FROM ${storedNow()} held`,
      );
    return row ?? { key: null, bytes: 0, objects: 0 };
  }

  /** What the daily pictures before a moment say, oldest first. */
  listSnapshotsBefore(until: Date): Promise<StoredThen[]> {
    return this.db.current().query(sql`
      SELECT max(snap_at) AS at, sum(snap_bytes)::bigint AS bytes, sum(snap_objects)::bigint AS objects FROM storage_snapshot
      WHERE tenant_id = ${requireScope().tenant_id} AND snap_at < ${until}::timestamptz GROUP BY snap_date ORDER BY snap_date`);
  }

  /** The oldest picture of the last so many days, as far as it counts for the quota. */
  findOldestSnapshot(days: number): Promise<{ readonly at: string; readonly bytes: number } | undefined> {
    return this.db.current().first(sql`
      SELECT max(snap_at) AS at, coalesce(sum(snap_bytes) FILTER (WHERE snap_class <> 'rendition'), 0)::bigint AS bytes FROM storage_snapshot
      WHERE tenant_id = ${requireScope().tenant_id} AND snap_at > now() - ${days}::integer * interval '1 day' GROUP BY snap_date ORDER BY snap_date LIMIT 1`);
  }

  /** Keeps what is there as the picture of the local day, unless the day has one; answers what the new one holds. */
  async takeSnapshot(): Promise<{ readonly date: string; readonly gigabytes: string; readonly bytes: number } | undefined> {
    const { tenant_id } = requireScope();
    return this.db.current().first(sql`
      WITH day AS (SELECT (now() AT TIME ZONE ws_timezone)::date AS date FROM workspace WHERE tenant_id = ${tenant_id}),
      made AS (
        INSERT INTO storage_snapshot (tenant_id, snap_date, snap_provider, snap_class, snap_at, snap_bytes, snap_objects)
        SELECT ${tenant_id}, day.date, held.con_provider, held.con_class, now(), sum(held.con_bytes), sum(held.con_objects)
        FROM day, (SELECT con_provider, con_class, con_bytes, con_objects FROM ${storedNow()} all_held UNION ALL SELECT ${tenant_id}::uuid, 'original', 0, 0) held
        WHERE NOT EXISTS (SELECT FROM storage_snapshot s WHERE s.tenant_id = ${tenant_id} AND s.snap_date = day.date) GROUP BY day.date, held.con_provider, held.con_class
        ON CONFLICT DO NOTHING RETURNING snap_date, snap_bytes
      )
      SELECT to_char(snap_date, 'YYYY-MM-DD') AS date, (sum(snap_bytes) / 1000000000.0)::numeric(20,9)::text AS gigabytes, sum(snap_bytes)::bigint AS bytes FROM made GROUP BY snap_date`);
  }
}
