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

  async insertForgotten(user: string, memories: readonly RemovedMemory[]): Promise<void> {
    if (memories.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO memory_forgotten (tenant_id, mem_id, mem_user, fg_texts)
      SELECT ${requireScope().tenant_id}, f.mem_id, ${user}::uuid, f.texts FROM jsonb_to_recordset(${JSON.stringify(
        memories.map(({ mem_id, mem_value, mem_wordings }) => ({ mem_id, texts: [mem_value, ...mem_wordings] })),
      )}::jsonb) AS f (mem_id uuid, texts text[]) ON CONFLICT DO NOTHING`);
  }

  /** Ids alone, of memories whose text nobody knows any more but the runs that were given them. */
  async addUnworded(user: string, mem_ids: readonly string[]): Promise<void> {
    if (mem_ids.length === 0) return;
    await this.db.current().execute(sql`
      INSERT INTO memory_forgotten (tenant_id, mem_id, mem_user) SELECT ${requireScope().tenant_id}, n.mem_id, ${user}::uuid FROM unnest(${[...mem_ids]}::uuid[]) AS n (mem_id)
      ON CONFLICT DO NOTHING`);
  }

  findForgotten(user: string): Promise<ForgottenMemory[]> {
    return this.db
      .current()
      .query<ForgottenMemory & Record<string, unknown>>(
        sql`SELECT f.mem_id, f.fg_texts AS texts FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_user = ${user}::uuid ORDER BY f.mem_id`,
      );
  }

  /** Every other wording that a run of the person was given: before the first copy is blanked, so that each is looked for everywhere. */
  async noteWordings(user: string): Promise<void> {
    const { tenant_id } = requireScope();
    await this.db.current().execute(sql`
      UPDATE memory_forgotten f SET fg_texts = ARRAY(SELECT DISTINCT t.text FROM unnest(f.fg_texts || w.texts) AS t (text))
      FROM (SELECT s.one->>'source_id' AS mem_id, array_agg(DISTINCT s.one->>'text') AS texts
        FROM run r CROSS JOIN LATERAL jsonb_array_elements(r.run_sources) AS s (one)
        WHERE r.tenant_id = ${tenant_id} AND r.run_user = ${user}::uuid AND s.one->>'source_kind' = 'memory' AND s.one->>'text' <> '' GROUP BY 1) w
      WHERE f.tenant_id = ${tenant_id} AND f.mem_user = ${user}::uuid AND f.mem_id::text = w.mem_id AND NOT w.texts <@ f.fg_texts`);
  }

  /** Whether copies of a memory of the person may be left. */
  async hasAny(user: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_user = ${user}::uuid LIMIT 1`);
    return row !== undefined;
  }

  /** No copy is left; how many they were. */
  deleteForgotten(user: string, mem_ids: readonly string[]): Promise<number> {
    return this.db
      .current()
      .execute(
        sql`DELETE FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.mem_user = ${user}::uuid AND f.mem_id = ANY (${[...mem_ids]}::uuid[])`,
      );
  }

  /** People of the workspace with memories of which copies are left. */
  async findPeople(): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ mem_user: string }>(sql`SELECT DISTINCT f.mem_user FROM memory_forgotten f WHERE f.tenant_id = ${requireScope().tenant_id}`);
    return rows.map(({ mem_user }) => mem_user);
  }
}
