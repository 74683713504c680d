export { wantedBytes, type WantedBytes } from './byte-ranges';
export { DiskObjectStore, type DiskStoreOptions } from './disk/disk-object-store';
export { DiskStoreEndpoint } from './disk/disk-store-endpoint';
export * from './object-store';
export type { S3ObjectStore, S3StoreOptions } from './s3/s3-object-store';
export * from './storage.module';
