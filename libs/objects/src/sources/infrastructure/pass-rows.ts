import { Injectable } from '@nestjs/common';
import { shortenedSentence } from '@atrium/forms';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { Ids, jsonPieces } from '@atrium/platform/kernel';
import type { NewSyncRow } from '../domain/sync-row';

/** What is known of an external id when its row comes. */
export interface KnownRow extends Record<string, unknown> {
  readonly external_id: string;
  /** The page of this pass on which it was met before. */
  readonly seen_page: number | null;
  /** A person deleted its object, and it was purged since. */
  readonly is_removed: boolean;
  readonly obj_id: string | null;
  readonly obj_form: string | null;
  readonly obj_hash: string | null;
  readonly obj_active: boolean | null;
  readonly obj_dropped: boolean | null;
}

export interface MissingObject extends Record<string, unknown> {
  readonly obj_id: string;
  readonly obj_external_id: string;
}

interface Pass {
  readonly job_id: string;
  readonly osr_id: string;
}

const LONGEST_ERROR = 1_000;
const MOST_HELD = 10_000;
const FORGOTTEN_AT_ONCE = 10_000;
const REMOVED_AT_ONCE = 10_000;

/** What a pass has met and what became of it, and the objects that it has not met. */
@Injectable()
export class PassRows {
  constructor(
    private readonly db: Database,
    private readonly ids: Ids,
  ) {}

  /**
   * Marks external ids as met on a page, and answers what is known of each: one statement for all of them, which looks each id up
   * whatever the planner believes of tables that have just been filled.
   */
  markSeen(
    { job_id, osr_id }: Pass,
    page: number,
    said: readonly { readonly external_id: string; readonly gone: boolean }[],
  ): Promise<readonly KnownRow[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<KnownRow>(sql`
      WITH said AS (SELECT external_id, gone FROM jsonb_to_recordset(${JSON.stringify(said)}::jsonb) AS s (external_id text, gone boolean)),
           met AS (INSERT INTO object_sync_seen AS v (tenant_id, job_id, external_id, page, gone) SELECT ${tenant_id}::uuid, ${job_id}::uuid, external_id, ${page}, gone FROM said
                   ON CONFLICT (tenant_id, job_id, external_id) DO UPDATE SET page = excluded.page, gone = excluded.gone)
      SELECT s.external_id, v.page AS seen_page, x.external_id IS NOT NULL AS is_removed, o.obj_id, o.obj_form, o.obj_hash, o.obj_active, o.obj_dropped
      FROM said s
      LEFT JOIN LATERAL (SELECT v.page FROM object_sync_seen v WHERE v.tenant_id = ${tenant_id} AND v.job_id = ${job_id} AND v.external_id = s.external_id LIMIT 1) v ON true
      LEFT JOIN LATERAL (SELECT o.obj_id, o.obj_form, o.obj_hash, o.obj_active, o.obj_dropped FROM object o
        WHERE o.tenant_id = ${tenant_id} AND o.obj_source = ${osr_id} AND o.obj_external_id = s.external_id LIMIT 1) o ON true
      LEFT JOIN LATERAL (SELECT x.external_id FROM object_source_removal x WHERE x.tenant_id = ${tenant_id} AND x.osr_id = ${osr_id} AND x.external_id = s.external_id LIMIT 1) x ON true`);
  }

  /** Writes what became of rows. */
  async insertRows(job_id: string, rows: readonly NewSyncRow[]): Promise<void> {
    if (rows.length === 0) return;
    const lines = rows.map(({ external_id, action, obj_id, error = null, diff = [] }) => ({
      row_id: this.ids.next(),
      external_id,
      action,
      obj_id,
      error: error === null ? null : shortenedSentence(error, LONGEST_ERROR),
      diff,
    }));
    for (const { text } of jsonPieces(lines))
      await this.db.current().execute(sql`
      INSERT INTO object_sync_row (tenant_id, row_id, job_id, external_id, action, obj_id, error, diff)
      SELECT ${requireScope().tenant_id}::uuid, f.row_id, ${job_id}::uuid, f.external_id, f.action, f.obj_id, f.error, f.diff
      FROM jsonb_to_recordset(${text}::jsonb) AS f (row_id uuid, external_id text, action text, obj_id uuid, error text, diff jsonb)`);
  }

