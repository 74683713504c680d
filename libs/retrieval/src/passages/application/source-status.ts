import { sql, type Sql } from '@atrium/platform/database';

/** How far a source is: its passages are there, it waits for them, or they could not be made. */
export const SOURCE_STATUSES = ['pending', 'ready', 'failed', 'excluded'] as const;
export type SourceStatus = (typeof SOURCE_STATUSES)[number];

/** What a list adds to itself: one join, and expressions over it. */
export interface SourceStatusColumns {
  readonly join: Sql;
  readonly status: Sql;
  readonly error: Sql;
  readonly passages: Sql;
}

/**
 * What the index says of the sources of a kind, for lists of the context that keeps them: a join by the id of the source, and over it
 * the status and the reason of a failure. A source that is in no scope, or has no text, is excluded.
 */
export const sourceStatus = (kind: string, id: Sql): SourceStatusColumns => ({
  join: sql`LEFT JOIN LATERAL (
    SELECT s.source_error, s.source_passages, CASE WHEN s.source_status = 'live' THEN CASE WHEN s.source_passages = 0 THEN 'excluded' ELSE 'ready' END ELSE s.source_status END AS status
    FROM passage_source s WHERE s.tenant_id = r.tenant_id AND s.source_kind = ${kind} AND s.source_id = ${id}
      AND EXISTS (SELECT FROM passage_scope k WHERE k.tenant_id = s.tenant_id AND k.source_kind = s.source_kind AND k.source_id = s.source_id)) index_state ON true`,
  status: sql`coalesce(index_state.status, 'excluded')`,
  error: sql`index_state.source_error`,
  passages: sql`coalesce(index_state.source_passages, 0)`,
});
