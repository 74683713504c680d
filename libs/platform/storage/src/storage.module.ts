import { resolve } from 'node:path';
import { Global, Inject, Logger, Module, Optional, type OnModuleInit } from '@nestjs/common';
import { Keyring, Settings, listOf, publicOrigin } from '@atrium/platform/config';
import { Clock, Problem, SystemClock } from '@atrium/platform/kernel';
import { Metrics, ProbeListener } from '@atrium/platform/observability';
import { DiskObjectStore } from './disk/disk-object-store';
import { DiskStoreEndpoint } from './disk/disk-store-endpoint';
import { measuredStore } from './measured-object-store';
import { ObjectStore } from './object-store';
import { RoutedObjectStore, StoreRoutes } from './routed-object-store';
import type { S3ObjectStore, S3StoreOptions } from './s3/s3-object-store';

/** The object store that the settings name: S3 when S3_ENDPOINT is set (its client is loaded only then), else a folder under DATA_DIR. */
export async function createObjectStore(settings: Settings, keyring: Keyring, clock: Clock): Promise<ObjectStore> {
  if (settings.S3_ENDPOINT === '') {
    return new DiskObjectStore({
      root: resolve(settings.DATA_DIR, 'objects'),
      origin: publicOrigin(settings),
      secret: keyring.key('storage-urls'),
      clock,
    });
  }
  const { S3ObjectStore } = await import('./s3/s3-object-store.js');
  return new S3ObjectStore({
    endpoint: settings.S3_ENDPOINT,
    publicEndpoint: settings.S3_PUBLIC_ENDPOINT || undefined,
    bucket: settings.S3_BUCKET,
    pathStyle: settings.S3_PATH_STYLE,
    credentials: { accessKey: settings.S3_ACCESS_KEY, secretKey: settings.S3_SECRET_KEY, region: settings.S3_REGION },
    clock,
  });
}

/** A store in a bucket of a workspace; the client is loaded with the first one. */
export async function openS3Store(options: S3StoreOptions): Promise<S3ObjectStore> {
  const { S3ObjectStore: Store } = await import('./s3/s3-object-store.js');
  return new Store(options);
}

const storageLogger = new Logger(DiskStoreEndpoint.name);

/** The platform's own store, without those of workspaces. */
export const HOME_STORE = Symbol('home-store');

/**
 * Offers `ObjectStore` everywhere. `DiskStoreEndpoint` resolves to null when the store is S3, which serves its signed
 * URLs itself; otherwise the HTTP host puts it before every other middleware.
 */
@Global()
@Module({
  providers: [
    StoreRoutes,
    {
      provide: ObjectStore,
      inject: [HOME_STORE, StoreRoutes, { token: Metrics, optional: true }],
      useFactory: (home: ObjectStore, routes: StoreRoutes, metrics?: Metrics) =>
        measuredStore(new RoutedObjectStore(home, routes), metrics),
    },
    {
      provide: HOME_STORE,
      inject: [Settings, Keyring, { token: Clock, optional: true }],
      useFactory: (settings: Settings, keyring: Keyring, clock?: Clock) => createObjectStore(settings, keyring, clock ?? new SystemClock()),
    },
    {
      provide: DiskStoreEndpoint,
      inject: [HOME_STORE, Settings],
      useFactory: (store: ObjectStore, settings: Settings) =>
        store instanceof DiskObjectStore
          ? new DiskStoreEndpoint(store, {
              corsOrigins: listOf(settings.CORS_ORIGINS),
              onFailure: (err) => storageLogger.error({ err, path: 'storage' }, 'request failed'),
            })
          : null,
    },
  ],
  exports: [ObjectStore, HOME_STORE, StoreRoutes, DiskStoreEndpoint],
})
export class StorageModule implements OnModuleInit {
  private readonly logger = new Logger(StorageModule.name);

  constructor(
    @Inject(HOME_STORE) private readonly store: ObjectStore,
    @Inject(Settings) private readonly settings: Settings,
    @Optional() metrics?: Metrics,
    @Optional() probes?: ProbeListener,
  ) {
    if (!(store instanceof DiskObjectStore)) return;
    metrics?.beforeScrape(async () => metrics.storageFree.set(await store.freeBytes()));
    probes?.readyWhen(() => store.check());
  }

  /** A missing bucket stops the boot (outside of development); a store that is down only shows in the health checks. */
  async onModuleInit(): Promise<void> {
    try {
      if (isS3(this.store)) await this.store.prepare({ createBucket: this.settings.NODE_ENV !== 'production' });
      else await this.store.check();
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'service_unavailable')) throw error;
      this.logger.warn(error.detail);
    }
  }
}

/** Whether the store is a bucket that must exist. */
export const isS3 = (store: ObjectStore): store is S3ObjectStore => 'prepare' in store;
