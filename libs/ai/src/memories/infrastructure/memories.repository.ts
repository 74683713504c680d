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
} from '@atrium/platform/database';
import { Memory, MOST_MEMORIES, type MemoryType } from '../domain/memory';

/** A memory as its person sees it. */
export type MemoryRow = Omit<
  Memory,
  'tenant_id' | 'row_version' | 'describe' | 'mem_user' | 'mem_hash' | 'mem_tainted' | 'mem_wordings'
> & {
  readonly row_version?: number;
};

/** A memory as runs are given it. */
export interface ActiveMemory extends Record<string, unknown> {
  readonly mem_id: string;
  readonly mem_value: string;
  readonly mem_type: MemoryType;
  readonly mem_updated: Date;
  readonly mem_tainted: boolean;
}

/** A memory that is gone. */
export type RemovedMemory = Pick<Memory, 'mem_id' | 'mem_value' | 'mem_wordings'>;

/** Memories, each statement for one person. */
@Injectable()
export class MemoriesRepository extends ResourceRepository<Memory> {
  constructor(db: Database) {
    super(db, Memory, 'memory');
  }

  listMemories(user: string, query: ListParameters): Promise<Page<MemoryRow>> {
    return listPage<MemoryRow>(this.db.current(), Memory, query, { where: sql`r.mem_user = ${user}::uuid` });
  }

  findMemoryRow(user: string, mem_id: string): Promise<MemoryRow | undefined> {
    return this.db
      .current()
      .first<MemoryRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(Memory)}, r.row_version FROM memory r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.mem_user = ${user}::uuid AND r.mem_id = ${mem_id}`,
      );
  }

  /** Those who write down memories of one person wait for each other, so that their number and their texts hold. */
  async lockMemoriesOf(user: string): Promise<void> {
    await this.db
      .current()
      .query(
        sql`SELECT pg_advisory_xact_lock(hashtextextended('memories:' || ${requireScope().tenant_id}::text || ':' || ${user}::text, 0))`,
      );
  }

  /** The text that a memory has now, which stays until the unit of work ends; undefined when it is gone. */
  async lockIfThere(mem_id: string): Promise<{ readonly mem_hash: string } | undefined> {
    return this.db
      .current()
      .first(sql`SELECT mem_hash FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_id = ${mem_id} FOR SHARE`);
  }

  /** Those of the memories that are still there; a deletion of them waits until the unit of work ends. */
  async holdThose(mem_ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (mem_ids.length === 0) return new Set();
    const rows = await this.db
      .current()
      .query<{ mem_id: string }>(
        sql`SELECT mem_id FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_id = ANY(${[...mem_ids]}::uuid[]) ORDER BY mem_id FOR KEY SHARE`,
      );
    return new Set(rows.map(({ mem_id }) => mem_id));
  }

  /** The memory with this text. */
  async findByHash(user: string, mem_hash: string): Promise<string | null> {
    const row = await this.db
      .current()
      .first<{ mem_id: string }>(
        sql`SELECT mem_id FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_user = ${user}::uuid AND mem_hash = ${mem_hash}`,
      );
    return row?.mem_id ?? null;
  }

  /** Agents use it again. */
  async activateMemory(mem_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE memory SET mem_active = true, mem_updated = now(), row_version = row_version + 1 WHERE tenant_id = ${requireScope().tenant_id} AND mem_id = ${mem_id}`,
      );
  }

  /** How many a person has; asked after `lockMemoriesOf`. */
  async countMemories(user: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_user = ${user}::uuid`,
      );
    return Number(row?.count ?? 0);
  }

  /** What agents may use, the newest first. */
  listActive(user: string): Promise<ActiveMemory[]> {
    return this.db.query<ActiveMemory>(
      sql`SELECT mem_id, mem_value, mem_type, mem_updated, mem_tainted FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_user = ${user}::uuid AND mem_active ORDER BY mem_updated DESC, mem_id DESC LIMIT ${MOST_MEMORIES}`,
    );
  }

  /** Removes all of a person's memories, or those among the ids; which they were. */
  removeAll(user: string, mem_ids: readonly string[] | null = null): Promise<RemovedMemory[]> {
    const named = mem_ids === null ? sql`true` : sql`mem_id = ANY(${[...mem_ids]}::uuid[])`;
    return this.db
      .current()
      .query<RemovedMemory & Record<string, unknown>>(
        sql`DELETE FROM memory WHERE tenant_id = ${requireScope().tenant_id} AND mem_user = ${user}::uuid AND ${named} RETURNING mem_id, mem_value, mem_wordings`,
      );
  }
}
