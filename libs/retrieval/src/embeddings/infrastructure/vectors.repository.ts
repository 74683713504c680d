import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { LoopTurns } from '@atrium/platform/kernel';
import type { Entry, Near, Nearness } from '../domain/nearness';
import { piecesOf, signatureOf } from '../domain/unit-vector';

export type VectorEngine = 'pgvector' | 'sql';

/** What is looked for: a vector, or the one of a thing. */
export type Origin = { readonly vector: readonly number[] } | { readonly id: string };

/** So many candidates are compared exactly for each that is wanted, and at least so many at all. */
const OVERSAMPLING = 4;
const COMPARED_AT_LEAST = 4_000;
const COMPARED_EXACTLY = 1_000_000;
/** Processes that help to read the signatures of many vectors; all other statements are read by one. */
const READERS = 2;

/** The vectors of a workspace in PostgreSQL: with the extension `vector` where it is, else in pieces with signatures. */
@Injectable()
export class VectorsRepository {
  private found: Promise<VectorEngine> | undefined;

  constructor(private readonly db: Database) {}

  /** Found when the tables were made; asked once a process. */
  detectEngine(): Promise<VectorEngine> {
    this.found ??= this.db
      .read((tx) =>
        tx.first(sql`SELECT 1 FROM pg_attribute WHERE attrelid = 'vector_entry'::regclass AND attname = 've_vec' AND NOT attisdropped`),
      )
      .then((column) => (column ? 'pgvector' : 'sql'))
      .catch((error: unknown) => {
        this.found = undefined;
        throw error;
      });
    return this.found;
  }

