import { createReadStream } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { StrictBucket, type StoredObject } from './strict-bucket';
import { S3Refusal, verifySignature, type StrictCredentials, type VerifiedSignature } from './strict-signature';
import { xml, xmlPairs } from './strict-xml';

interface Call {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly bucket: StrictBucket;
  readonly bucketName: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly signed: VerifiedSignature;
}

/** Keys of one listing page: small, so that every listing of more shows whether the client turns pages. */
const PAGE = 3;

/**
 * An S3 server on the loopback that believes nothing: it verifies every signature, demands that presigned uploads sign
 * their length, and enforces checksums and create-only writes. It knows the calls the product makes and no others.
 */
export class StrictS3Server {
  readonly credentials: StrictCredentials = { accessKey: 'strict-access', secretKey: 'strict-secret', region: 'eu-test-1' };
  /** Downloads that the client broke off. */
  brokenDownloads = 0;
  /** How far its clock is ahead of the true one. */
  skewMs = 0;
  /** Browsers of any origin may PUT and GET and read the ETag, as the buckets' CORS rules of an installation say; without it none may. */
  openToBrowsers = false;
  private readonly buckets = new Map<string, StrictBucket>();
  private readonly server: Server = createServer((req, res) => void this.handle(req, res));

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Multipart uploads of a bucket that were neither completed nor aborted. */
  openUploads(bucketName: string): number {
    return this.buckets.get(bucketName)?.openUploads ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    for (const bucket of this.buckets.values()) await bucket.remove();
  }

