import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

export const ATTEMPT_STEPS = ['token', 'upload', 'process', 'create', 'verify'] as const;
export type AttemptStep = (typeof ATTEMPT_STEPS)[number];
export type AttemptStatus = 'running' | 'done' | 'failed' | 'unknown';

/** One step of an attempt to send a variant. */
export interface AttemptRow {
  readonly spa_id: string;
  readonly spa_variant: string;
  readonly spa_number: number;
  readonly spa_step: AttemptStep;
  readonly spa_status: AttemptStatus;
  readonly spa_http: number | null;
  readonly spa_error: string | null;
  readonly spa_request_id: string | null;
  readonly spa_started: string;
  readonly spa_ended: string | null;
}

export interface StepEnd {
  readonly status: Exclude<AttemptStatus, 'running'>;
  readonly http?: number | null;
  readonly error?: string | null;
  readonly request_id?: string | null;
}

const LONGEST_ERROR = 1_000;
const mine = () => requireScope().tenant_id;

/** What was tried to send variants, step by step; nothing of it is changed once a step has ended. */
@Injectable()
export class AttemptRows {
  constructor(private readonly db: Database) {}

  async insertStep(spa_id: string, spv_id: string, number: number, step: AttemptStep): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO social_attempt (tenant_id, spa_id, spa_variant, spa_number, spa_step, spa_status) VALUES (${mine()}, ${spa_id}, ${spv_id}, ${number}, ${step}, 'running')`,
      );
  }

  async endStep(spa_id: string, { status, http = null, error = null, request_id = null }: StepEnd): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE social_attempt SET spa_status = ${status}, spa_http = ${http}::integer, spa_error = ${error?.slice(0, LONGEST_ERROR) ?? null}, spa_request_id = ${request_id}, spa_ended = now()
          WHERE tenant_id = ${mine()} AND spa_id = ${spa_id} AND spa_status = 'running'`,
    );
  }

  /** When a create of the attempt began whose end nobody saw; null where there is none. */
  async findOpenCreate(spv_id: string, number: number): Promise<Date | null> {
    const row = await this.db
      .current()
      .first<{ spa_started: string }>(
        sql`SELECT spa_started FROM social_attempt WHERE tenant_id = ${mine()} AND spa_variant = ${spv_id} AND spa_number = ${number} AND spa_step = 'create' AND spa_status IN ('running', 'unknown') LIMIT 1`,
      );
    return row ? new Date(row.spa_started) : null;
  }

  /** When the first create began whose outcome is not known. */
  async findUnknownSince(spv_id: string): Promise<Date | null> {
    const row = await this.db
      .current()
      .first<{ since: string | null }>(
        sql`SELECT min(spa_started) AS since FROM social_attempt WHERE tenant_id = ${mine()} AND spa_variant = ${spv_id} AND spa_step = 'create' AND spa_status = 'unknown'`,
      );
    return row?.since ? new Date(row.since) : null;
  }

  async endLostSteps(spv_id: string, number: number): Promise<void> {
    await this.db.current().execute(
      sql`UPDATE social_attempt SET spa_status = CASE WHEN spa_step = 'create' THEN 'unknown' ELSE 'failed' END, spa_error = 'The worker was lost.', spa_ended = now()
          WHERE tenant_id = ${mine()} AND spa_variant = ${spv_id} AND spa_number = ${number} AND spa_status = 'running'`,
    );
  }

  listAttempts(sp_id: string, most: number): Promise<AttemptRow[]> {
    return this.db.current().query<AttemptRow & Record<string, unknown>>(
      sql`SELECT a.spa_id, a.spa_variant, a.spa_number, a.spa_step, a.spa_status, a.spa_http, a.spa_error, a.spa_request_id, a.spa_started, a.spa_ended
          FROM social_variant v JOIN social_attempt a ON a.tenant_id = v.tenant_id AND a.spa_variant = v.spv_id
          WHERE v.tenant_id = ${mine()} AND v.spv_post = ${sp_id} ORDER BY a.spa_started, a.spa_id LIMIT ${most}`,
    );
  }

  async countBefore(before: Date): Promise<{ readonly rows: number; readonly oldest: string | null }> {
    const row = await this.db
      .current()
      .first<{ rows: number; oldest: string | null }>(
        sql`SELECT count(*)::integer AS rows, min(spa_started) AS oldest FROM social_attempt WHERE tenant_id = ${mine()} AND spa_started < ${before}`,
      );
    return row ?? { rows: 0, oldest: null };
  }

  removeBefore(before: Date, batch: number): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`DELETE FROM social_attempt WHERE tenant_id = ${mine()} AND spa_id IN (SELECT spa_id FROM social_attempt WHERE tenant_id = ${mine()} AND spa_started < ${before} ORDER BY spa_started, spa_id LIMIT ${batch})`,
      );
  }
}
