import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { ObjectStore, type ListedObject } from '@atrium/platform/storage';
import { finalKey, isMadeByRun, keysOf, objectsOf, type Blob } from '../domain/blob';

/** The objects of blobs in storage, also those that no row knows of: what runs have left that were cut off, or lost to another one. */
@Injectable()
export class BlobObjects {
  constructor(private readonly store: ObjectStore) {}

  /** Everything of a blob: what its row names, and everything stored under its key. */
  async listObjects(blob: Blob): Promise<string[]> {
    return [...new Set([...objectsOf(requireScope().tenant_id, blob), ...(await this.below(blob)).map(({ key }) => key)])];
  }

  /** What was made of the bytes, without the bytes. */
  async listDerived(blob: Blob): Promise<string[]> {
    const kept = [...keysOf(blob.blob_marked), ...keysOf({ '': blob.blob_replicas })];
    return [...new Set([...kept, ...(await this.below(blob)).map(({ key }) => key)])].filter((key) => key !== blob.blob_key);
  }

  /**
   * Deletes what earlier runs have left, for a run that has won. Of those that are still at work, what is older than this
   * run's own objects belongs to runs that can only lose: they began before its outcome was written.
   */
  async deleteStale(blob: Blob): Promise<void> {
    const shown = keysOf({ '': blob.blob_replicas });
    const own = new Set([blob.blob_key, ...shown]);
    // The bytes may have been copied by the run before, the renditions are this run's.
    const latest = new Set(shown.length > 0 ? shown : [blob.blob_key]);
    const there = (await this.below(blob)).filter(({ key }) => isMadeByRun(key));
    const since = Math.min(...there.filter(({ key }) => latest.has(key)).map(({ modified }) => modified.getTime()));
    const left = there.filter(({ key, modified }) => !own.has(key) && modified.getTime() < since).map(({ key }) => key);
    if (left.length > 0) await this.store.delete(left);
  }

  /** What runs have put below the key of a blob and its row does not name. */
  async listUnnamed(blob: Blob): Promise<string[]> {
    const named = new Set(objectsOf(requireScope().tenant_id, blob));
    return (await this.below(blob)).map(({ key }) => key).filter((key) => isMadeByRun(key) && !named.has(key));
  }

  private async below(blob: Blob): Promise<ListedObject[]> {
    const found: ListedObject[] = [];
    for await (const object of this.store.list(`${finalKey(requireScope().tenant_id, blob)}/`)) found.push(object);
    return found;
  }
}
