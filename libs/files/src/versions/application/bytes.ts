import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { invalidState, notFound } from '@atrium/platform/kernel';
import { ObjectMissing, ObjectStore, type ByteRange } from '@atrium/platform/storage';
import type { Readable } from 'node:stream';
import type { RenditionName } from '../../blobs/domain/renditions';
import { StoredByteRows, type Pin } from '../infrastructure/stored-bytes.rows';
import { edgesOf, type SeenBytes } from '../../blobs/application/object-edges';

/** Bytes that another context shows: where they are stored and what they are. */
export interface FileBytes {
  readonly key: string;
  readonly size: number;
  readonly type: string;
  /** The rendition that was wanted, or the original where it is absent. */
  readonly replica: RenditionName | 'original';
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
    private readonly rows: StoredByteRows,
  ) {}

  /**
   * The bytes and where they are stored; `not_found` when no version of the live file has these bytes, `invalid_state` when
   * they are in quarantine.
   */
  async requireBytes(file_id: string, hash: string, replica: RenditionName | 'original' = 'original'): Promise<FileBytes> {
    const row = await this.db.read(() => this.rows.findBytes(file_id, hash));
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
    await this.rows.lockFile(file_id);
    if (!(await this.rows.insertPin(file_id, hash, owner))) throw notFound('version of this file');
  }

  /** The owner shows them no more; without a hash: none of the file's. */
  unpinBytes(file_id: string, owner: string, hash?: string): Promise<void> {
    return this.rows.deletePins(file_id, owner, hash ?? null);
  }

  /** The same of many files in one statement; the caller has locked their rows (`ReleasableFiles.lockAllReleasable`). */
  async pinAll(pins: readonly Pin[]): Promise<void> {
    if (pins.length > 0) await this.rows.insertPins(pins);
  }

  /** These owners show nothing of these files any more. */
  async unpinAll(pins: readonly Omit<Pin, 'hash'>[]): Promise<void> {
    if (pins.length > 0) await this.rows.deletePinsOf(pins);
  }
}
