import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Blob, MarkedPictures, MarkedSet } from '../domain/blob';
import { RENDITIONS, type Renditions } from '../domain/renditions';

const COLUMNS = raw(
  'blob_id, blob_hash, blob_size, blob_type, blob_key, blob_replicas, blob_system, blob_marked, blob_scanned, blob_malware, blob_corrupt',
);

export interface NewBlob {
  readonly blob_id: string;
  readonly blob_key: string;
  readonly blob_size: number;
  readonly blob_type: string;
}

/** What reading a blob's bytes decided. */
export interface BlobContent {
  readonly blob_hash: string;
  readonly blob_size: number;
  readonly blob_type: string;
  readonly blob_key: string;
}

/**
 * The rows of blobs. References are counted in the transaction that makes or drops them; at zero a blob is an orphan
 * that the sweeper removes a day later, unless equal bytes arrive before.
 */
@Injectable()
export class BlobsRepository {
  constructor(private readonly db: Database) {}

  findBlob(blob_id: string): Promise<Blob | undefined> {
    return this.db.current().first<Blob>(sql`SELECT ${COLUMNS} FROM file_blob WHERE ${one(blob_id)}`);
  }

  async insertBlob(blob: NewBlob, refs: 0 | 1): Promise<Blob> {
    const { tenant_id } = requireScope();
    const state = refs === 0 ? sql`'orphan', now()` : sql`'live', NULL`;
    await this.db.current().execute(sql`
      INSERT INTO file_blob (tenant_id, blob_id, blob_key, blob_size, blob_type, blob_refs, blob_state, blob_orphaned)
      VALUES (${tenant_id}, ${blob.blob_id}, ${blob.blob_key}, ${blob.blob_size}, ${blob.blob_type}, ${refs}, ${state})`);
    return {
      ...blob,
      blob_hash: null,
      blob_replicas: {},
      blob_system: null,
      blob_marked: {},
      blob_scanned: null,
      blob_malware: null,
      blob_corrupt: null,
    };
  }

  /** The blob of equal bytes with further references, or nothing when the workspace holds no such bytes. */
  reuseBlob(hash: string, size: number, references = 1): Promise<Blob | undefined> {
    return this.db.current().first<Blob>(sql`
      UPDATE file_blob SET blob_refs = blob_refs + ${references}, blob_state = 'live', blob_orphaned = NULL
      WHERE tenant_id = ${requireScope().tenant_id} AND blob_hash = ${hash} AND blob_size = ${size} RETURNING ${COLUMNS}`);
  }

  /** One more reference to a blob that has some. */
  async addReference(blob_id: string): Promise<void> {
    await this.db.current().execute(sql`UPDATE file_blob SET blob_refs = blob_refs + 1 WHERE ${one(blob_id)}`);
  }

  /** Fewer references: one for every time an id is named. */
  async releaseReferences(blobIds: readonly string[]): Promise<void> {
    if (blobIds.length === 0) return;
    await this.db.current().execute(sql`
      WITH dropped AS (SELECT id, count(*)::integer AS times FROM unnest(${[...blobIds]}::uuid[]) AS id GROUP BY id),
           held AS (SELECT b.blob_id, d.times FROM file_blob b JOIN dropped d ON d.id = b.blob_id
                    WHERE b.tenant_id = ${requireScope().tenant_id} ORDER BY b.blob_id FOR UPDATE OF b)
      UPDATE file_blob b SET blob_refs = b.blob_refs - h.times,
             blob_state = CASE WHEN b.blob_refs <= h.times THEN 'orphan' ELSE 'live' END,
             blob_orphaned = CASE WHEN b.blob_refs <= h.times THEN now() END
      FROM held h WHERE b.tenant_id = ${requireScope().tenant_id} AND b.blob_id = h.blob_id`);
  }

