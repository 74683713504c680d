import { createReadStream } from 'node:fs';
import { Injectable, Logger } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Ids, type JsonObject } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { INSPECTOR_KEY, keysOf, providerOf, renditionKey, type Blob } from '../blobs/domain/blob';
import type { Rendition } from '../blobs/domain/renditions';
import { BlobReader } from '../blobs/infrastructure/blobs-reader';
import { isFoundBy, MediaInspector, type Inspection } from '../inspection/infrastructure';

export interface InspectionOrder {
  readonly blob: Blob;
  readonly type: string;
  readonly folder: string;
  /** A local copy of the bytes, if one was kept while they were read. */
  readonly path: string | null;
  readonly signal: AbortSignal;
}

/** The result of an inspection: facts, and the renditions that are in storage by now. */
export type Described = Pick<Blob, 'blob_replicas'> & { readonly blob_system: JsonObject };

/** Looks into the bytes of a blob and puts the renditions into storage; what it answers belongs into the blob's row. Every look puts its renditions under keys of its own. */
@Injectable()
export class BlobInspections {
  private readonly log = new Logger(BlobInspections.name);

  constructor(
    private readonly store: ObjectStore,
    private readonly reader: BlobReader,
    private readonly inspector: MediaInspector,
    private readonly ids: Ids,
  ) {}

  async inspectBlob({ blob, type, folder, path, signal }: InspectionOrder): Promise<Described> {
    const inspector = await this.inspector.describeAbilities(type);
    const source = path ?? (await this.reader.copyToFolder(blob.blob_key, folder, signal));
    const inspection = await this.inspector.inspectFile({
      path: source,
      type,
      outputDir: folder,
      size: blob.blob_size,
      owner: requireScope().tenant_id,
    });
    signal.throwIfAborted();
    const blob_replicas = await this.keep(blob, inspection);
    // Through JSON, as the row will hold it: absent facts are absent.
    return { blob_replicas, blob_system: { ...(JSON.parse(JSON.stringify(inspection.system)) as JsonObject), [INSPECTOR_KEY]: inspector } };
  }

  /** Whether the bytes were looked into as well as they can be here; what an inspection with other abilities found may be little. */
  async isCurrent({ blob_system }: Blob, type: string): Promise<boolean> {
    return blob_system !== null && isFoundBy(await this.inspector.describeAbilities(type), blob_system);
  }

  close(): Promise<void> {
    return this.inspector.close();
  }

  private async keep({ blob_id, blob_key }: Blob, { renditions }: Inspection): Promise<Record<string, Rendition>> {
    const { tenant_id } = requireScope();
    const run = this.ids.next();
    const kept: Record<string, Rendition> = {};
    try {
      for (const { name, path, width, height, size, type } of renditions) {
        const key = renditionKey(tenant_id, blob_id, { name, run, provider: providerOf(blob_key) });
        await this.store.putObject(key, createReadStream(path), { size, contentType: type });
        kept[name] = { key, w: width, h: height, size, type };
      }
      return kept;
    } catch (error) {
      await this.store
        .delete(keysOf({ '': kept }))
        .catch((failure: unknown) =>
          this.log.warn({ msg: 'renditions that nobody will see are left with their blob', blob_id, err: failure }),
        );
      throw error;
    }
  }
}
