import type { LookupFunction } from 'node:net';
import type { Clock } from '@atrium/platform/kernel';
import type { S3Credentials } from './sigv4';

export const S3_STEPS = ['connect', 'auth', 'bucket', 'put', 'get', 'presigned_put', 'presigned_get', 'list', 'delete', 'clock'] as const;
export type S3Step = (typeof S3_STEPS)[number];

/** A plain request as a client of the product sends it. */
export type PlainSend = (
  url: string,
  request: { readonly method: 'GET' | 'PUT'; readonly headers?: Readonly<Record<string, string>>; readonly body?: Buffer },
) => Promise<{
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}>;

/** A bucket that a person enters, and how it is reached for its verification. */
export interface S3Candidate {
  readonly endpoint: string;
  readonly bucket: string;
  readonly pathStyle: boolean;
  readonly credentials: S3Credentials;
  /** Header of server-side encryption, where it is asked for. */
  readonly encryption?: string | undefined;
  readonly lookup: LookupFunction;
  readonly send: PlainSend;
  readonly clock: Clock;
}

export interface S3StepOutcome {
  readonly step: S3Step;
  readonly ok: boolean;
  readonly detail: string;
}

export interface S3Verdict {
  readonly steps: readonly S3StepOutcome[];
  /** The step that failed; those behind it were not tried. */
  readonly failed: S3StepOutcome | null;
}

/** Address of the bucket itself, as plain requests reach it. */
export function bucketAddress({ endpoint, bucket, pathStyle }: Pick<S3Candidate, 'endpoint' | 'bucket' | 'pathStyle'>): string {
  const url = new URL(endpoint);
  if (pathStyle) url.pathname = `/${bucket}`;
  else url.hostname = `${bucket}.${url.hostname}`;
  return url.href;
}