  /** Lets one unit of work at a time decide which blob holds the bytes of a hash. */
  async lockHash(hash: string): Promise<void> {
    await this.db.current().query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`blob:${requireScope().tenant_id}:${hash}`}, 0))`);
  }

  /** The row is the one of these bytes from now on. */
  async saveContent(blob_id: string, content: BlobContent): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE file_blob SET blob_hash = ${content.blob_hash}, blob_size = ${content.blob_size}, blob_type = ${content.blob_type}, blob_key = ${content.blob_key}
      WHERE ${one(blob_id)}`);
  }

  /** All references go to the blob that holds equal bytes; the row stays, as an orphan, until its objects are gone. */
  async supersedeBlob(blob_id: string, by: string, key: string): Promise<void> {
    const tenant = requireScope().tenant_id;
    const tx = this.db.current();
    await tx.execute(sql`UPDATE file_version SET fv_blob = ${by} WHERE tenant_id = ${tenant} AND fv_blob = ${blob_id}`);
    await tx.execute(sql`UPDATE file SET file_blob = ${by} WHERE tenant_id = ${tenant} AND file_blob = ${blob_id}`);
    await tx.execute(
      sql`UPDATE file_blob SET blob_refs = 0, blob_state = 'orphan', blob_orphaned = now(), blob_key = ${key} WHERE ${one(blob_id)}`,
    );
  }

  /** The blob with the number of its references, its row locked. */
  lockBlob(blob_id: string): Promise<(Blob & { readonly blob_refs: number }) | undefined> {
    return this.db
      .current()
      .first<Blob & { blob_refs: number }>(sql`SELECT ${COLUMNS}, blob_refs FROM file_blob WHERE ${one(blob_id)} FOR UPDATE`);
  }

  /**
   * Stores the result of an inspection, unless another run has added or removed something since the blob was read; returns
   * whether it did.
   */
  async saveInspection({ blob_id, blob_replicas, blob_system }: Blob, replicas: Renditions, system: JsonObject): Promise<boolean> {
    const changed = await this.db.current().execute(sql`
      UPDATE file_blob SET blob_replicas = ${JSON.stringify(replicas)}, blob_system = ${JSON.stringify(system)}
      WHERE ${one(blob_id)} AND blob_malware IS NULL AND NOT (blob_state = 'orphan' AND blob_hash IS NULL)
        AND blob_replicas = ${JSON.stringify(blob_replicas)}::jsonb AND (blob_system IS NULL) = ${blob_system === null}`);
    return changed === 1;
  }

  /** Keeps the pictures that have a mark, or that none could be made; those of other marks stay. Kept before: nothing changes; gone: the bytes are out of reach, and so must be what was made of them. */
  async saveMarkedPictures(blob_id: string, digest: string, marked: MarkedSet): Promise<'kept' | 'kept before' | 'gone'> {
    const tx = this.db.current();
    const within = sql`${one(blob_id)} AND blob_malware IS NULL AND NOT (blob_state = 'orphan' AND blob_hash IS NULL)`;
    const kept = await tx.query(sql`
      UPDATE file_blob SET blob_marked = blob_marked || jsonb_build_object(${digest}::text, ${JSON.stringify(marked)}::jsonb) WHERE ${within} AND NOT coalesce(blob_marked -> ${digest}::text ?| ${[...RENDITIONS]}::text[], false) RETURNING 1`);
    if (kept.length > 0) return 'kept';
    return (await tx.query(sql`SELECT 1 FROM file_blob WHERE ${within}`)).length > 0 ? 'kept before' : 'gone';
  }

  /** Stores the result of a scan. */
  async saveScan(blob_id: string, malware: string | null): Promise<void> {
    await this.db.current().execute(sql`UPDATE file_blob SET blob_scanned = now(), blob_malware = ${malware} WHERE ${one(blob_id)}`);
  }

  /** Forgets the renditions; their objects go before. Answers the marked ones that were known until now. */
  dropRenditions(blob_id: string): Promise<MarkedPictures | undefined> {
    return this.db.current().first<MarkedPictures & Record<string, unknown>>(sql`
      WITH held AS (SELECT blob_id, blob_key, blob_marked FROM file_blob WHERE ${one(blob_id)} FOR UPDATE)
      UPDATE file_blob b SET blob_replicas = '{}', blob_marked = '{}', blob_system = NULL FROM held WHERE b.tenant_id = ${requireScope().tenant_id} AND b.blob_id = held.blob_id
      RETURNING held.blob_key, held.blob_marked`);
  }

  /** The bytes were compared with their hash: they are what it says, or not. */
  async saveVerification(blob_id: string, sound: boolean): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE file_blob SET blob_verified = now(), blob_corrupt = CASE WHEN ${sound}::boolean THEN NULL ELSE coalesce(blob_corrupt, now()) END WHERE ${one(blob_id)}`,
      );
  }

  /** Bytes that were not compared for the longest time, so many of every thousand, and one at least. */
  async findSample(perMille: number, before: Date): Promise<string[]> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ blob_id: string }>(sql`
      SELECT blob_id FROM file_blob WHERE tenant_id = ${tenant_id} AND blob_state = 'live' AND blob_hash IS NOT NULL AND blob_verified < ${before}
      ORDER BY blob_verified, blob_id
      LIMIT (SELECT ceil(count(*) * ${perMille}::numeric / 1000)::bigint FROM file_blob WHERE tenant_id = ${tenant_id} AND blob_state = 'live' AND blob_hash IS NOT NULL)`);
    return rows.map(({ blob_id }) => blob_id);
  }

  /** An orphan whose bytes have come, with its first reference. */
  async adoptOrphan(blob_id: string, size: number): Promise<Blob | undefined> {
    return this.db.current().first<Blob>(sql`
      UPDATE file_blob SET blob_refs = 1, blob_state = 'live', blob_orphaned = NULL, blob_size = ${size} WHERE ${one(blob_id)} AND blob_state = 'orphan' RETURNING ${COLUMNS}`);
  }

  /** Takes an orphan out of reach: without its hash no equal bytes bring it back. Nothing when it is wanted again. */
  retireOrphan(blob_id: string): Promise<Blob | undefined> {
    return this.db.current().first<Blob>(sql`
      UPDATE file_blob SET blob_hash = NULL WHERE ${one(blob_id)} AND blob_state = 'orphan' AND blob_refs <= 0 RETURNING ${COLUMNS}`);
  }

  /** Answers what marked pictures went with it; nothing when somebody else removed it. */
  async deleteBlob(blob_id: string): Promise<MarkedPictures | undefined> {
    return this.db
      .current()
      .first<MarkedPictures & Record<string, unknown>>(
        sql`DELETE FROM file_blob WHERE ${one(blob_id)} AND blob_state = 'orphan' AND blob_hash IS NULL RETURNING blob_key, blob_marked`,
      );
  }

  /** Files with a version that shows the bytes, each with the newest of these versions. */
  findShowing(blob_id: string, most: number): Promise<{ fv_file: string; fv_id: string }[]> {
    return this.db.current().query<{ fv_file: string; fv_id: string }>(sql`
      SELECT DISTINCT ON (fv_file) fv_file, fv_id FROM file_version WHERE tenant_id = ${requireScope().tenant_id} AND fv_blob = ${blob_id} ORDER BY fv_file, fv_number DESC LIMIT ${most}`);
  }

  /** Where bytes of that size are being transferred: to other blobs without a hash, and in uploads. */
  async findTransfers(blob_id: string, size: number, most: number): Promise<string[]> {
    const { tenant_id } = requireScope();
    const staged = await this.db.current().query<{ key: string }>(sql`
      (SELECT b.blob_key AS key FROM file_blob b WHERE b.tenant_id = ${tenant_id} AND b.blob_id <> ${blob_id} AND b.blob_size = ${size} AND b.blob_hash IS NULL LIMIT ${most})
      UNION ALL
      (SELECT u.upl_key FROM upload u WHERE u.tenant_id = ${tenant_id} AND u.file_size = ${size} AND u.upl_staged AND u.upl_mode = 'single' ORDER BY u.upl_created DESC LIMIT ${most})`);
    return staged.map(({ key }) => key);
  }

  /** The pictures with one mark, or that none could be made; null while there are none. */
  async findMarkedSet(blob_id: string, digest: string): Promise<MarkedSet | null> {
    const row = await this.db
      .current()
      .first<{ marked: MarkedSet | null }>(
        sql`SELECT blob_marked -> ${digest}::text AS marked FROM file_blob WHERE tenant_id = ${requireScope().tenant_id} AND blob_id = ${blob_id}`,
      );
    return row?.marked ?? null;
  }

  /** Whether a blob's bytes are still at this key. */
  async hasKey(key: string, blob_id: string): Promise<boolean> {
    return (await this.db.current().query(sql`SELECT 1 FROM file_blob WHERE ${one(blob_id)} AND blob_key = ${key}`)).length > 0;
  }
}

const one = (blob_id: string) => sql`tenant_id = ${requireScope().tenant_id} AND blob_id = ${blob_id}`;
