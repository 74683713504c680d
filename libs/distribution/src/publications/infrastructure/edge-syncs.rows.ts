import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** A changed rule that edges are to learn of, and the last publication for which they did. */
export interface EdgeSync extends Record<string, unknown> {
  readonly es_restriction: string | null;
  readonly es_after: string | null;
}

/** Changed rules until edges know them for every publication that they apply to. */
@Injectable()
export class EdgeSyncRows {
  constructor(private readonly db: Database) {}

  async insertSync(es_id: string, restriction: string | null): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO edge_sync (tenant_id, es_id, es_restriction) VALUES (${requireScope().tenant_id}, ${es_id}, ${restriction}::uuid)`,
      );
  }

  findSync(es_id: string): Promise<EdgeSync | undefined> {
    return this.db.current().first<EdgeSync>(sql`SELECT es_restriction, es_after FROM edge_sync WHERE ${sync(es_id)}`);
  }

  async advanceSync(es_id: string, after: string): Promise<void> {
    await this.db.current().execute(sql`UPDATE edge_sync SET es_after = ${after}, es_touched = now() WHERE ${sync(es_id)}`);
  }

  async touchSync(es_id: string): Promise<void> {
    await this.db.current().execute(sql`UPDATE edge_sync SET es_touched = now() WHERE ${sync(es_id)}`);
  }

  async deleteSync(es_id: string): Promise<void> {
    await this.db.current().execute(sql`DELETE FROM edge_sync WHERE ${sync(es_id)}`);
  }
}

const sync = (es_id: string): Sql => sql`tenant_id = ${requireScope().tenant_id} AND es_id = ${es_id}`;
