import { Readable } from 'node:stream';
import { Outage, Problem } from '@atrium/platform/kernel';
import { CopyDestinationOptions, CopySourceOptions } from 'minio';
import { blocksOf, heldTo } from '../incoming-bytes';
import { MOST_PARTS, requireKey, requirePrefix, requireRange } from '../keys';
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
import { S3Client } from './s3-client';
import { isAbsentObject, isAbsentUpload, s3Problem } from './s3-failures';
import { S3Presigner, type S3PresignerOptions } from './s3-presigner';
import { sendPart } from './s3-part-sender';

export type S3StoreOptions = S3PresignerOptions;

const MIB = 1024 * 1024;
/** A part may take as long as it takes: only its beginning is bound to the signature. */
const PART_SECONDS = 15 * 60;
const LARGEST_COPY = 5 * 1024 * MIB;

/** Parts of a stream of unknown length: small at first, larger later, so that 10,000 of them hold 350 GiB. */
const growingPart = (part: number): number => (part <= MOST_PARTS / 2 ? 8 * MIB : 64 * MIB);

/** Objects in one bucket of any S3. */
export class S3ObjectStore extends ObjectStore {
  private readonly client: S3Client;
  private readonly bucket: string;
  private readonly presigner: S3Presigner;
  /** Signs what the service itself sends, under the address at which it reaches the store. */
  private readonly inner: S3Presigner;

  constructor(private readonly options: S3StoreOptions) {
    super();
    this.client = new S3Client(options, options.credentials);
    this.bucket = options.bucket;
    this.presigner = new S3Presigner(options);
    this.inner = new S3Presigner({ ...options, publicEndpoint: undefined });
  }

  /** Ensures that the bucket exists: creates it when allowed, else throws a sentence that says what to do. */
  async prepare({ createBucket }: { readonly createBucket: boolean }): Promise<void> {
    if (await this.ask(() => this.client.bucketExists(this.bucket))) return;
    if (!createBucket)
      throw new Error(
        `The bucket "${this.bucket}" does not exist at ${this.options.endpoint}. Create it, or name another one in S3_BUCKET.`,
      );
    await this.ask(() => this.client.makeBucket(this.bucket, this.options.credentials.region)).catch(async (error: unknown) => {
      // Another process may have been faster.
      if (!(await this.ask(() => this.client.bucketExists(this.bucket)))) throw error;
    });
  }

  async signPut(put: SignPut): Promise<SignedUpload> {
    return this.presigner.put(put);
  }

  async signPart(part: SignPart): Promise<SignedUpload> {
    return this.presigner.part(part);
  }

  async signGet(get: SignGet): Promise<string> {
    return this.presigner.get(get);
  }

  beginMultipart(key: string, { contentType }: { readonly contentType?: string } = {}): Promise<string> {
    return this.ask(() => this.client.initiateNewMultipartUpload(this.bucket, requireKey(key), this.headersOf(contentType)));
  }

  async putPart(part: PutPart, body: Readable): Promise<string> {
    const { url } = this.inner.part({ ...part, expiresInSeconds: PART_SECONDS });
    const { status, etag } = await this.ask(() =>
      sendPart({ url, size: part.size, lookup: this.options.lookup }, heldTo({ size: part.size }, body)),
    );
    if (status === 404) throw new UploadMissing(part.uploadId);
    if (etag === null) throw new Problem('upstream_failed', 'The object store rejected the part.');
    return etag;
  }

  listParts(key: string, uploadId: string): Promise<UploadedPart[]> {
    return this.askUpload(uploadId, () => this.client.partsOf(this.bucket, requireKey(key), uploadId));
  }

  async complete(key: string, uploadId: string, parts: readonly PartReceipt[]): Promise<ObjectStat> {
    if (parts.length === 0) throw new Problem('unprocessable_content', 'Name at least one part.');
    const ordered = parts.map(({ part, etag }) => ({ part, etag })).sort((a, b) => a.part - b.part);
    try {
      await this.askUpload(uploadId, () => this.client.completeMultipartUpload(this.bucket, requireKey(key), uploadId, ordered));
    } catch (error) {
      if (!(error instanceof UploadMissing)) throw error;
      const completed = await this.stat(key);
      if (completed) return completed;
      throw error;
    }
    return this.mustStat(key);
  }

  async abort(key: string, uploadId: string): Promise<void> {
    try {
      await this.askUpload(uploadId, () => this.client.abortMultipartUpload(this.bucket, requireKey(key), encodeURIComponent(uploadId)));
    } catch (error) {
      if (!(error instanceof UploadMissing)) throw error;
    }
  }

  async *openUploads(prefix: string): AsyncGenerator<OpenUpload> {
    requirePrefix(prefix);
    for (let at = { key: '', id: '' }, more = true; more;) {
      const { key, id } = at;
      const page = await this.ask(() => this.client.listIncompleteUploadsQuery(this.bucket, prefix, key, id, ''));
      for (const { key: name, uploadId } of page.uploads) yield { key: String(name), uploadId: String(uploadId) };
      more = page.isTruncated;
      at = { key: page.nextKeyMarker, id: page.nextUploadIdMarker };
    }
  }

