import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
  type MethodsOf,
} from '@atrium/platform/database';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { PrivacyRequest } from '../domain/privacy-request';

type Behaviour = MethodsOf<PrivacyRequest> | 'awaitsHolds' | 'isRunning';

/** A request as it is shown. */
export type PrivacyRequestRow = Omit<
  PrivacyRequest,
  Behaviour | 'tenant_id' | 'row_version' | 'dsr_user' | 'dsr_subject_key' | 'dsr_archive' | 'dsr_stored'
>;

/** Privacy requests as aggregates, and the statements that need none. */
@Injectable()
export class PrivacyRequestsRepository extends ResourceRepository<PrivacyRequest> {
  constructor(db: Database) {
    super(db, PrivacyRequest, 'privacy request');
  }

  listRequests(query: ListParameters, where: Sql): Promise<Page<PrivacyRequestRow>> {
    return listPage<PrivacyRequestRow>(this.db.current(), PrivacyRequest, query, { where });
  }

  findRequestRow(id: string): Promise<(PrivacyRequestRow & { row_version: number }) | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(PrivacyRequest)}, r.row_version FROM privacy_request r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.dsr_id = ${id}`,
      );
  }

  /** Writes how far a run is, without making the request another version. */
  async recordProgress(id: string, done: number, total: number): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE privacy_request SET dsr_done = ${done}, dsr_total = ${total} WHERE tenant_id = ${requireScope().tenant_id} AND dsr_id = ${id} AND dsr_status = 'running'`,
      );
  }

  /** Keeps whom an erasure is about while it waits for legal holds. */
  async saveSubject(id: string, { email, name }: PersonSubject): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO erasure_subject (tenant_id, dsr_id, es_email, es_name) VALUES (${requireScope().tenant_id}, ${id}, ${email}, ${name}) ON CONFLICT DO NOTHING`);
  }

  /** Whom an erasure is about that has waited for legal holds. */
  async findStoredSubject(id: string): Promise<Pick<PersonSubject, 'email' | 'name'> | undefined> {
    return this.db
      .current()
      .first<Pick<PersonSubject, 'email' | 'name'> & Record<string, unknown>>(
        sql`SELECT es_email AS email, es_name AS name FROM erasure_subject WHERE tenant_id = ${requireScope().tenant_id} AND dsr_id = ${id}`,
      );
  }

  async forgetSubject(id: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM erasure_subject WHERE tenant_id = ${requireScope().tenant_id} AND dsr_id = ${id}`);
  }

  /** Erasures that are blocked. */
  async findBlockedErasures(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ dsr_id: string }>(
        sql`SELECT dsr_id FROM privacy_request WHERE tenant_id = ${requireScope().tenant_id} AND dsr_kind = 'erasure' AND dsr_status = 'blocked' ORDER BY dsr_id`,
      );
    return rows.map(({ dsr_id }) => dsr_id);
  }

  /** Whether a legal hold was released since a moment. */
  async hasReleaseSince(moment: Date): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM legal_hold WHERE tenant_id = ${requireScope().tenant_id} AND lh_released_at >= ${moment} LIMIT 1`);
    return row !== undefined;
  }

  /** How many archives of the workspace at hand are over their time and still count. */
  async countOver(
    now: Date,
  ): Promise<{ readonly rows: number; readonly bytes: number; readonly held: number; readonly oldest: string | null }> {
    const counted = await this.db.current().first<{ rows: number; bytes: number; held: number; oldest: string | null }>(sql`
      SELECT count(*) AS rows, coalesce(sum(dsr_bytes), 0)::bigint AS bytes, 0 AS held, min(dsr_expires_at) AS oldest
      FROM privacy_request WHERE tenant_id = ${requireScope().tenant_id} AND dsr_stored AND dsr_expires_at <= ${now}`);
    return counted ?? { rows: 0, bytes: 0, held: 0, oldest: null };
  }

  /** Some of them no longer count; the job that looks for due archives removes their bytes. */
  async uncountOver(now: Date, most: number): Promise<number[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ dsr_bytes: number | null }>(sql`
      UPDATE privacy_request d SET dsr_stored = false, row_version = d.row_version + 1 WHERE d.tenant_id = ${tenant_id} AND d.dsr_id = ANY (ARRAY(
        SELECT r.dsr_id FROM privacy_request r WHERE r.tenant_id = ${tenant_id} AND r.dsr_stored AND r.dsr_expires_at <= ${now} ORDER BY r.dsr_expires_at LIMIT ${most} FOR UPDATE SKIP LOCKED))
      RETURNING d.dsr_bytes`);
    return rows.map(({ dsr_bytes }) => dsr_bytes ?? 0);
  }

  /** Requests of all workspaces whose archives are to go. */
  listDueArchives(limit: number): Promise<{ readonly tenant_id: string; readonly dsr_id: string }[]> {
    return this.db.acrossTenants((tx) =>
      tx.query<{ tenant_id: string; dsr_id: string }>('SELECT tenant_id, dsr_id FROM privacy_archives_due($1)', [limit]),
    );
  }
}
