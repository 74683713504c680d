import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** How much can be found in a scope, and how much of it waits or failed. */
export interface ScopeCount {
  readonly passages: number;
  readonly pending: number;
  readonly failed: number;
}

interface Row extends Record<string, unknown>, ScopeCount {
  readonly scope_key: string;
}

const NOTHING: ScopeCount = { passages: 0, pending: 0, failed: 0 };

/** Passages, waiting and failed sources of scopes, in two statements however many scopes there are. */
@Injectable()
export class ScopeCounts {
  constructor(private readonly db: Database) {}

  /**
   * By the keys of the scopes; a repository of files has the key of its scope. Of files those count that the condition `shown` on `r` (a row
   * of `file`) lets through. Within a unit of work.
   */
  async countByScope(keys: readonly string[], shown: Sql): Promise<(key: string) => ScopeCount> {
    if (keys.length === 0) return () => NOTHING;
    const { tenant_id } = requireScope();
    const sources = await this.db.current().query<Row>(sql`
      SELECT k.scope_key, coalesce(sum(s.source_passages), 0)::integer AS passages, count(*) FILTER (WHERE s.source_status = 'pending')::integer AS pending, count(*) FILTER (WHERE s.source_status = 'failed')::integer AS failed
      FROM passage_scope k JOIN passage_source s ON s.tenant_id = k.tenant_id AND s.source_kind = k.source_kind AND s.source_id = k.source_id
      WHERE k.tenant_id = ${tenant_id} AND k.scope_key = ANY(${[...keys]}::text[])
        AND (k.source_kind <> 'file' OR EXISTS (SELECT FROM file r WHERE r.tenant_id = k.tenant_id AND r.file_id = k.source_id AND ${shown})) GROUP BY 1`);
    const texts = await this.db.current().query<Row>(sql`
      SELECT r.repo_key AS scope_key, 0 AS passages, count(*) FILTER (WHERE t.ft_status IN ('pending', 'running'))::integer AS pending, count(*) FILTER (WHERE t.ft_status = 'failed')::integer AS failed
      FROM file r JOIN file_text t ON t.tenant_id = r.tenant_id AND t.file_id = r.file_id AND t.ft_version = r.file_hash
      WHERE r.tenant_id = ${tenant_id} AND r.repo_key = ANY(${[...keys]}::text[]) AND r.file_deleted IS NULL AND ${shown} AND t.ft_status IN ('pending', 'running', 'failed') GROUP BY 1`);
    const counts = new Map<string, ScopeCount>();
    for (const { scope_key, ...row } of [...sources, ...texts]) {
      const { passages, pending, failed } = counts.get(scope_key) ?? NOTHING;
      counts.set(scope_key, { passages: passages + row.passages, pending: pending + row.pending, failed: failed + row.failed });
    }
    return (key) => counts.get(key) ?? NOTHING;
  }
}
