import { Injectable } from '@nestjs/common';
import { Database, sql, requireScope } from '@atrium/platform/database';
import { Embedder, VectorIndex } from '@atrium/retrieval';
import { MOST_MEMORIES } from '../domain/memory';
import { MemoriesRepository } from '../infrastructure/memories.repository';

const MEMORY_KIND = 'memory';

/** Memories by their meaning: 500 short texts a person, compared one by one. */
@Injectable()
export class MemoryVectors {
  constructor(
    private readonly db: Database,
    private readonly memories: MemoriesRepository,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
  ) {}

  /** Embeds a memory outside of any unit of work. One that has changed by then has a job of its own; one that is gone stays gone. */
  async indexMemory(mem_id: string): Promise<void> {
    const memory = await this.db.read(() => this.memories.findRow(mem_id));
    if (!memory) return;
    const { vectors, model } = await this.embedder.embedTexts([memory.mem_value], 'passage');
    const [vector] = vectors;
    if (!vector) return;
    await this.db.write(async () => {
      const now = await this.memories.lockIfThere(mem_id);
      if (now?.mem_hash === memory.mem_hash)
        await this.vectors.putVectors(MEMORY_KIND, model, [{ id: mem_id, vector, hash: memory.mem_hash }]);
    });
  }

  /** How similar a person's memories are to a text, by their ids; empty where the text cannot be embedded. Outside of any unit of work. */
  async measureLikeness(user: string, text: string): Promise<ReadonlyMap<string, number>> {
    const query = await this.embedder.embedQuery(text);
    if (!query) return new Map();
    const among = sql`SELECT m.mem_id FROM memory m WHERE m.tenant_id = ${requireScope().tenant_id}::uuid AND m.mem_user = ${user}::uuid AND m.mem_active`;
    const near = await this.db.read(() =>
      this.vectors.findNearest(
        MEMORY_KIND,
        { vector: query.vector },
        { model: query.model, limit: MOST_MEMORIES, threshold: 0, among, exact: true },
      ),
    );
    return new Map(near.map(({ id, similarity }) => [id, similarity]));
  }

  /** Within the unit of work that removes the memories. */
  async deleteVectors(mem_ids: readonly string[]): Promise<void> {
    if (mem_ids.length > 0) await this.vectors.removeVectors(MEMORY_KIND, mem_ids);
  }
}
