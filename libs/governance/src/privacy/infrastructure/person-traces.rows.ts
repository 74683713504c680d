import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { forgetOutcomes } from '@atrium/platform/http';
import type { PersonSubject } from '../../shared/domain/person-subject';
import { personPattern } from '../../shared/infrastructure/person-pattern';
import { ERASED } from '../domain/privacy-request';

/** Traces of a person in tables that the service may add to but not change: definer functions take the person out. */
@Injectable()
export class PersonTraces {
  constructor(private readonly db: Database) {}

  /** Some rows of the access log; how many were changed, none when nothing is left. */
  async forgetRequests({ user_id, email, name }: PersonSubject, limit: number): Promise<number> {
    const row = await this.db.write((tx) =>
      tx.first<{ changed: number }>(sql`SELECT access_log_forget(${user_id}::uuid, ${email}, ${name}, ${limit}) AS changed`),
    );
    return row?.changed ?? 0;
  }

  /** Kept answers of the person, and of requests whose key mentions them: repeated, such a request is carried out again. */
  forgetKeys(person: PersonSubject, limit: number): Promise<number> {
    const { user_id } = person;
    return this.db.write((tx) => forgetOutcomes(tx, { user_id, pattern: personPattern(person) }, limit));
  }

  /** A stretch of the outbox; where it ended, null at the end. */
  async forgetEvents(
    { email, name }: PersonSubject,
    after: string | null,
    limit: number,
  ): Promise<{ readonly changed: number; readonly last: string | null }> {
    const row = await this.db.write((tx) =>
      tx.first<{ changed: number; last: string | null }>(
        sql`SELECT changed, last FROM outbox_forget(${email}, ${name}, ${after}::uuid, ${limit})`,
      ),
    );
    return row ?? { changed: 0, last: null };
  }

  /** The storage keys of archives that contain the person. */
  async listArchives({ user_id, email }: PersonSubject): Promise<string[]> {
    const rows = await this.db.read((tx) =>
      tx.query<{ dsr_archive: string }>(
        sql`SELECT dsr_archive FROM privacy_request WHERE tenant_id = ${requireScope().tenant_id} AND dsr_archive IS NOT NULL AND (dsr_user = ${user_id}::uuid OR dsr_subject = ${email}::text)`,
      ),
    );
    return rows.map(({ dsr_archive }) => dsr_archive);
  }

  /** Requests about the person, except the one that is being fulfilled, name no address any more, and offer no archive; how many were changed, and the sizes of archives that counted as stored. */
  async forgetPrivacyRequests({ user_id, email }: PersonSubject): Promise<{ readonly changed: number; readonly freed: readonly number[] }> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ freed: number | null }>(sql`
      WITH known AS (
        SELECT dsr_id, CASE WHEN dsr_stored THEN coalesce(dsr_bytes, 0) END AS freed FROM privacy_request
        WHERE tenant_id = ${tenant_id} AND (dsr_user = ${user_id}::uuid OR dsr_subject = ${email}::text)
          AND (dsr_kind <> 'erasure' OR dsr_status <> 'running') AND (dsr_archive IS NOT NULL OR dsr_stored OR (dsr_subject_type = 'email' AND dsr_subject <> ${ERASED})) FOR UPDATE)
      UPDATE privacy_request r SET dsr_archive = NULL, dsr_stored = false, dsr_expires_at = least(dsr_expires_at, now()), dsr_updated = now(), row_version = row_version + 1,
        dsr_subject = CASE WHEN dsr_subject_type = 'email' THEN ${ERASED} ELSE dsr_subject END, dsr_subject_key = CASE WHEN dsr_user IS NULL THEN r.dsr_id::text ELSE dsr_subject_key END
      FROM known WHERE r.tenant_id = ${tenant_id} AND r.dsr_id = known.dsr_id RETURNING known.freed`);
    return { changed: rows.length, freed: rows.flatMap(({ freed }) => (freed === null ? [] : [freed])) };
  }
}