  async stat(key: string): Promise<ObjectStat | null> {
    try {
      const { size, etag, metaData } = await this.client.asked(() => this.client.statObject(this.bucket, requireKey(key)));
      const contentType: unknown = metaData['content-type'];
      return { size, etag, ...(typeof contentType === 'string' && { contentType }) };
    } catch (error) {
      if (isAbsentObject(error)) return null;
      throw s3Problem(error);
    }
  }

  get(key: string, range?: ByteRange): Promise<Readable> {
    requireKey(key);
    if (!range) return this.askObject(key, () => this.client.getObject(this.bucket, key));
    requireRange(range);
    const length = range.end === undefined ? 0 : range.end - range.start + 1;
    return this.askObject(key, () => this.client.getPartialObject(this.bucket, key, range.start, length));
  }

  async putObject(key: string, body: Readable | Buffer, { size, contentType }: PutOptions = {}): Promise<ObjectStat> {
    requireKey(key);
    const known = size ?? (Buffer.isBuffer(body) ? body.length : undefined);
    const part = known === undefined ? growingPart : (): number => Math.max(8 * MIB, Math.ceil(known / MOST_PARTS));
    const blocks = blocksOf(heldTo({ size }, Buffer.isBuffer(body) ? Readable.from([body]) : body), part);
    const first = await blocks.next();
    const start = first.done ? Buffer.alloc(0) : first.value;
    // A block that is not full was the last one: no need to ask for a multipart upload.
    const second = start.length < part(1) ? await blocks.next() : undefined;
    if (second?.done) {
      await this.ask(() => this.client.putObject(this.bucket, key, start, start.length, this.headersOf(contentType)));
      return this.mustStat(key);
    }
    return this.putInParts(key, start, blocks, contentType);
  }

  async copy(from: string, to: string): Promise<ObjectStat> {
    const source = await this.stat(from);
    if (!source) throw new ObjectMissing(from);
    requireKey(to);
    await this.askObject(from, () =>
      source.size <= LARGEST_COPY && !this.options.encryption
        ? this.client.copyObject(this.bucket, to, `/${this.bucket}/${from}`)
        : this.client.composeObject(
            new CopyDestinationOptions({ Bucket: this.bucket, Object: to, Headers: this.headersOf(source.contentType) }),
            [new CopySourceOptions({ Bucket: this.bucket, Object: from })],
          ),
    );
    return this.mustStat(to);
  }

  async delete(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const refused = await this.ask(() => this.client.removeObjects(this.bucket, keys.map(requireKey)));
    if (refused.some((answer) => answer?.Error !== undefined || 'Code' in (answer ?? {})))
      throw new Problem('upstream_failed', 'The object store did not delete every object.');
  }

  async *list(prefix: string): AsyncGenerator<ListedObject> {
    requirePrefix(prefix);
    for (let token = '', more = true; more;) {
      const page = await this.ask(() => this.client.listObjectsV2Query(this.bucket, prefix, token, '', 1000, ''));
      for (const { name, size, lastModified } of page.objects) {
        if (name !== undefined) yield { key: String(name), size: Number(size), modified: new Date(lastModified ?? 0) };
      }
      more = page.isTruncated;
      token = page.nextContinuationToken;
    }
  }

  async check(): Promise<void> {
    const exists = await this.client.asked(() => this.client.bucketExists(this.bucket)).catch(() => false);
    if (!exists) throw new Outage('storage', 'The object store cannot be used at the moment.');
  }

  private async putInParts(key: string, first: Buffer, rest: AsyncIterable<Buffer>, contentType?: string): Promise<ObjectStat> {
    const uploadId = await this.beginMultipart(key, { contentType });
    try {
      const parts: PartReceipt[] = [];
      const send = async (block: Buffer): Promise<void> => {
        const part = parts.length + 1;
        parts.push({ part, etag: await this.ask(() => this.client.sendPart(this.bucket, key, uploadId, part, block)) });
      };
      await send(first);
      for await (const block of rest) await send(block);
      return await this.complete(key, uploadId, parts);
    } catch (error) {
      await this.abort(key, uploadId).catch(() => undefined);
      throw error;
    }
  }

  private headersOf(contentType: string | undefined): Record<string, string> {
    const { encryption } = this.options;
    return {
      ...(contentType ? { 'content-type': contentType } : {}),
      ...(encryption ? { 'x-amz-server-side-encryption': encryption } : {}),
    };
  }

  private async mustStat(key: string): Promise<ObjectStat> {
    const found = await this.stat(key);
    if (!found) throw new ObjectMissing(key);
    return found;
  }

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await this.client.asked(call);
    } catch (error) {
      throw s3Problem(error);
    }
  }

  private async askObject<T>(key: string, call: () => Promise<T>): Promise<T> {
    return this.ask(() =>
      call().catch((error: unknown) => {
        throw isAbsentObject(error) ? new ObjectMissing(key) : error;
      }),
    );
  }

  private async askUpload<T>(uploadId: string, call: () => Promise<T>): Promise<T> {
    return this.ask(() =>
      call().catch((error: unknown) => {
        throw isAbsentUpload(error) ? new UploadMissing(uploadId) : error;
      }),
    );
  }
}
