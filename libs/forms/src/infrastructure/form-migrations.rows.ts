import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type UnitOfWork } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import type { Move } from '../domain/moves';

export type MigrationStatus = 'queued' | 'running' | 'done' | 'failed';

/** Work on the stored rows of a form. */
export interface FormMigration {
  readonly mig_form: string;
  readonly mig_revision: number;
  readonly mig_status: MigrationStatus;
  readonly mig_done: number;
  readonly mig_cursor: string | null;
  readonly mig_moves: readonly Move[];
  /** Keys whose index rows are not all there yet. */
  readonly mig_keys: readonly string[];
  /** Keys whose index rows nothing asks for any more. */
  readonly mig_dropped: readonly string[];
  /** Whether titles, words or passages change too. */
  readonly mig_reworded: boolean;
  /** The form that this one was copied of, and the base whose rows still have it; null: none have. */
  readonly mig_from: string | null;
  readonly mig_within: string | null;
}

/** Rows that are to have a copy of their form. */
export interface RowsOfCopy {
  readonly from: string;
  /** What they are in: a base. */
  readonly within: string;
  readonly total: number;
  /** Keys whose index rows still name the other form. */
  readonly keys: readonly string[];
}

export type NewMigration = Pick<FormMigration, 'mig_form' | 'mig_revision' | 'mig_moves' | 'mig_keys' | 'mig_dropped' | 'mig_reworded'> & {
  readonly mig_total: number;
};

/** What is left to do on stored rows, one row a form. */
@Injectable()
export class FormMigrationRows {
  constructor(private readonly db: Database) {}

  findMigration(form_id: string): Promise<FormMigration | undefined> {
    return this.tx.first(sql`SELECT * FROM form_migration WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id}`);
  }

  lockMigration(form_id: string): Promise<FormMigration | undefined> {
    return this.tx.first(sql`SELECT * FROM form_migration WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id} FOR UPDATE`);
  }

  beginMigration({ mig_form, mig_revision, mig_total, mig_moves, mig_keys, mig_dropped, mig_reworded }: NewMigration): Promise<number> {
    return this.tx.execute(sql`
      INSERT INTO form_migration (tenant_id, mig_id, mig_created, mig_form, mig_revision, mig_status, mig_total, mig_moves, mig_keys, mig_dropped, mig_reworded)
      VALUES (${this.tenant}, ${newId()}, now(), ${mig_form}, ${mig_revision}, 'queued', ${mig_total}, ${JSON.stringify(mig_moves)}, ${[...mig_keys]}::text[], ${[...mig_dropped]}::text[], ${mig_reworded})
      ON CONFLICT (tenant_id, mig_form) DO UPDATE SET mig_id = EXCLUDED.mig_id, mig_created = now(), mig_started = NULL, mig_revision = EXCLUDED.mig_revision, mig_status = 'queued', mig_done = 0, mig_total = EXCLUDED.mig_total, mig_cursor = NULL,
        mig_moves = EXCLUDED.mig_moves, mig_keys = EXCLUDED.mig_keys, mig_dropped = EXCLUDED.mig_dropped, mig_reworded = EXCLUDED.mig_reworded, mig_error = NULL, mig_updated = now()`);
  }

  /** Rows of another form are to have this one, which is new and a copy of it. */
  beginCopy(form_id: string, revision: number, { from, within, total, keys }: RowsOfCopy): Promise<number> {
    return this.tx.execute(sql`
      INSERT INTO form_migration (tenant_id, mig_id, mig_created, mig_form, mig_revision, mig_status, mig_total, mig_keys, mig_from, mig_within)
      VALUES (${this.tenant}, ${newId()}, now(), ${form_id}, ${revision}, 'queued', ${total}, ${[...keys]}::text[], ${from}, ${within})`);
  }

  /** Has rows go on to take the form where that was given up; whether it was. */
  async resumeCopy(form_id: string): Promise<boolean> {
    const resumed = await this.tx.execute(
      sql`UPDATE form_migration SET mig_id = ${newId()}, mig_created = now(), mig_started = NULL, mig_status = 'queued', mig_error = NULL, mig_updated = now() WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id} AND mig_status = 'failed' AND mig_from IS NOT NULL`,
    );
    return resumed > 0;
  }

  /** Whether rows are still to change from the form, or to it. */
  async isCopying(form_id: string): Promise<boolean> {
    const row = await this.tx.first(
      sql`SELECT 1 FROM form_migration WHERE tenant_id = ${this.tenant} AND mig_from IS NOT NULL AND (mig_form = ${form_id} OR mig_from = ${form_id}) LIMIT 1`,
    );
    return row !== undefined;
  }

  /** No rows have the other form any more; whether they are all to follow a change of the form as well. */
  async endCopy(form_id: string): Promise<boolean> {
    const more = sql`(mig_revision > 1 OR mig_reworded)`;
    const row = await this.tx.first<{ more: boolean }>(sql`
      UPDATE form_migration SET mig_from = NULL, mig_within = NULL, mig_cursor = NULL, mig_total = greatest(mig_total, mig_done), mig_done = CASE WHEN ${more} THEN 0 ELSE mig_done END
      WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id} RETURNING ${more} AS more`);
    return row?.more ?? false;
  }

  advanceMigration(form_id: string, rows: number, cursor: string | null, status: MigrationStatus): Promise<number> {
    return this.tx.execute(
      sql`UPDATE form_migration SET mig_status = ${status}, mig_started = coalesce(mig_started, now()), mig_done = mig_done + ${rows}, mig_cursor = coalesce(${cursor}, mig_cursor), mig_updated = now() WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id}`,
    );
  }

  /** Nothing is left to do: content is stored as it is read. */
  finishMigration(form_id: string): Promise<number> {
    return this.tx.execute(
      sql`UPDATE form_migration SET mig_status = 'done', mig_moves = '[]', mig_keys = '{}', mig_dropped = '{}', mig_reworded = false, mig_error = NULL, mig_updated = now() WHERE tenant_id = ${this.tenant} AND mig_form = ${form_id}`,
    );
  }

  private get tx(): UnitOfWork {
    return this.db.current();
  }

  private get tenant(): string {
    return requireScope().tenant_id;
  }
}