  async putVectors(engine: VectorEngine, kind: string, model: string, entries: readonly Entry[]): Promise<void> {
    const rows: object[] = [];
    const turns = new LoopTurns();
    for (const { id, vector, hash = null } of entries) {
      if (turns.isOver) await turns.awaitNextTurn();
      rows.push(
        engine === 'pgvector'
          ? { id, hash, vec: `[${vector.join(',')}]` }
          : { id, hash, sig: signatureOf(vector), pieces: piecesOf(vector) },
      );
    }
    const values = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)`;
    const { tenant_id } = requireScope();
    await this.db.current().execute(
      engine === 'pgvector'
        ? sql`INSERT INTO vector_entry (tenant_id, ve_kind, ve_model, ve_id, ve_hash, ve_vec) SELECT ${tenant_id}::uuid, ${kind}, ${model}, r.id, r.hash, r.vec::vector FROM ${values} AS r (id uuid, hash text, vec text)
              ON CONFLICT (tenant_id, ve_kind, ve_model, ve_id) DO UPDATE SET ve_hash = excluded.ve_hash, ve_vec = excluded.ve_vec, ve_updated = now()`
        : sql`INSERT INTO vector_entry (tenant_id, ve_kind, ve_model, ve_id, ve_hash, ve_sig, ve_chunks)
              SELECT ${tenant_id}::uuid, ${kind}, ${model}, r.id, r.hash, r.sig::bit(512), ARRAY(SELECT p.piece::cube FROM jsonb_array_elements_text(r.pieces) WITH ORDINALITY AS p (piece, at) ORDER BY p.at)
              FROM ${values} AS r (id uuid, hash text, sig text, pieces jsonb)
              ON CONFLICT (tenant_id, ve_kind, ve_model, ve_id) DO UPDATE SET ve_hash = excluded.ve_hash, ve_sig = excluded.ve_sig, ve_chunks = excluded.ve_chunks, ve_updated = now()`,
    );
  }

  /** The nearest, best first; ties in the order of their ids. A thing is not near itself. */
  findNearest(engine: VectorEngine, kind: string, origin: Origin, nearness: Nearness): Promise<Near[]> {
    return engine === 'pgvector' ? this.nearByExtension(kind, origin, nearness) : this.nearByPieces(kind, origin, nearness);
  }

  async findHashes(kind: string, model: string, ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.db
      .current()
      .query<{ ve_id: string; ve_hash: string | null }>(
        sql`SELECT ve_id, ve_hash FROM vector_entry v WHERE ${ofKind(kind, model)} AND ve_id = ANY(${[...ids]}::uuid[])`,
      );
    return new Map(rows.map(({ ve_id, ve_hash }) => [ve_id, ve_hash]));
  }

  async removeVectors(kind: string, ids: readonly string[]): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`DELETE FROM vector_entry WHERE tenant_id = ${requireScope().tenant_id} AND ve_kind = ${kind} AND ve_id = ANY(${[...ids]}::uuid[])`,
      );
  }

  /** Signatures say which are worth comparing; what is compared is compared exactly. */
  private async nearByPieces(kind: string, origin: Origin, { model, limit, threshold, among, exact = false }: Nearness): Promise<Near[]> {
    const compared = exact ? COMPARED_EXACTLY : Math.max(OVERSAMPLING * limit, COMPARED_AT_LEAST);
    const sought = 'id' in origin ? await this.storedPieces(kind, model, origin.id) : soughtOf(origin.vector);
    if (!sought) return [];
    const tx = this.db.current();
    await tx.execute(`SET LOCAL max_parallel_workers_per_gather = ${READERS}`);
    // The signature beside the rest leaves it to the database to read those of the index with several processes; each candidate is looked up once.
    const near = await tx.query<{ id: string; similarity: number } & Near>(sql`
      WITH sought AS MATERIALIZED (SELECT ${[...sought.pieces]}::cube[] AS pieces),
      candidates AS MATERIALIZED (
        SELECT v.ve_id FROM vector_entry v WHERE ${ofKind(kind, model)} AND ${inQuestion(origin, among)} ORDER BY bit_count(v.ve_sig # (SELECT ${sought.sig}::bit(512))) LIMIT ${compared}),
      compared AS MATERIALIZED (
        SELECT c.ve_id, (SELECT 1 - sum((p.a <-> p.b) ^ 2) / 2 FROM unnest(v.ve_chunks, s.pieces) AS p (a, b) HAVING count(p.a) = count(p.b)) AS cosine
        FROM candidates c CROSS JOIN LATERAL (SELECT v.ve_chunks FROM vector_entry v WHERE ${ofKind(kind, model)} AND v.ve_id = c.ve_id OFFSET 0) v CROSS JOIN sought s)
      SELECT ve_id AS id, least(1, greatest(0, cosine)) AS similarity FROM compared WHERE cosine >= ${threshold}::double precision ORDER BY cosine DESC, ve_id LIMIT ${limit}`);
    await tx.execute('SET LOCAL max_parallel_workers_per_gather TO DEFAULT');
    return near;
  }

  private storedPieces(kind: string, model: string, id: string): Promise<Sought | undefined> {
    return this.db
      .current()
      .first<Sought & Record<string, unknown>>(
        sql`SELECT v.ve_sig::text AS sig, ARRAY(SELECT p.piece::text FROM unnest(v.ve_chunks) WITH ORDINALITY AS p (piece, at) ORDER BY p.at) AS pieces FROM vector_entry v WHERE ${ofKind(kind, model)} AND v.ve_id = ${id}::uuid`,
      );
  }

  private async nearByExtension(
    kind: string,
    origin: Origin,
    { model, limit, threshold, among, exact = false }: Nearness,
  ): Promise<Near[]> {
    const tx = this.db.current();
    const sought =
      'id' in origin
        ? sql`(SELECT ve_vec FROM vector_entry v WHERE ${ofKind(kind, model)} AND ve_id = ${origin.id}::uuid)`
        : sql`${`[${origin.vector.join(',')}]`}::vector`;
    if (exact) await tx.execute('SET LOCAL enable_indexscan = off');
    else await tx.query(`SELECT set_config('hnsw.iterative_scan', 'strict_order', true), set_config('hnsw.ef_search', '100', true)`);
    const rows = await tx.query<{ id: string; similarity: number } & Near>(sql`
      SELECT v.ve_id AS id, least(1, greatest(0, 1 - (v.ve_vec <=> ${sought}))) AS similarity FROM vector_entry v
      WHERE ${ofKind(kind, model)} AND ${inQuestion(origin, among)} ORDER BY v.ve_vec <=> ${sought}, v.ve_id LIMIT ${limit}`);
    if (exact) await tx.execute('SET LOCAL enable_indexscan = on');
    // A thing without a vector is near nothing, which the database says as null.
    return rows.filter(({ similarity }) => similarity !== null && similarity >= threshold);
  }
}

/** A vector as it is looked for: its signature, and its pieces as texts. */
interface Sought {
  readonly sig: string;
  readonly pieces: readonly string[];
}

const soughtOf = (vector: readonly number[]): Sought => ({ sig: signatureOf(vector), pieces: piecesOf(vector) });

const ofKind = (kind: string, model: string): Sql =>
  sql`v.tenant_id = ${requireScope().tenant_id}::uuid AND v.ve_kind = ${kind} AND v.ve_model = ${model}`;

const inQuestion = (origin: Origin, among: Sql | undefined): Sql => {
  const other = 'id' in origin ? sql`v.ve_id <> ${origin.id}::uuid` : sql`true`;
  return among ? sql`${other} AND v.ve_id IN (${among})` : other;
};
