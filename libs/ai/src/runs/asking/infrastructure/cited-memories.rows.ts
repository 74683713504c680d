import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Memories that citations name. */
@Injectable()
export class CitedMemoryRows {
  constructor(private readonly db: Database) {}

  /** Those of the memories that are of the person. */
  async filterMemoriesOf(user: string, mem_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db
      .current()
      .query<{ mem_id: string }>(
        sql`SELECT m.mem_id FROM memory m WHERE m.tenant_id = ${requireScope().tenant_id} AND m.mem_user = ${user}::uuid AND m.mem_id = ANY(${[...mem_ids]}::uuid[])`,
      );
    return new Set(rows.map(({ mem_id }) => mem_id));
  }
}
