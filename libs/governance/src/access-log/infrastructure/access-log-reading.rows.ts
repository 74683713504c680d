import {
  Database,
  empty,
  listPage,
  literalPattern,
  requireScope,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type UnitOfWork,
} from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { AccessLogEntry, type AccessLogRowRead, type RequestStats, type SoughtTexts, type StatsGroup } from '../domain/access-log-entry';

/** Pages above this are read few at once. */
const LARGE_PAGE = 1_000;
const MAX_GROUPS = 1_000;

interface Grouping {
  readonly key: Sql;
  readonly label: Sql;
  readonly join: Sql;
  readonly order: Sql;
}

const pattern = (text: string | undefined): string | null => (text === undefined ? null : `%${literalPattern(text)}%`);
const busiest = sql`g.requests DESC, g.key`;

/** The access log as its workspace reads it. */
@Injectable()
export class AccessLogReading {
  constructor(private readonly db: Database) {}

  /** A page of rows with the names of their users. Texts are searched by the function of the search role: under row-level security no index serves them. */
  listLogRows(query: ListParameters & SoughtTexts, range: readonly [Date?, Date?]): Promise<Page<AccessLogRowRead>> {
    const { log_url, log_query, log_params, log_body } = query;
    const sought = [log_url, log_query, log_params, log_body].map(pattern);
    const where = sought.every((text) => text === null)
      ? sql`true`
      : sql`(r.log_timestamp, r.log_id) IN (SELECT s.log_timestamp, s.log_id FROM audit_search(${sought[0]}, ${sought[1]}, ${sought[2]}, ${sought[3]},
            coalesce(${range[0] ?? null}::timestamptz, '-infinity'), coalesce(${range[1] ?? null}::timestamptz, 'infinity')) s)`;
    const read = (tx: UnitOfWork): Promise<Page<AccessLogRowRead>> =>
      listPage<AccessLogRowRead>(tx, AccessLogEntry, query, {
        where,
        select: sql`u.user_name AS log_user_name`,
        join: sql`LEFT JOIN workspace_user u ON u.tenant_id = r.tenant_id AND u.user_id = r.log_user`,
      });
    return (query.limit_extended ?? 0) > LARGE_PAGE ? this.db.readMany(read) : this.db.read(read);
  }

  /** Requests by group: the busiest first, days in their order; sampled rows count for the ten they stand for. */
  readStats(
    tx: UnitOfWork,
    group: StatsGroup,
    { from, until, tz }: { readonly from: number; readonly until: number; readonly tz: string },
  ): Promise<RequestStats[]> {
    const { key, label, join, order } = groupingOf(group, tz);
    return tx.query<RequestStats & Record<string, unknown>>(sql`
      SELECT g.key, ${label} AS label, g.requests, g.errors, g.p50_ms, g.p95_ms, g.bytes_out
      FROM (
        SELECT ${key} AS key, sum(r.weight)::bigint AS requests, coalesce(sum(r.weight) FILTER (WHERE r.log_status >= 400), 0)::bigint AS errors,
               percentile_disc(0.5) WITHIN GROUP (ORDER BY r.log_duration_ms) AS p50_ms, percentile_disc(0.95) WITHIN GROUP (ORDER BY r.log_duration_ms) AS p95_ms,
               coalesce(sum(r.log_bytes_out * r.weight), 0)::bigint AS bytes_out
        FROM (SELECT *, CASE WHEN log_sampled THEN 10 ELSE 1 END AS weight FROM access_log
              WHERE tenant_id = ${requireScope().tenant_id} AND log_timestamp >= to_timestamp(${from / 1_000}::double precision) AND log_timestamp < to_timestamp(${until / 1_000}::double precision)) r
        GROUP BY 1
      ) g ${join} ORDER BY ${order} LIMIT ${MAX_GROUPS}`);
  }
}

function groupingOf(group: StatsGroup, tz: string): Grouping {
  const { tenant_id } = requireScope();
  const nothing = empty;
  switch (group) {
    case 'log_user':
      return {
        key: sql`r.log_user::text`,
        label: sql`u.user_name`,
        join: sql`LEFT JOIN workspace_user u ON u.tenant_id = ${tenant_id} AND u.user_id = g.key::uuid`,
        order: busiest,
      };
    case 'log_key':
      return {
        key: sql`r.log_key::text`,
        label: sql`k.key_name`,
        join: sql`LEFT JOIN api_key k ON k.tenant_id = ${tenant_id} AND k.key_id = g.key::uuid`,
        order: busiest,
      };
    case 'log_status':
      return { key: sql`r.log_status::text`, label: sql`g.key`, join: nothing, order: busiest };
    case 'log_route':
      return { key: sql`r.log_route`, label: sql`g.key`, join: nothing, order: busiest };
    case 'date':
      return {
        key: sql`to_char(r.log_timestamp AT TIME ZONE ${tz}::text, 'YYYY-MM-DD')`,
        label: sql`g.key`,
        join: nothing,
        order: sql`g.key`,
      };
  }
}
