import type { BigIntStats } from 'node:fs';
import { mkdir, open, readdir, stat, statfs, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { HOUR, Outage, Problem, type Clock } from '@atrium/platform/kernel';
import { heldTo, type Expectation } from '../incoming-bytes';
import { requireKey, requireLifetime, requirePart, requirePrefix, requireRange } from '../keys';
import {
  ObjectMissing,
  ObjectStore,
  UploadMissing,
  type ByteRange,
  type ListedObject,
  type ObjectStat,
  type OpenUpload,
  type PartReceipt,
  type PutOptions,
  type PutPart,
  type SignGet,
  type SignPart,
  type SignPut,
  type SignedUpload,
  type UploadedPart,
} from '../object-store';
import { DiskFiles, diskFailure, etagOf, isAbsent } from './disk-files';
import { DiskLayout } from './disk-layout';
import { DiskMultipart, writeAll } from './disk-multipart';
import { GrantSigner } from './grant';

export interface DiskStoreOptions {
  readonly root: string;
  /** Origin (and path, behind a proxy) under which clients reach `/storage/…`. */
  readonly origin: string;
  /** Secret of the signed URLs; the same in every process. */
  readonly secret: Buffer;
  readonly clock: Clock;
}

/** An open object: what it is, and a handle that reads it even if it is overwritten. */
export interface OpenObject {
  readonly file: FileHandle;
  readonly size: number;
  readonly etag: string;
  readonly modified: Date;
}

const STALE_AFTER = 24 * HOUR;
const MIB = 1024 * 1024;
/** With less the store counts as full: what is written last must not be cut off. */
const LEAST_FREE = 256 * MIB;
/** Read at once; larger pieces make a stream faster, and cost memory for each. */
const READ_BYTES = 256 * 1024;

/** Objects as files under one folder; for a single machine, or several that share the folder. */
export class DiskObjectStore extends ObjectStore {
  readonly grants: GrantSigner;
  readonly multipart: DiskMultipart;
  private readonly layout: DiskLayout;
  private readonly files: DiskFiles;

  constructor(private readonly options: DiskStoreOptions) {
    super();
    this.layout = new DiskLayout(options.root);
    this.files = new DiskFiles(this.layout);
    this.multipart = new DiskMultipart(this.layout, this.files);
    this.grants = new GrantSigner(options.secret, options.clock);
  }

  async signPut({ expiresInSeconds, ...put }: SignPut): Promise<SignedUpload> {
    const path = this.grants.signGrant({ method: 'PUT', ...put, expires: this.expiry(expiresInSeconds) });
    const headers = { ...(put.contentType && { 'content-type': put.contentType }), ...(put.createOnly && { 'if-none-match': '*' }) };
    return { method: 'PUT', url: this.options.origin + path, headers };
  }

  async signPart({ expiresInSeconds, ...part }: SignPart): Promise<SignedUpload> {
    requirePart(part.part);
    return {
      method: 'PUT',
      url: this.options.origin + this.grants.signGrant({ method: 'PUT', ...part, expires: this.expiry(expiresInSeconds) }),
      headers: {},
    };
  }

  async signGet({ expiresInSeconds, ...get }: SignGet): Promise<string> {
    return this.options.origin + this.grants.signGrant({ method: 'GET', ...get, expires: this.expiry(expiresInSeconds) });
  }

  beginMultipart(key: string): Promise<string> {
    return this.multipart.begin(requireKey(key));
  }

  putPart({ key, uploadId, part, size }: PutPart, body: Readable): Promise<string> {
    return this.multipart.writePart(key, uploadId, requirePart(part), body, { size });
  }

  listParts(key: string, uploadId: string): Promise<UploadedPart[]> {
    return this.multipart.parts(key, uploadId);
  }

  async complete(key: string, uploadId: string, parts: readonly PartReceipt[]): Promise<ObjectStat> {
    try {
      return statOf(await this.multipart.complete(key, uploadId, parts));
    } catch (error) {
      if (!(error instanceof UploadMissing)) throw error;
      const completed = await this.stat(key);
      if (completed) return completed;
      throw error;
    }
  }

  abort(key: string, uploadId: string): Promise<void> {
    return this.multipart.abort(key, uploadId);
  }

  openUploads(prefix: string): AsyncIterable<OpenUpload> {
    return this.multipart.open(requirePrefix(prefix));
  }

  async stat(key: string): Promise<ObjectStat | null> {
    try {
      return statOf(await stat(this.layout.objectPath(key), { bigint: true }));
    } catch (error) {
      if (isAbsent(error)) return null;
      throw diskFailure(error);
    }
  }

  async get(key: string, range?: ByteRange): Promise<Readable> {
    if (range) requireRange(range);
    const { file, size } = await this.open(key);
    if (range && range.start >= size) {
      await file.close();
      throw new RangeError('The range is outside the object.');
    }
    return file.createReadStream({ start: range?.start, end: range?.end, highWaterMark: READ_BYTES });
  }

  putObject(key: string, body: Readable | Buffer, options: PutOptions = {}): Promise<ObjectStat> {
    return this.write(key, Buffer.isBuffer(body) ? Readable.from([body]) : body, { size: options.size });
  }

  async copy(from: string, to: string): Promise<ObjectStat> {
    const target = this.layout.objectPath(to);
    const temporary = await this.files.duplicateFile(this.layout.objectPath(from)).catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectMissing(from) : error;
    });
    return statOf(await this.files.moveIntoPlace(temporary, target));
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.files.remove(this.layout.objectPath(key));
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    const folder = requirePrefix(prefix).slice(0, Math.max(prefix.lastIndexOf('/'), 0));
    yield* this.walk(this.layout.folderPath(folder), prefix);
  }

  async check(): Promise<void> {
    try {
      await this.files.sweepTemporary(new Date(this.options.clock.now().getTime() - STALE_AFTER));
      await mkdir(this.layout.objects, { recursive: true });
      await this.files.remove(await this.files.composeFile((file) => file.writeFile('check')));
      const free = await this.freeBytes();
      if (free < LEAST_FREE)
        throw new Outage('storage', `The disk of the object store is full: ${Math.floor(free / MIB)} MiB are free, and uploads need more.`);
    } catch (error) {
      throw error instanceof Problem ? error : new Outage('storage', 'The object store cannot be used at the moment.', { cause: error });
    }
  }

  /** What the disk has left for the service. */
  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.layout.objects);
    return bavail * bsize;
  }

  /** Stores a body held to its promises; nothing is stored when they are not met. */
  async write(
    key: string,
    source: AsyncIterable<Uint8Array>,
    expected: Expectation & { readonly createOnly?: boolean },
  ): Promise<ObjectStat> {
    const path = this.layout.objectPath(key);
    const temporary = await this.files.composeFile((file) => writeAll(file, heldTo(expected, source)));
    return statOf(await this.files.moveIntoPlace(temporary, path, { createOnly: expected.createOnly }));
  }

  async open(key: string): Promise<OpenObject> {
    const file = await open(this.layout.objectPath(key), 'r').catch((error: unknown) => {
      throw isAbsent(error) ? new ObjectMissing(key) : diskFailure(error);
    });
    const stats = await file.stat({ bigint: true });
    return { file, ...statOf(stats), modified: stats.mtime };
  }

  private expiry(seconds: number): number {
    return Math.floor(this.options.clock.now().getTime() / 1000) + requireLifetime(seconds);
  }

  /** Siblings are taken in the order of the keys below them: a folder sorts as its name with the slash. */
  private async *walk(folder: string, prefix: string): AsyncGenerator<ListedObject> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (isAbsent(error)) return [];
      throw diskFailure(error);
    });
    const sorted = entries
      .map((entry) => ({ entry, order: entry.isDirectory() ? `${entry.name}/` : entry.name.replace(/\.bin$/, '') }))
      .sort((a, b) => (a.order < b.order ? -1 : 1));
    for (const { entry } of sorted) {
      const path = join(folder, entry.name);
      const key = entry.isDirectory() ? path.slice(this.layout.objects.length + 1) : this.layout.keyOf(path);
      if (key === null || !(entry.isDirectory() ? `${key}/`.startsWith(prefix) || prefix.startsWith(`${key}/`) : key.startsWith(prefix)))
        continue;
      if (entry.isDirectory()) {
        yield* this.walk(path, prefix);
        continue;
      }
      const found = await stat(path).catch(() => null);
      if (found) yield { key, size: found.size, modified: found.mtime };
    }
  }
}

const statOf = (stats: BigIntStats): ObjectStat => ({ size: Number(stats.size), etag: etagOf(stats) });
