import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { accessDenied, PROBLEMS, Problem, type ProblemCode } from '@atrium/platform/kernel';
import { deliveryOf } from '../delivery';
import { cutShort, tooLarge } from '../incoming-bytes';
import { ObjectMissing, UploadMissing } from '../object-store';
import { namesEtag, wantedBytes } from '../byte-ranges';
import type { DiskObjectStore, OpenObject } from './disk-object-store';
import { STORAGE_PATH, type Grant } from './grant';
import { StorageCors } from './storage-cors';

/** How long the rest of a refused body is read into nothing, so that the client gets the answer and not a reset. */
const LINGER_MS = 1_000;

/**
 * Serves the signed URLs of the disk store. It runs before every other middleware (no body parser may have read the
 * body) and needs no framework. Whatever is wrong with a URL answers the same 403, so nothing can be learnt from it.
 */
export class DiskStoreEndpoint {
  private readonly cors: StorageCors;

  constructor(
    private readonly store: DiskObjectStore,
    private readonly options: {
      readonly corsOrigins: readonly string[];
      /** Receives failures whose cause no answer may reveal. */ readonly onFailure?: (error: unknown) => void;
    },
  ) {
    this.cors = new StorageCors(options.corsOrigins);
  }

  /** Answers requests under `/storage/` and returns whether it was one; never throws. */
  async handleRequest(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const url = req.url ?? '';
    if (!url.startsWith(STORAGE_PATH)) return false;
    this.cors.decorate(req, res);
    try {
      await this.answer(req, res, url);
    } catch (error) {
      this.refuse(req, res, error);
    }
    return true;
  }

  private async answer(req: IncomingMessage, res: ServerResponse, url: string): Promise<void> {
    if (req.method === 'OPTIONS') {
      this.cors.preflight(res);
      return;
    }
    const grant = this.store.grants.openGrant(req.method, url);
    if (!grant) throw accessDenied('This URL is invalid or has expired. Request a new one.');
    await (grant.method === 'PUT' ? this.receive(req, res, grant) : this.deliver(req, res, grant));
  }

  private async receive(req: IncomingMessage, res: ServerResponse, grant: Grant): Promise<void> {
    if (grant.contentType !== undefined && req.headers['content-type'] !== grant.contentType)
      throw accessDenied(`This URL takes bytes with the Content-Type ${grant.contentType} only.`);
    const announced = req.headers['content-length'];
    if (announced !== undefined && grant.size !== undefined) {
      if (Number(announced) > grant.size) throw tooLarge(grant.size);
      if (Number(announced) < grant.size) throw cutShort(Number(announced), grant.size);
    }
    const etag = await this.keep(grant, req, req.iterator({ destroyOnReturn: false }));
    res.writeHead(200, { etag: `"${etag}"`, 'content-length': 0 }).end();
  }

  private async keep(grant: Grant, req: IncomingMessage, body: AsyncIterable<Uint8Array>): Promise<string> {
    const { key, uploadId, part, size, sha256 } = grant;
    if (uploadId !== undefined && part !== undefined) return this.store.multipart.writePart(key, uploadId, part, body, { size });
    const createOnly = grant.createOnly || req.headers['if-none-match'] === '*';
    if (createOnly && (await this.store.stat(key))) throw new Problem('precondition_failed', 'The object already exists.');
    return (await this.store.write(key, body, { size, sha256, createOnly })).etag;
  }

  private async deliver(req: IncomingMessage, res: ServerResponse, grant: Grant): Promise<void> {
    const object = await this.store.open(grant.key);
    try {
      this.announce(res, object, grant);
      if (namesEtag(req.headers['if-none-match'], object.etag)) {
        res.writeHead(304).end();
        return;
      }
      await this.send(req, res, object);
    } finally {
      await object.file.close();
    }
  }

  private announce(res: ServerResponse, object: OpenObject, grant: Grant): void {
    const { contentType, contentDisposition } = deliveryOf({ ...grant, disposition: grant.disposition ?? 'attachment' });
    res.setHeader('etag', `"${object.etag}"`);
    res.setHeader('last-modified', object.modified.toUTCString());
    res.setHeader('accept-ranges', 'bytes');
    res.setHeader('cache-control', 'private');
    res.setHeader('content-type', contentType);
    res.setHeader('content-disposition', contentDisposition);
    res.setHeader('x-content-type-options', 'nosniff');
    res.setHeader('content-security-policy', "default-src 'none'; sandbox");
  }

  private async send(req: IncomingMessage, res: ServerResponse, object: OpenObject): Promise<void> {
    const ifRange = req.headers['if-range'];
    const unchanged = ifRange === undefined || ifRange === `"${object.etag}"`;
    const wanted = wantedBytes(unchanged ? req.headers.range : undefined, object.size);
    if (wanted === 'none') {
      for (const name of ['content-type', 'content-disposition']) res.removeHeader(name);
      res.writeHead(416, { 'content-range': `bytes */${object.size}`, 'content-length': 0 }).end();
      return;
    }
    const { start, end } = wanted === 'whole' ? { start: 0, end: object.size - 1 } : wanted;
    if (wanted !== 'whole') res.setHeader('content-range', `bytes ${start}-${end}/${object.size}`);
    res.writeHead(wanted === 'whole' ? 200 : 206, { 'content-length': end - start + 1 });
    if (req.method === 'HEAD' || end < start) {
      res.end();
      return;
    }
    await pipeline(object.file.createReadStream({ start, end, autoClose: false, highWaterMark: 256 * 1024 }), res);
  }

  private refuse(req: IncomingMessage, res: ServerResponse, error: unknown): void {
    if (res.headersSent || res.destroyed || req.socket.destroyed) {
      // The client disconnected, or the bytes ended after the head was sent: only the connection can show it.
      res.destroy();
      return;
    }
    const { code, detail } = problemOf(error);
    if (code === 'internal_error') this.options.onFailure?.(error);
    const { status, title } = PROBLEMS[code];
    const requestId = res.getHeader('x-request-id');
    const body = JSON.stringify({
      type: `/problems/${code}`,
      title,
      status,
      detail,
      instance: (req.url ?? '').split('?', 1)[0]?.slice(0, 512),
      code,
      ...(typeof requestId === 'string' && { request_id: requestId }),
    });
    for (const name of ['etag', 'last-modified', 'accept-ranges', 'content-disposition']) res.removeHeader(name);
    res.writeHead(status, {
      'content-type': 'application/problem+json',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    res.end(req.method === 'HEAD' ? undefined : body);
    if (req.complete) return;
    const linger = setTimeout(() => req.socket.destroy(), LINGER_MS);
    req.once('close', () => clearTimeout(linger)).resume();
  }
}

function problemOf(error: unknown): { readonly code: ProblemCode; readonly detail: string } {
  if (error instanceof Problem) return error;
  if (error instanceof ObjectMissing || error instanceof UploadMissing) return { code: 'not_found', detail: 'The object does not exist.' };
  return { code: 'internal_error', detail: 'The object store failed.' };
}
