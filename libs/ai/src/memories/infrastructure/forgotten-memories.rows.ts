import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { RemovedMemory } from './memories.repository';

/** A memory that is gone, with every wording of it that is known: copies of it are left, or may be. */
export interface ForgottenMemory {
  readonly mem_id: string;
  readonly texts: readonly string[];
}

/** Memories that are gone, until no copy of them is left. Each statement but the last is for one person. */
@Injectable()
export class ForgottenMemories {
  constructor(private readonly db: Database) {}

  async add(user: string, memories: readonly RemovedMemory[]): Promise<void> {
    if (memories.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO memory_forgotten (tenant_id, mem_id, mem_user, fg_texts)
      SELECT ${requireScope().tenant_id}, f.mem_id, ${user}::uuid, ARRAY[f.mem_value] FROM jsonb_to_recordset(${JSON.stringify(
        memories.map(({ mem_id, mem_value }) => ({ mem_id, mem_value })),
      )}::jsonb) AS f (mem_id uuid, mem_value text) ON CONFLICT DO NOTHING`);
  }

  /** Ids alone, of memories whose text nobody knows any more but the runs that were given them. */
  async addUnworded(user: string, mem_ids: readonly string[]): Promise<void> {
    if (mem_ids.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO memory_forgotten (tenant_id, mem_id, mem_user) SELECT ${requireScope().tenant_id}, n.mem_id, ${user}::uuid FROM unnest(${[...mem_ids]}::uuid[]) AS n (mem_id)
      ON CONFLICT DO NOTHING`);
  }

  of(user: string): Promise<ForgottenMemory[]> {
    return this.db
      .current()
      .query<ForgottenMemory & Record<string, unknown>>(
        sql`SELECT f.mem_id, f.fg_texts AS texts FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_user = ${user}::uuid ORDER BY f.mem_id`,
      );
  }

  /** Another wording that a run was given. */
  async noteWording(mem_id: string, text: string): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE memory_forgotten f SET fg_texts = f.fg_texts || ${text}::text
      WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_id = ${mem_id} AND NOT ${text}::text = ANY (f.fg_texts)`);
  }

  /** No copy is left; how many they were. */
  remove(user: string, mem_ids: readonly string[]): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`DELETE FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_user = ${user}::uuid AND f.mem_id = ANY (${[...mem_ids]}::uuid[])`,
      );
  }

  /** People of the workspace with memories of which copies are left. */
  async people(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ mem_user: string }>(sql`SELECT DISTINCT f.mem_user FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id}`);
    return rows.map(({ mem_user }) => mem_user);
  }
}
