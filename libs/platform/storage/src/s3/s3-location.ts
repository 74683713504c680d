import type { LookupFunction } from 'node:net';

/** Where a bucket is, and how it is reached. */
export interface S3Location {
  /** Endpoint that this process speaks to. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Address the bucket in the path instead of the host name. */
  readonly pathStyle: boolean;
  /** How names are resolved; by the system unless given. */
  readonly lookup?: LookupFunction | undefined;
  /** Server-side encryption that every object is asked to have. */
  readonly encryption?: string | undefined;
}
