import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import type { Decision } from '../domain/approval-request';
import type { Waiting } from './approval-requests.repository';

/** What a person decided on a request. */
export interface DecisionRow {
  readonly request: string;
  readonly user: string;
  readonly decision: Decision;
  readonly comment: string | null;
  readonly at: string;
}

/** A decision that is made now. */
export interface NewDecision {
  readonly request: string;
  readonly user: string;
  readonly decision: Decision;
  readonly comment: string | null;
}

/** What people have decided on requests, and whom open ones wait for. */
@Injectable()
export class DecisionRows {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Decisions on the requests, the oldest first. */
  listDecisions(requests: readonly string[]): Promise<DecisionRow[]> {
    if (requests.length === 0) return Promise.resolve([]);
    return this.db.current().query<DecisionRow>(sql`
      SELECT cad_request AS request, cad_by AS "user", cad_decision AS decision, cad_comment AS comment, cad_at AS at FROM approval_decision
      WHERE tenant_id = ${requireScope().tenant_id} AND cad_request = ANY(${[...requests]}::uuid[]) ORDER BY cad_at, cad_id`);
  }

  /** A second decision of a person takes the place of the first. */
  async recordDecision({ request, user, decision, comment }: NewDecision): Promise<void> {
    const now = this.clock.now();
    await this.db.current().execute(sql`
      INSERT INTO approval_decision (tenant_id, cad_id, cad_request, cad_by, cad_decision, cad_comment, cad_at)
      VALUES (${requireScope().tenant_id}, ${this.ids.next()}, ${request}, ${user}, ${decision}, ${comment}, ${now})
      ON CONFLICT (tenant_id, cad_request, cad_by) DO UPDATE SET cad_decision = EXCLUDED.cad_decision, cad_comment = EXCLUDED.cad_comment, cad_at = EXCLUDED.cad_at, row_version = approval_decision.row_version + 1`);
  }

  async insertWaiting(request: string, waiting: readonly Waiting[]): Promise<void> {
    const rows = waiting.map(({ kind, ref }) => ({ id: this.ids.next(), kind, ref }));
    await this.db.current().execute(sql`
      INSERT INTO approval_waiting (tenant_id, caw_id, caw_request, caw_kind, caw_ref)
      SELECT ${requireScope().tenant_id}::uuid, w.id, ${request}::uuid, w.kind, w.ref FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS w (id uuid, kind text, ref text)
      ON CONFLICT DO NOTHING`);
  }

  /** Closed requests wait for nobody. */
  async removeWaiting(requests: readonly string[]): Promise<void> {
    if (requests.length === 0) return;
    await this.db
      .current()
      .execute(
        sql`DELETE FROM approval_waiting WHERE tenant_id = ${requireScope().tenant_id} AND caw_request = ANY(${[...requests]}::uuid[])`,
      );
  }
}
