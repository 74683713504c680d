import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { S3Refusal } from './strict-signature';

export interface StoredBody {
  readonly path: string;
  readonly size: number;
  readonly etag: string;
}

export interface StoredObject extends StoredBody {
  readonly contentType: string;
  readonly modified: Date;
}

interface OpenUpload {
  readonly key: string;
  readonly contentType: string;
  readonly parts: Map<number, StoredBody>;
}

const SMALLEST_PART = 5 * 1024 * 1024;

/** The bodies of the strict server: files in a folder of their own, found by key; memory holds names only. */
export class StrictBucket {
  readonly objects = new Map<string, StoredObject>();
  private readonly uploads = new Map<string, OpenUpload>();

  private constructor(private readonly folder: string) {}

  static async create(): Promise<StrictBucket> {
    return new StrictBucket(await mkdtemp(join(tmpdir(), 'strict-s3-')));
  }

  get openUploads(): number {
    return this.uploads.size;
  }

  /** Uploads that have begun and not ended, by key. */
  get begun(): readonly { readonly key: string; readonly uploadId: string }[] {
    return [...this.uploads].map(([uploadId, { key }]) => ({ key, uploadId })).sort((a, b) => (a.key < b.key ? -1 : 1));
  }

  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Stores a body after it kept every promise of its request: length, MD5, SHA-256 of signature and checksum. */
  async receive(req: IncomingMessage, payload: string): Promise<StoredBody> {
    if (req.headers['content-length'] === undefined) throw new S3Refusal(411, 'MissingContentLength');
    const path = join(this.folder, randomUUID());
    const md5 = createHash('md5');
    const sha256 = createHash('sha256');
    let size = 0;
    await pipeline(
      req,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          md5.update(chunk);
          sha256.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(path),
    );
    const sum = sha256.digest();
    const etag = md5.digest();
    const faults: [boolean, string][] = [
      [size !== Number(req.headers['content-length']), 'IncompleteBody'],
      [payload !== 'UNSIGNED-PAYLOAD' && payload !== sum.toString('hex'), 'XAmzContentSHA256Mismatch'],
      [differs(req.headers['x-amz-checksum-sha256'], sum), 'BadDigest'],
      [differs(req.headers['content-md5'], etag), 'BadDigest'],
    ];
    for (const [broken, code] of faults) if (broken) throw new S3Refusal(400, code);
    return { path, size, etag: etag.toString('hex') };
  }

  find(key: string): StoredObject {
    return this.objects.get(key) ?? refuse(404, 'NoSuchKey');
  }

  place(key: string, body: StoredBody, contentType: string): StoredObject {
    const stored = { ...body, contentType, modified: new Date() };
    this.objects.set(key, stored);
    return stored;
  }

  async copy(from: string, to: string): Promise<StoredObject> {
    const source = this.find(from);
    const path = join(this.folder, randomUUID());
    await copyFile(source.path, path);
    return this.place(to, { ...source, path }, source.contentType);
  }

  begin(key: string, contentType: string): string {
    const uploadId = `${randomUUID()}/=+`;
    this.uploads.set(uploadId, { key, contentType, parts: new Map() });
    return uploadId;
  }

  upload(key: string, uploadId: string): OpenUpload {
    const upload = this.uploads.get(uploadId);
    return upload?.key === key ? upload : refuse(404, 'NoSuchUpload');
  }

  async complete(key: string, uploadId: string, named: readonly { part: number; etag: string }[]): Promise<StoredObject> {
    const { parts, contentType } = this.upload(key, uploadId);
    if (named.length === 0) refuse(400, 'MalformedXML');
    if (named.some(({ part }, i) => part <= (named[i - 1]?.part ?? 0))) refuse(400, 'InvalidPartOrder');
    const bodies = named.map(({ part, etag }) => {
      const body = parts.get(part);
      return body?.etag === etag ? body : refuse(400, 'InvalidPart');
    });
    if (bodies.slice(0, -1).some(({ size }) => size < SMALLEST_PART)) refuse(400, 'EntityTooSmall');
    const path = join(this.folder, randomUUID());
    for (const body of bodies) await pipeline(createReadStream(body.path), createWriteStream(path, { flags: 'a' }));
    const etag = `${createHash('md5')
      .update(Buffer.concat(bodies.map((body) => Buffer.from(body.etag, 'hex'))))
      .digest('hex')}-${bodies.length}`;
    const placed = this.place(key, { path, size: bodies.reduce((sum, { size }) => sum + size, 0), etag }, contentType);
    this.uploads.delete(uploadId);
    return placed;
  }

  abort(key: string, uploadId: string): void {
    this.upload(key, uploadId);
    this.uploads.delete(uploadId);
  }

  /** The text of a small body that was stored by `receive`. */
  text({ path }: StoredBody): Promise<string> {
    return readFile(path, 'utf8');
  }
}

const differs = (promised: string | string[] | undefined, actual: Buffer): boolean =>
  promised !== undefined && promised !== actual.toString('base64');

function refuse(status: number, code: string): never {
  throw new S3Refusal(status, code);
}
