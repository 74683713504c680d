export { namesEtag, wantedBytes, type WantedBytes } from './byte-ranges';
export { contentDisposition, deliveryOf, type Delivery } from './delivery';
export { heldTo, type Expectation } from './incoming-bytes';
export { DiskObjectStore, type DiskStoreOptions } from './disk/disk-object-store';
export { DiskStoreEndpoint } from './disk/disk-store-endpoint';
export * from './object-store';
export {
  bucketAddress,
  S3_STEPS,
  type PlainSend,
  type S3Candidate,
  type S3Step,
  type S3StepOutcome,
  type S3Verdict,
} from './s3/s3-candidate';
export { openS3Verification } from './s3/open-s3-verification';
export type { S3ObjectStore, S3StoreOptions } from './s3/s3-object-store';
export { providerOf, RoutedObjectStore, StoreRoutes, type ForeignStore, type ForeignStores } from './routed-object-store';
export * from './storage.module';
export { SteadySource } from './steady-source';
export { ZipWriter, type ZipEntry } from './zip-writer';
