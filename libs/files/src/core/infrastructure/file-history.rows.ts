import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

export interface NewHistoryLine {
  readonly fh_id: string;
  readonly fh_file: string;
  readonly fh_action: string;
  readonly fh_details: JsonObject;
}

/** Who did what is recorded. */
export interface HistoryActor {
  readonly user_id: string | null;
  readonly type: 'user' | 'key' | 'guest' | 'system';
}

/** What happened to files, a row for each event. */
@Injectable()
export class FileHistoryRows {
  constructor(private readonly db: Database) {}

  async insertLines(lines: readonly NewHistoryLine[], { user_id, type }: HistoryActor): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO file_history (tenant_id, fh_id, fh_file, fh_action, fh_details, fh_actor, fh_actor_type)
      SELECT ${requireScope().tenant_id}::uuid, h.fh_id, h.fh_file, h.fh_action, h.fh_details, ${user_id}::uuid, ${type}
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS h (fh_id uuid, fh_file uuid, fh_action text, fh_details jsonb)`);
  }
}
