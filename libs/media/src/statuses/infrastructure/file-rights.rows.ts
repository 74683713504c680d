import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** What of a file decides whether it may be used. */
export interface Releasable extends Record<string, unknown> {
  readonly file_id: string;
  readonly repo_type: string;
  readonly file_status: string;
  readonly file_rights_expires: string | null;
  /** The end of the rights was reported, whatever the clock here says. */
  readonly is_told: boolean;
}

/** A file whose rights end, and the days before at which that is reported; 0: when they have ended. */
export interface ExpiringFile extends Record<string, unknown> {
  readonly file_id: string;
  readonly expires: string;
  readonly days: number;
}

/** How long the rights to files last, and which ends were reported. */
@Injectable()
export class FileRightsRows {
  constructor(private readonly db: Database) {}

  findReleasable(file_ids: readonly string[]): Promise<Releasable[]> {
    return this.db.current().query<Releasable>(sql`
      SELECT r.file_id, r.repo_type, r.file_status, r.file_rights_expires,
             r.file_rights_expires IS NOT NULL AND EXISTS (SELECT FROM file_rights_notice n WHERE n.tenant_id = r.tenant_id AND n.frn_file = r.file_id AND n.frn_expires = r.file_rights_expires AND n.frn_days = 0) AS is_told
      FROM file r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.file_id = ANY(${[...file_ids]}::uuid[])`);
  }

  /** Notes of some library files that the end of their rights is reported, those that end first; which nobody noted in the meantime. */
  insertNotices({ now, until, most }: { readonly now: Date; readonly until: Date; readonly most: number }): Promise<ExpiringFile[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query<ExpiringFile>(sql`
      WITH ending AS MATERIALIZED (
        SELECT r.file_id, r.file_rights_expires AS expires,
               CASE WHEN r.file_rights_expires <= ${now}::timestamptz THEN 0 WHEN r.file_rights_expires <= ${now}::timestamptz + interval '7 days' THEN 7 ELSE 30 END AS days
        FROM file r
        WHERE r.tenant_id = ${tenant_id}::uuid AND r.repo_key = 'media' AND r.file_deleted IS NULL AND r.file_rights_expires <= ${until}::timestamptz
          AND NOT EXISTS (SELECT FROM file_rights_notice n WHERE n.tenant_id = r.tenant_id AND n.frn_file = r.file_id AND n.frn_expires = r.file_rights_expires
            AND n.frn_days = CASE WHEN r.file_rights_expires <= ${now}::timestamptz THEN 0 WHEN r.file_rights_expires <= ${now}::timestamptz + interval '7 days' THEN 7 ELSE 30 END)
        ORDER BY r.file_rights_expires, r.file_id LIMIT ${most}),
      told AS (
        INSERT INTO file_rights_notice (tenant_id, frn_file, frn_expires, frn_days) SELECT ${tenant_id}::uuid, file_id, expires, days FROM ending ON CONFLICT DO NOTHING RETURNING frn_file)
      SELECT e.file_id, e.expires, e.days FROM ending e JOIN told t ON t.frn_file = e.file_id`);
  }
}
