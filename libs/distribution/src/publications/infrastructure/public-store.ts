import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { Injectable, type Provider } from '@nestjs/common';
import { Keyring, publicOrigin, Settings } from '@atrium/platform/config';
import { Clock, Problem } from '@atrium/platform/kernel';
import { DiskObjectStore, ObjectStore, openS3Store, type ByteRange, type ObjectStat } from '@atrium/platform/storage';

/**
 * Where public copies are stored: among all other objects, or in a bucket of their own. Only copies are made and removed here;
 * the original bytes are not changed.
 */
@Injectable()
export class PublicStore {
  constructor(
    private readonly source: ObjectStore,
    private readonly own: ObjectStore | null,
  ) {}

  /** Makes the object at `to` out of a stored one: within one store by the store itself, else through here. */
  async copyObject(from: { readonly key: string; readonly size: number; readonly type: string }, to: string): Promise<ObjectStat> {
    if (!this.own) return this.source.copy(from.key, to);
    return this.own.putObject(to, await this.source.get(from.key), { size: from.size, contentType: from.type });
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    return this.store.get(key, range);
  }

  stat(key: string): Promise<ObjectStat | null> {
    return this.store.stat(key);
  }

  delete(keys: readonly string[]): Promise<void> {
    return this.store.delete(keys);
  }

  async *list(prefix: string): AsyncGenerator<string> {
    for await (const { key } of this.store.list(prefix)) yield key;
  }

  private get store(): ObjectStore {
    return this.own ?? this.source;
  }
}

/** The store of PUBLIC_BUCKET, or null if copies are stored among the other objects. An unavailable store does not prevent a start. */
async function ownStore(settings: Settings, keyring: Keyring, clock: Clock): Promise<ObjectStore | null> {
  if (settings.PUBLIC_BUCKET === '') return null;
  if (settings.S3_ENDPOINT === '')
    return new DiskObjectStore({
      root: resolve(settings.DATA_DIR, settings.PUBLIC_BUCKET),
      origin: publicOrigin(settings),
      secret: keyring.key('storage-urls'),
      clock,
    });
  const store = await openS3Store({
    endpoint: settings.S3_ENDPOINT,
    publicEndpoint: settings.S3_PUBLIC_ENDPOINT || undefined,
    bucket: settings.PUBLIC_BUCKET,
    pathStyle: settings.S3_PATH_STYLE,
    credentials: { accessKey: settings.S3_ACCESS_KEY, secretKey: settings.S3_SECRET_KEY, region: settings.S3_REGION },
    clock,
  });
  await store.prepare({ createBucket: settings.NODE_ENV !== 'production' }).catch((error: unknown) => {
    if (!(error instanceof Problem && error.code === 'service_unavailable')) throw error;
  });
  return store;
}

export const publicStore: Provider = {
  provide: PublicStore,
  inject: [ObjectStore, Settings, Keyring, Clock],
  useFactory: async (source: ObjectStore, settings: Settings, keyring: Keyring, clock: Clock) =>
    new PublicStore(source, await ownStore(settings, keyring, clock)),
};
