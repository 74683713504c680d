import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { ConsentPlace } from '../domain/consent';

/** How far the ended consents of each source were handled. */
@Injectable()
export class ConsentPositionRows {
  constructor(private readonly db: Database) {}

  async findPosition(source: string): Promise<ConsentPlace | null> {
    const row = await this.db
      .current()
      .first<{ at: string; id: string; file_id: string }>(
        sql`SELECT cl_at AS at, cl_id AS id, cl_file AS file_id FROM consent_expiry_position WHERE tenant_id = ${requireScope().tenant_id} AND cl_source = ${source}`,
      );
    return row ? { ...row, at: new Date(row.at) } : null;
  }

  /** A place before the one that is stored changes nothing. */
  async advancePosition(source: string, { at, id, file_id }: ConsentPlace): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO consent_expiry_position (tenant_id, cl_source, cl_at, cl_id, cl_file) VALUES (${requireScope().tenant_id}::uuid, ${source}, ${at}, ${id}::uuid, ${file_id}::uuid)
      ON CONFLICT (tenant_id, cl_source) DO UPDATE SET cl_at = excluded.cl_at, cl_id = excluded.cl_id, cl_file = excluded.cl_file
      WHERE (consent_expiry_position.cl_at, consent_expiry_position.cl_id, consent_expiry_position.cl_file) < (excluded.cl_at, excluded.cl_id, excluded.cl_file)`);
  }
}