  private async handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const now = new Date(Date.now() + this.skewMs);
    res.setHeader('date', now.toUTCString());
    if (this.openToBrowsers && req.headers.origin)
      res.setHeader('access-control-allow-origin', '*').setHeader('access-control-expose-headers', 'ETag');
    if (req.method === 'OPTIONS') return this.preflight(req, res);
    try {
      const signed = verifySignature({ method: req.method ?? '', url: req.url ?? '/', headers: req.headers }, this.credentials, now);
      await this.route(req, res, signed);
    } catch (error) {
      if (res.headersSent || res.destroyed) return void res.destroy();
      const { status, code, message } = error instanceof S3Refusal ? error : new S3Refusal(500, 'InternalError', String(error));
      res
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(req.method === 'HEAD' ? undefined : xml('Error', { Code: code, Message: message }));
    }
    req.resume();
  }

  private async route(req: IncomingMessage, res: ServerResponse, signed: VerifiedSignature): Promise<void> {
    const url = new URL(req.url ?? '/', this.endpoint);
    const segments = url.pathname.slice(1).split('/').map(decodeURIComponent);
    // Virtual-host style: the bucket is before the address in the host header.
    const virtual = /^([a-z0-9-]+)\.(?:127\.0\.0\.1|localhost)(?::\d+)?$/.exec(req.headers.host ?? '')?.[1];
    const bucketName = virtual ?? segments.shift() ?? '';
    const key = segments.join('/');
    if (bucketName === '' && req.method === 'GET') return this.listBuckets(res);
    if (key === '' && req.method === 'PUT') return this.createBucket(bucketName, res);
    const bucket = this.buckets.get(bucketName);
    if (!bucket) throw new S3Refusal(404, 'NoSuchBucket');
    const call: Call = { req, res, bucket, bucketName, key, query: url.searchParams, signed };
    await (key === ''
      ? this.onBucket(call)
      : call.query.has('uploads') || call.query.has('uploadId')
        ? this.onUpload(call)
        : this.onObject(call));
  }

  /** A browser asks before it sends; nothing of that is signed. */
  private preflight(req: IncomingMessage, res: ServerResponse): void {
    const allowed = this.openToBrowsers && ['PUT', 'GET'].includes(req.headers['access-control-request-method'] ?? '');
    if (!allowed)
      return void res
        .writeHead(403, { 'content-type': 'application/xml' })
        .end(xml('Error', { Code: 'AccessForbidden', Message: 'CORSResponse: This CORS request is not allowed.' }));
    res
      .writeHead(200, {
        'access-control-allow-methods': 'PUT, GET',
        'access-control-allow-headers': req.headers['access-control-request-headers'] ?? '',
      })
      .end();
  }

  private listBuckets(res: ServerResponse): void {
    const Bucket = [...this.buckets.keys()].sort().map((Name) => ({ Name, CreationDate: '2026-01-02T03:04:05.000Z' }));
    res.writeHead(200).end(xml('ListAllMyBucketsResult', { Owner: { ID: 'strict' }, Buckets: { Bucket } }));
  }

  private async createBucket(name: string, res: ServerResponse): Promise<void> {
    const bucket = await StrictBucket.create();
    if (this.buckets.has(name)) {
      await bucket.remove();
      throw new S3Refusal(409, 'BucketAlreadyOwnedByYou');
    }
    this.buckets.set(name, bucket);
    res.writeHead(200).end();
  }

  private async onBucket({ req, res, bucket, bucketName, query, signed }: Call): Promise<void> {
    if (req.method === 'HEAD') return void res.writeHead(200).end();
    if (req.method === 'POST' && query.has('delete')) {
      if (req.headers['content-md5'] === undefined) throw new S3Refusal(400, 'MissingContentMD5');
      const body = await bucket.text(await bucket.receive(req, signed.payload));
      for (const { Key = '' } of xmlPairs(body, 'Object')) bucket.objects.delete(Key);
      return void res.writeHead(200).end(xml('DeleteResult', {}));
    }
    if (req.method === 'GET' && query.has('uploads')) {
      const all = bucket.begun.filter(({ key }) => key.startsWith(query.get('prefix') ?? '') && key > (query.get('key-marker') ?? ''));
      const Upload = all.slice(0, PAGE).map(({ key, uploadId }) => ({ Key: key, UploadId: uploadId }));
      return void res.writeHead(200).end(
        xml('ListMultipartUploadsResult', {
          Bucket: bucketName,
          IsTruncated: all.length > PAGE,
          NextKeyMarker: Upload.at(-1)?.Key ?? '',
          Upload,
        }),
      );
    }
    if (req.method !== 'GET' || query.get('list-type') !== '2') throw new S3Refusal(501, 'NotImplemented');
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...bucket.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
    const page = keys.slice(0, PAGE);
    const Contents = page.map((Key) => ({
      Key,
      Size: bucket.find(Key).size,
      LastModified: bucket.find(Key).modified.toISOString(),
      ETag: `"${bucket.find(Key).etag}"`,
    }));
    const more = keys.length > page.length;
    res.writeHead(200).end(
      xml('ListBucketResult', {
        Name: bucketName,
        Prefix: prefix,
        KeyCount: page.length,
        IsTruncated: more,
        ...(more && { NextContinuationToken: page.at(-1) }),
        Contents,
      }),
    );
  }

  private async onUpload({ req, res, bucket, bucketName, key, query, signed }: Call): Promise<void> {
    const uploadId = query.get('uploadId') ?? '';
    if (req.method === 'POST' && query.has('uploads')) {
      const UploadId = bucket.begin(key, req.headers['content-type'] ?? 'binary/octet-stream');
      return void res.writeHead(200).end(xml('InitiateMultipartUploadResult', { Bucket: bucketName, Key: key, UploadId }));
    }
    const { parts } = bucket.upload(key, uploadId);
    if (req.method === 'PUT') {
      requireSignedLength(signed);
      const body = await bucket.receive(req, signed.payload);
      parts.set(Number(query.get('partNumber')), body);
      return void res.writeHead(200, { etag: `"${body.etag}"` }).end();
    }
    if (req.method === 'GET') {
      const numbers = [...parts.keys()].sort((a, b) => a - b).filter((part) => part > Number(query.get('part-number-marker') ?? 0));
      const page = numbers.slice(0, PAGE);
      const Part = page.map((PartNumber) => ({ PartNumber, Size: parts.get(PartNumber)?.size, ETag: `"${parts.get(PartNumber)?.etag}"` }));
      return void res
        .writeHead(200)
        .end(xml('ListPartsResult', { IsTruncated: numbers.length > page.length, NextPartNumberMarker: page.at(-1) ?? 0, Part }));
    }
    if (req.method === 'DELETE') {
      bucket.abort(key, uploadId);
      return void res.writeHead(204).end();
    }
    const named = xmlPairs(await bucket.text(await bucket.receive(req, signed.payload)), 'Part');
    const { etag } = await bucket.complete(
      key,
      uploadId,
      named.map(({ PartNumber, ETag = '' }) => ({ part: Number(PartNumber), etag: ETag.replace(/"|&quot;/g, '') })),
    );
    res.writeHead(200).end(
      xml('CompleteMultipartUploadResult', {
        Location: `${this.endpoint}/${bucketName}/${key}`,
        Bucket: bucketName,
        Key: key,
        ETag: `"${etag}"`,
      }),
    );
  }

  private async onObject({ req, res, bucket, key, query, signed }: Call): Promise<void> {
    if (req.method === 'DELETE') {
      bucket.objects.delete(key);
      return void res.writeHead(204).end();
    }
    if (req.method !== 'PUT') return this.deliver(req, res, bucket.find(key), query);
    const source = req.headers['x-amz-copy-source'];
    if (typeof source === 'string') {
      const { etag, modified } = await bucket.copy(decodeURIComponent(source).replace(/^\//, '').split('/').slice(1).join('/'), key);
      return void res.writeHead(200).end(xml('CopyObjectResult', { ETag: `"${etag}"`, LastModified: modified.toISOString() }));
    }
    requireSignedLength(signed);
    const body = await bucket.receive(req, signed.payload);
    if (req.headers['if-none-match'] === '*' && bucket.objects.has(key)) throw new S3Refusal(412, 'PreconditionFailed');
    bucket.place(key, body, req.headers['content-type'] ?? 'binary/octet-stream');
    res.writeHead(200, { etag: `"${body.etag}"` }).end();
  }

  private async deliver(req: IncomingMessage, res: ServerResponse, object: StoredObject, query: URLSearchParams): Promise<void> {
    res.setHeader('etag', `"${object.etag}"`).setHeader('last-modified', object.modified.toUTCString()).setHeader('accept-ranges', 'bytes');
    res.setHeader('content-type', query.get('response-content-type') ?? object.contentType);
    const disposition = query.get('response-content-disposition');
    if (disposition) res.setHeader('content-disposition', disposition);
    if (req.headers['if-none-match'] === `"${object.etag}"`) return void res.writeHead(304).end();
    const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(req.headers.range ?? '') ?? [];
    const start = first === '' ? Math.max(object.size - Number(last || object.size), 0) : Number(first);
    const end = first === '' || last === '' ? object.size - 1 : Math.min(Number(last), object.size - 1);
    const partial = first !== '' || last !== '';
    if (partial && start >= object.size) throw new S3Refusal(416, 'InvalidRange');
    if (partial) res.setHeader('content-range', `bytes ${start}-${end}/${object.size}`);
    res.writeHead(partial ? 206 : 200, { 'content-length': Math.max(end - start + 1, 0) });
    if (req.method === 'HEAD' || object.size === 0) return void res.end();
    await pipeline(createReadStream(object.path, { start, end }), res).catch(() => this.brokenDownloads++);
  }
}

function requireSignedLength({ presigned, signedHeaders }: VerifiedSignature): void {
  if (presigned && !signedHeaders.includes('content-length'))
    throw new S3Refusal(403, 'AccessDenied', 'A presigned upload must sign its length');
}
