import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { invalidState, notFound } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, type ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import type { RenditionName, Renditions } from '../../blobs/domain/renditions';
import { edgesOf, type SeenBytes } from '../../blobs/application/object-edges';

/** Bytes that another context shows: where they are stored and what they are. */
export interface FileBytes {
  readonly key: string;
  readonly size: number;
  readonly type: string;
  /** The rendition that was wanted, or the original where it is absent. */
  readonly replica: RenditionName | 'original';
}

interface Row {
  readonly fv_type: string;
  readonly fv_size: number;
  readonly fv_quarantine: string | null;
  readonly file_processing: string;
  readonly blob_key: string;
  readonly blob_replicas: Renditions;
}

/**
 * Bytes of files by file and hash, for contexts that show them in their own name; rights are theirs to decide. Pinned
 * bytes are kept while versions are pruned, merged and retained for a time; the trash and purge of the file win over pins.
 */
@Injectable()
export class Bytes {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
  ) {}

  /**
   * The bytes and where they are stored; `not_found` when no version of the live file has these bytes, `invalid_state` when
   * they are in quarantine.
   */
  async requireBytes(file_id: string, hash: string, replica: RenditionName | 'original' = 'original'): Promise<FileBytes> {
    const row = await this.db.read((tx) =>
      tx.first<Row & Record<string, unknown>>(sql`
        SELECT v.fv_type, v.fv_size, v.fv_quarantine, f.file_processing, b.blob_key, b.blob_replicas
        FROM file f JOIN file_version v ON v.tenant_id = f.tenant_id AND v.fv_file = f.file_id JOIN file_blob b ON b.tenant_id = v.tenant_id AND b.blob_id = v.fv_blob
        WHERE f.tenant_id = ${requireScope().tenant_id} AND f.file_id = ${file_id} AND f.file_deleted IS NULL AND v.fv_hash = ${hash} ORDER BY v.fv_number DESC LIMIT 1`),
    );
    if (!row) throw notFound('version of this file');
    if (row.fv_quarantine !== null) throw invalidState('The file is in quarantine and cannot be read.');
    const rendition = replica === 'original' ? undefined : row.blob_replicas[replica];
    if (rendition && replica !== 'original') return { key: rendition.key, size: rendition.size, type: rendition.type, replica };
    return { key: row.blob_key, size: row.fv_size, type: row.fv_type, replica: 'original' };
  }

  /** Opens them; called outside of any unit of work. */
  async openBytes(
    file_id: string,
    hash: string,
    replica: RenditionName | 'original' = 'original',
    range?: ByteRange,
  ): Promise<FileBytes & { readonly stream: Readable }> {
    const found = await this.requireBytes(file_id, hash, replica);
    try {
      return { ...found, stream: await this.store.get(found.key, range) };
    } catch (error) {
      if (error instanceof ObjectMissing) throw notFound('version of this file');
      throw error;
    }
  }

  /** Start and end of a version's bytes; called outside of any unit of work. */
  async readEdges(file_id: string, hash: string, most: number): Promise<SeenBytes> {
    return edgesOf(this.store, await this.requireBytes(file_id, hash), most);
  }

  /** Keeps the bytes for an owner (`publication:<id>`), within the unit of work that shows them. Twice is once. */
  async pinBytes(file_id: string, hash: string, owner: string): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    // Pruning locks the file, so the version remains between reading and pinning.
    await tx.query(sql`SELECT 1 FROM file WHERE tenant_id = ${tenant_id} AND file_id = ${file_id} FOR SHARE`);
    const pinned = await tx.execute(sql`
      INSERT INTO file_pin (tenant_id, file_id, pin_hash, pin_owner)
      SELECT v.tenant_id, v.fv_file, v.fv_hash, ${owner} FROM file_version v WHERE v.tenant_id = ${tenant_id} AND v.fv_file = ${file_id} AND v.fv_hash = ${hash} LIMIT 1
      ON CONFLICT (tenant_id, file_id, pin_hash, pin_owner) DO UPDATE SET pin_owner = excluded.pin_owner`);
    if (pinned === 0) throw notFound('version of this file');
  }

  /** The owner shows them no more; without a hash: none of the file's. */
  async unpinBytes(file_id: string, owner: string, hash?: string): Promise<void> {
    await this.db.current().execute(sql`
      DELETE FROM file_pin WHERE tenant_id = ${requireScope().tenant_id} AND file_id = ${file_id} AND pin_owner = ${owner} AND (${hash ?? null}::text IS NULL OR pin_hash = ${hash ?? null}::text)`);
  }
}
