import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Vectors that were bought, by model and text; the service remembers when they were last of use, to the day. */
@Injectable()
export class EmbeddingCacheRows {
  constructor(private readonly db: Database) {}

  /** Of the texts, those whose vectors are known, by hash. */
  async findVectors(model: string, hashes: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.write(async (tx) => {
      await tx.execute(
        sql`UPDATE embedding_cache SET emb_used = now() WHERE tenant_id = ${tenant_id} AND emb_model = ${model} AND emb_hash = ANY(${[...hashes]}::text[]) AND emb_used < now() - interval '1 day'`,
      );
      return tx.query<{ emb_hash: string; emb_vec: number[] }>(
        sql`SELECT emb_hash, emb_vec::double precision[] AS emb_vec FROM embedding_cache WHERE tenant_id = ${tenant_id} AND emb_model = ${model} AND emb_hash = ANY(${[...hashes]}::text[])`,
      );
    });
    return new Map(rows.map(({ emb_hash, emb_vec }) => [emb_hash, emb_vec]));
  }

  /** Within an open `db.write`. */
  async saveVectors(model: string, vectors: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const rows = [...vectors].map(([hash, vector]) => ({ hash, vector }));
    await this.db.current().execute(sql`
      INSERT INTO embedding_cache (tenant_id, emb_model, emb_hash, emb_vec)
      SELECT ${requireScope().tenant_id}::uuid, ${model}, r.hash, ARRAY(SELECT jsonb_array_elements_text(r.vector)::real) FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r (hash text, vector jsonb)
      ON CONFLICT (tenant_id, emb_model, emb_hash) DO UPDATE SET emb_used = now()`);
  }

  /** Forgets what nobody asked for in so long, in any workspace; how many, at most `most`. */
  async evictVectors(ageSeconds: number, most: number): Promise<number> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ gone: number }>('SELECT embedding_cache_evict($1, $2) AS gone', [ageSeconds, most]),
    );
    return Number(row?.gone ?? 0);
  }
}
