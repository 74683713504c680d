import { Injectable } from '@nestjs/common';
import { Database, sql } from '@atrium/platform/database';

/** A licence as an operator grants it; without a start it begins now. */
export interface GrantedLicence {
  readonly module: string;
  readonly starts: Date | null;
  readonly ends: Date | null;
  readonly source: string | null;
  readonly note: string | null;
}

/** Licences as operators write them, one for each module of a workspace. Within a writing unit of work. */
@Injectable()
export class GrantedLicenceRows {
  constructor(private readonly db: Database) {}

  async saveLicence(ws_id: string, { module, starts, ends, source, note }: GrantedLicence): Promise<void> {
    await this.db.current().execute(
      sql`INSERT INTO licence (tenant_id, lic_module, lic_starts_at, lic_expires_at, lic_source, lic_note) VALUES (${ws_id}, ${module}, coalesce(${starts}::timestamptz, date_trunc('milliseconds', now())), ${ends}, ${source}, ${note})
            ON CONFLICT (tenant_id, lic_module) DO UPDATE SET lic_starts_at = excluded.lic_starts_at, lic_expires_at = excluded.lic_expires_at, lic_source = excluded.lic_source, lic_note = excluded.lic_note, lic_updated = now()`,
    );
  }

  async endLicence(ws_id: string, module: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`UPDATE licence SET lic_expires_at = now(), lic_updated = now() WHERE tenant_id = ${ws_id} AND lic_module = ${module}`);
  }

  /** The sweep does not announce its end. */
  async markAnnounced(ws_id: string, module: string): Promise<void> {
    await this.db.current().execute(sql`UPDATE licence SET lic_announced = 0 WHERE tenant_id = ${ws_id} AND lic_module = ${module}`);
  }
}