  /**
   * Notes what the source said last of objects, beside their content, which has its own revisions; answers what the present revision
   * of each says that it changed.
   */
  async saveHashes(
    hashes: readonly { readonly obj_id: string; readonly hash: string }[],
  ): Promise<ReadonlyMap<string, readonly unknown[]>> {
    if (hashes.length === 0) return new Map();
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ obj_id: string; rev_changes: readonly unknown[] }>(sql`
      WITH noted AS (UPDATE object o SET obj_hash = h.hash FROM jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) AS h (obj_id uuid, hash text)
                     WHERE o.tenant_id = ${tenant_id} AND o.obj_id = h.obj_id RETURNING o.obj_id, o.row_version)
      SELECT n.obj_id, v.rev_changes FROM noted n JOIN object_revision v ON v.tenant_id = ${tenant_id} AND v.rev_object = n.obj_id AND v.rev_version = n.row_version`);
    return new Map(rows.map(({ obj_id, rev_changes }) => [obj_id, rev_changes]));
  }

  /** How many objects would go, of how many that the source had before the pass; `all`: also those that it merely did not say. */
  async countMissing({ job_id, osr_id }: Pass, all: boolean): Promise<{ readonly missing: number; readonly before: number }> {
    const row = await this.db.current().first<{ missing: number; before: number }>(sql`
      SELECT count(*) FILTER (WHERE ${isMissing(job_id, all)}) AS missing, count(*) FILTER (WHERE o.obj_created < (SELECT r.started FROM object_sync_run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.job_id = ${job_id})) AS before
      FROM object o WHERE ${standing(osr_id)}`);
    return row ?? { missing: 0, before: 0 };
  }

  /** Some of the objects that would go, behind an external id. */
  findNextMissing(
    { job_id, osr_id }: Pass,
    { all, after, most }: { readonly all: boolean; readonly after: string; readonly most: number },
  ): Promise<readonly MissingObject[]> {
    return this.db.current().query<MissingObject>(sql`
      SELECT o.obj_id, o.obj_external_id FROM object o WHERE ${standing(osr_id)} AND o.obj_external_id > ${after} AND ${isMissing(job_id, all)} ORDER BY o.obj_external_id LIMIT ${most}`);
  }

  /** Lists what is held back. */
  async insertHeldBack({ job_id, osr_id }: Pass, all: boolean): Promise<void> {
    const held = await this.db
      .current()
      .query<MissingObject>(
        sql`SELECT o.obj_id, o.obj_external_id FROM object o WHERE ${standing(osr_id)} AND ${isMissing(job_id, all)} ORDER BY o.obj_external_id LIMIT ${MOST_HELD}`,
      );
    await this.insertRows(
      job_id,
      held.map(({ obj_id, obj_external_id }) => ({ external_id: obj_external_id, action: 'held', obj_id })),
    );
  }

  /** Forgets some of what a finished run has met; whether more is left. */
  async deleteSeen(job_id: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    const gone = await this.db.current().execute(sql`
      DELETE FROM object_sync_seen WHERE tenant_id = ${tenant_id} AND ctid = ANY (ARRAY(
        SELECT s.ctid FROM object_sync_seen s JOIN object_sync_run r USING (tenant_id, job_id)
        WHERE s.tenant_id = ${tenant_id} AND s.job_id = ${job_id} AND r.finished IS NOT NULL LIMIT ${FORGOTTEN_AT_ONCE}))`);
    return gone === FORGOTTEN_AT_ONCE;
  }

  /** Removes some of what became of rows and of what was met in runs that a condition on `r` selects; whether more is left. */
  async removeOf(runs: Sql): Promise<boolean> {
    const { tenant_id } = requireScope();
    const chosen = sql`(SELECT r.job_id FROM object_sync_run r WHERE r.tenant_id = ${tenant_id} AND ${runs})`;
    const rows = await this.db.current().execute(sql`
      DELETE FROM object_sync_row WHERE tenant_id = ${tenant_id} AND ctid = ANY (ARRAY(
        SELECT w.ctid FROM object_sync_row w WHERE w.tenant_id = ${tenant_id} AND w.job_id IN ${chosen} LIMIT ${REMOVED_AT_ONCE}))`);
    const seen = await this.db.current().execute(sql`
      DELETE FROM object_sync_seen WHERE tenant_id = ${tenant_id} AND ctid = ANY (ARRAY(
        SELECT v.ctid FROM object_sync_seen v WHERE v.tenant_id = ${tenant_id} AND v.job_id IN ${chosen} LIMIT ${REMOVED_AT_ONCE}))`);
    return rows === REMOVED_AT_ONCE || seen === REMOVED_AT_ONCE;
  }

  /** Lets go some of the objects of a source: they are the workspace's own. An id elsewhere that the schema has already is left out. */
  async detachObjects(osr_id: string, most: number): Promise<number> {
    const { tenant_id } = requireScope();
    return this.db.current().execute(sql`
      UPDATE object o SET obj_source = NULL, obj_hash = NULL, obj_locked_fields = '{}', row_version = o.row_version + 1,
        obj_external_id = CASE WHEN o.obj_active AND EXISTS (SELECT 1 FROM object k WHERE k.tenant_id = ${tenant_id} AND k.obj_form = o.obj_form AND k.obj_source IS NULL AND k.obj_active AND k.obj_external_id = o.obj_external_id)
                          THEN NULL ELSE o.obj_external_id END
      FROM (SELECT obj_id FROM object WHERE tenant_id = ${tenant_id} AND obj_source = ${osr_id} LIMIT ${most} FOR UPDATE) x
      WHERE o.tenant_id = ${tenant_id} AND o.obj_id = x.obj_id`);
  }
}

const standing = (osr_id: string): Sql =>
  sql`o.tenant_id = ${requireScope().tenant_id} AND o.obj_source = ${osr_id} AND o.obj_active AND o.obj_external_id IS NOT NULL`;

/** Said to be deleted, or where `all` counts, not met. */
function isMissing(job_id: string, all: boolean): Sql {
  const seen = sql`SELECT 1 FROM object_sync_seen v WHERE v.tenant_id = ${requireScope().tenant_id} AND v.job_id = ${job_id} AND v.external_id = o.obj_external_id`;
  return all ? sql`NOT EXISTS (${seen} AND NOT v.gone)` : sql`EXISTS (${seen} AND v.gone)`;
}
