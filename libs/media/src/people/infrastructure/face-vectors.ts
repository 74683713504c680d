import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { EMBEDDING_SIZE } from '../domain/face-provider';

interface Kept {
  readonly stamp: string;
  readonly vector: Float32Array;
}

/** Faces whose vectors are kept in memory, over all workspaces; one takes 2 KB. */
const MOST_KEPT = 150_000;
const KEPT_MS = 15 * MINUTE;
const PAGE = 1_000;
/** What PostgreSQL sends in front of the numbers of a list, and in front of each. */
const HEAD_BYTES = 20;
const NUMBER_BYTES = 8;
const STEPS = 1_000;

/** The vectors of a workspace's faces: kept in memory between two looks, read from the database where they are new or changed. */
@Injectable()
export class FaceVectors {
  private readonly kept = new LRUCache<string, Map<string, Kept>>({
    max: 1_000,
    maxSize: MOST_KEPT,
    sizeCalculation: (faces) => faces.size + 1,
    ttl: KEPT_MS,
  });

  constructor(private readonly db: Database) {}

  /** Vectors of the faces by id; `stamps` say as of when each is wanted. */
  async loadVectors(stamps: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, Float32Array>> {
    const { tenant_id } = requireScope();
    const before = this.kept.get(tenant_id);
    const now = new Map<string, Kept>();
    const missing: string[] = [];
    for (const [id, stamp] of stamps) {
      const known = before?.get(id);
      if (known?.stamp === stamp) now.set(id, known);
      else missing.push(id);
    }
    for (let at = 0; at < missing.length; at += PAGE)
      for (const [id, vector] of await this.read(missing.slice(at, at + PAGE))) now.set(id, { vector, stamp: stamps.get(id) ?? '' });
    this.kept.set(tenant_id, now);
    return new Map([...now].map(([id, { vector }]) => [id, vector]));
  }

  /** Nothing of a workspace's faces is kept in memory any more. */
  clearCache(): void {
    this.kept.delete(requireScope().tenant_id);
  }

  private async read(ids: readonly string[]): Promise<[string, Float32Array][]> {
    const rows = await this.db.read((tx) =>
      tx.query<{ face_id: string; numbers: Buffer }>(
        sql`SELECT face_id, array_send(face_embedding) AS numbers FROM face WHERE tenant_id = ${requireScope().tenant_id} AND face_id = ANY(${[...ids]}::uuid[]) AND face_embedding IS NOT NULL`,
      ),
    );
    return rows.map(({ face_id, numbers }) => [
      face_id,
      Float32Array.from({ length: EMBEDDING_SIZE }, (_, at) => numbers.readFloatBE(HEAD_BYTES + at * NUMBER_BYTES + 4)),
    ]);
  }
}

/** Names a vector without telling it: equal for vectors that are equal but for their last digits. */
export function digestOfFace(vector: Float32Array, model: string): Buffer {
  const steps = Int16Array.from(vector, (part) => Math.round(part * STEPS));
  return createHash('sha256').update(requireScope().tenant_id).update(model).update(new Uint8Array(steps.buffer)).digest();
}
