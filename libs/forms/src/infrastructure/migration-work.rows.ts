import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { WorkAttempt, WorkRows } from '@atrium/platform/messaging';
import { MigrationWork } from '../domain/migration-work';

const ENDED = sql`mig_status IN ('done', 'failed')`;

/** The rows of `form_migration` as those of tracked work. */
@Injectable()
export class MigrationWorkRows implements WorkRows<MigrationWork> {
  constructor(private readonly db: Database) {}

  async lock(form_id: string): Promise<MigrationWork> {
    const row = await this.db.current().first<Record<string, unknown>>(sql`
      SELECT mig_form AS job_id, CASE mig_status WHEN 'done' THEN 'completed' ELSE mig_status END AS status, mig_done AS done, mig_error AS error,
        mig_started AS job_started, CASE WHEN ${ENDED} THEN mig_updated END AS job_finished, mig_revision AS job_attempt
      FROM form_migration WHERE ${ofForm(form_id)} FOR UPDATE`);
    if (!row) throw notFound('schema change');
    return Object.assign(new MigrationWork(), row);
  }

  save({ job_id, status, error, job_started }: MigrationWork): Promise<unknown> {
    return this.db.current().execute(sql`
      UPDATE form_migration SET mig_status = ${status === 'completed' ? 'done' : status}, mig_error = ${error}, mig_started = ${job_started}, mig_updated = now()
      WHERE ${ofForm(job_id)}`);
  }

  async isRunning({ job_id, job_attempt }: WorkAttempt): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM form_migration WHERE ${ofForm(job_id)} AND mig_revision = ${job_attempt} AND mig_status = 'running'`);
    return row !== undefined;
  }
}

const ofForm = (form_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND mig_form = ${form_id}`;
