import { Injectable } from '@nestjs/common';
import { columnsOf, Database, listPage, requireScope, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { HeldRow, RetentionRun, type ChosenDays, type RetentionKey } from '../domain/retention';

export type RetentionRunRow = RetentionRun;

interface StoredPolicy extends ChosenDays {
  readonly ret_key: RetentionKey;
  readonly ret_updated: string;
  readonly ret_updated_by: string | null;
}

type StoredPolicyRow = Omit<StoredPolicy, 'ret_effective_at'> & { readonly ret_effective_at: string | null };

const COLUMNS = sql`ret_key, ret_days, ret_days_before, ret_effective_at, ret_updated, ret_updated_by`;

/** What is due in one workspace on its local day. */
export interface DuePolicies {
  readonly tenant_id: string;
  readonly ret_keys: RetentionKey[];
  readonly run_date: string;
}

/** The run that is under way. */
export interface OpenRun {
  readonly run_id: string;
  readonly run_before: Date;
}

/** Policies that were chosen, and the runs that applied them. */
@Injectable()
export class RetentionRows {
  constructor(private readonly db: Database) {}

  async readPolicies(): Promise<StoredPolicy[]> {
    const rows = await this.db
      .current()
      .query<StoredPolicyRow>(sql`SELECT ${COLUMNS} FROM retention_policy WHERE tenant_id = ${requireScope().tenant_id}`);
    return rows.map(policyOf);
  }

  /** Nobody else chooses for any of these keys until the unit of work ends; taken in one order, so that two never wait for each other. */
  async lockAll(keys: readonly RetentionKey[]): Promise<void> {
    await this.db.current().query(sql`
      SELECT pg_advisory_xact_lock(hashtextextended('retention_policy ' || ${requireScope().tenant_id}::text || ' ' || k.key, 0)) FROM (SELECT key FROM unnest(${[...keys]}::text[]) AS n (key) ORDER BY key) k`);
  }

  /** What was chosen for a key, null when nothing was; with `change` nobody else chooses until the unit of work ends. */
  async lockPolicy(key: RetentionKey, change: boolean): Promise<StoredPolicy | null> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    if (change) await tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`retention_policy ${tenant_id} ${key}`}, 0))`);
    const row = await tx.first<StoredPolicyRow>(
      sql`SELECT ${COLUMNS} FROM retention_policy WHERE tenant_id = ${tenant_id} AND ret_key = ${key}`,
    );
    return row ? policyOf(row) : null;
  }

  async savePolicy(
    key: RetentionKey,
    { ret_days, ret_days_before, ret_effective_at }: ChosenDays,
    now: Date,
    by: string | null,
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO retention_policy (tenant_id, ret_key, ret_days, ret_days_before, ret_effective_at, ret_updated, ret_updated_by)
      VALUES (${requireScope().tenant_id}, ${key}, ${ret_days}, ${ret_days_before}, ${ret_effective_at}, ${now}, ${by})
      ON CONFLICT (tenant_id, ret_key) DO UPDATE SET ret_days = excluded.ret_days, ret_days_before = excluded.ret_days_before, ret_effective_at = excluded.ret_effective_at,
        ret_updated = excluded.ret_updated, ret_updated_by = excluded.ret_updated_by`);
  }

  /** The most days that any workspace keeps what the key is about. */
  async readLongestRetention(key: RetentionKey, standard: number): Promise<number> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ days: number }>('SELECT retention_longest($1, $2) AS days', [key, standard]),
    );
    return row?.days ?? standard;
  }

  findDuePolicies(keys: readonly RetentionKey[], at: Date, after: string | null, limit: number): Promise<DuePolicies[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<DuePolicies & Record<string, unknown>>('SELECT tenant_id, ret_keys, run_date::text FROM retention_due($1, $2, $3, $4)', [
        [...keys],
        at,
        after,
        limit,
      ]),
    );
  }

  /** The run of the day, begun or gone on with; undefined when it is completed. One of an earlier day that was cut off is given up. */
  async beginRun(key: RetentionKey, date: string, before: Date, now: Date): Promise<OpenRun | undefined> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    await tx.execute(sql`
      UPDATE retention_run SET run_status = 'failed', run_finished = ${now}, run_error = 'It was cut off; the run of a later day took over.'
      WHERE tenant_id = ${tenant_id} AND ret_key = ${key} AND run_status = 'running' AND run_date < ${date}::date`);
    const run = await tx.first<{ run_id: string; run_before: string }>(sql`
      INSERT INTO retention_run AS r (tenant_id, run_id, ret_key, run_date, run_before, run_started) VALUES (${tenant_id}, ${newId()}, ${key}, ${date}::date, ${before}, ${now})
      ON CONFLICT (tenant_id, ret_key, run_date) DO UPDATE SET run_status = 'running', run_finished = NULL, run_error = NULL WHERE r.run_status <> 'completed'
      RETURNING run_id, run_before`);
    return run && { run_id: run.run_id, run_before: new Date(run.run_before) };
  }

  /** Keys with a run that was begun and has not been completed: of this day, or cut off on an earlier one. */
  async findUnfinishedKeys(date: string): Promise<RetentionKey[]> {
    const rows = await this.db
      .current()
      .query<{ ret_key: RetentionKey }>(
        sql`SELECT DISTINCT ret_key FROM retention_run WHERE tenant_id = ${requireScope().tenant_id} AND (run_status = 'running' OR (run_date = ${date}::date AND run_status <> 'completed'))`,
      );
    return rows.map(({ ret_key }) => ret_key);
  }

  /** Keeps that these found nothing on that day, so that nobody looks again. */
  async recordNothingFound(date: string, keys: readonly RetentionKey[]): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO retention_check AS l (tenant_id, check_date, check_keys) VALUES (${requireScope().tenant_id}, ${date}::date, ${[...keys]}::text[])
      ON CONFLICT (tenant_id) DO UPDATE SET check_keys = CASE WHEN l.check_date = excluded.check_date THEN l.check_keys ELSE '{}' END || excluded.check_keys, check_date = excluded.check_date`);
  }

  async addRemoved(run_id: string, removed: number, bytes: number): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE retention_run SET run_removed = run_removed + ${removed}::bigint, run_bytes = run_bytes + ${bytes}::bigint WHERE tenant_id = ${requireScope().tenant_id} AND run_id = ${run_id}`);
  }

  /** Ends a run; undefined when another worker did. */
  completeRun(run_id: string, held: number, now: Date): Promise<RetentionRunRow | undefined> {
    return this.db.current().first<RetentionRun & Record<string, unknown>>(sql`
      UPDATE retention_run r SET run_status = 'completed', run_held = ${held}, run_finished = ${now} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_id = ${run_id} AND r.run_status = 'running'
      RETURNING ${columnsOf(RetentionRun)}`);
  }

  async failRun(run_id: string, reason: string, now: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE retention_run SET run_status = 'failed', run_error = ${reason}, run_finished = ${now} WHERE tenant_id = ${requireScope().tenant_id} AND run_id = ${run_id} AND run_status = 'running'`,
      );
  }

  async recordHeldRows(run_id: string, rows: readonly { readonly held_id: string; readonly held_hold: string }[]): Promise<void> {
    if (rows.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO retention_held (tenant_id, held_run, held_id, held_hold)
      SELECT ${requireScope().tenant_id}::uuid, ${run_id}::uuid, n.held_id, n.held_hold FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS n (held_id uuid, held_hold uuid)
      ON CONFLICT DO NOTHING`);
  }

  listLatestRuns(): Promise<{ ret_key: RetentionKey; run_started: string; run_removed: number }[]> {
    return this.db
      .current()
      .query(
        sql`SELECT DISTINCT ON (ret_key) ret_key, run_started, run_removed FROM retention_run WHERE tenant_id = ${requireScope().tenant_id} AND run_status = 'completed' ORDER BY ret_key, run_date DESC`,
      );
  }

  listRuns(query: ListParameters): Promise<Page<RetentionRunRow>> {
    return listPage<RetentionRun>(this.db.current(), RetentionRun, query);
  }

  async hasRun(run_id: string): Promise<boolean> {
    return (
      (await this.db
        .current()
        .first(sql`SELECT 1 FROM retention_run WHERE tenant_id = ${requireScope().tenant_id} AND run_id = ${run_id}`)) !== undefined
    );
  }

  listHeldRows(run_id: string, query: ListParameters): Promise<Page<HeldRow>> {
    return listPage<HeldRow>(this.db.current(), HeldRow, query, { where: sql`r.held_run = ${run_id}` });
  }
}

const policyOf = (row: StoredPolicyRow): StoredPolicy => ({
  ...row,
  ret_effective_at: row.ret_effective_at === null ? null : new Date(row.ret_effective_at),
});
