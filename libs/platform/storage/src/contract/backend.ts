import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from '@atrium/platform/kernel';
import type { ObjectStore } from '../object-store';

/** What a backend can do beyond the minimum; a case that needs a missing ability is shown as skipped. */
export interface Capabilities {
  /** Refuses an upload whose bytes do not have the promised SHA-256. */
  readonly checksums: boolean;
  /** Refuses to overwrite when asked to (`If-None-Match: *`). */
  readonly createOnly: boolean;
  /** Keeps the content type of an object. */
  readonly contentTypes: boolean;
}

/** One running store under test, and a function that signs at another time. */
export interface Backend {
  readonly store: ObjectStore;
  storeAt(clock: Clock): ObjectStore;
  stop(): Promise<void>;
}

export interface Contract {
  readonly store: () => ObjectStore;
  readonly backend: () => Backend;
  readonly able: Capabilities;
  /** A key of its own for every case. */
  readonly key: () => string;
}

export const MIB = 1024 * 1024;
export const MINUTE_S = 60;

export const freshKey = (): string => `contract/${randomBytes(8).toString('hex')}/object`;
export const sha256 = (body: Uint8Array): string => createHash('sha256').update(body).digest('hex');

export async function bytesOf(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Uploads as a client does it: the method, the URL and the headers that were signed, and what the case adds. */
export function upload(
  signed: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  body: Uint8Array | ReadableStream,
  extra: RequestInit = {},
): Promise<Response> {
  const init: RequestInit & { duplex?: 'half' } = { method: 'PUT', body, headers: signed.headers, duplex: 'half', ...extra };
  return fetch(signed.url, init);
}

/** The URL with one query parameter changed. */
export function altered(url: string, change: (url: URL) => void): string {
  const changed = new URL(url);
  change(changed);
  return changed.toString();
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Bytes that buffers really hold now: the second collection waits until what the first one found is freed. */
export function heldBytes(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
