import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { wantedBytes, type ByteRange } from '@atrium/platform/storage';
import type { Request, Response } from 'express';
import type { StoredBytes } from '../application/downloads';

/** `cache`: how long browsers may keep them; an hour by default. */
export type SentBytes = Pick<StoredBytes, 'size' | 'type' | 'etag'> & { readonly cache?: string };

/**
 * Answers a GET with stored bytes: 200, 206 for a range, 304 for a tag the client has, 416 for a range that is not
 * there. Nothing is written before the bytes are open, so that a failure until then is a problem like any other.
 */
export async function sendBytes(
  request: Request,
  response: Response,
  bytes: SentBytes,
  open: (range?: ByteRange) => Promise<Readable>,
): Promise<void> {
  const etag = `"${bytes.etag}"`;
  response.setHeader('ETag', etag);
  if (request.fresh) {
    announce(response, etag, bytes.cache).status(304).end();
    return;
  }
  const wanted = wantedBytes(isStale(request, etag) ? undefined : request.headers.range, bytes.size);
  if (wanted === 'none') {
    response.removeHeader('ETag');
    response.status(416).setHeader('Content-Range', `bytes */${bytes.size}`).end();
    return;
  }
  const part = wanted === 'whole' ? undefined : wanted;
  const source = request.method === 'HEAD' ? null : await open(part);
  announce(response, etag, bytes.cache).status(part ? 206 : 200);
  response.setHeader('Content-Type', bytes.type);
  response.setHeader('Content-Length', part ? part.end - part.start + 1 : bytes.size);
  if (part) response.setHeader('Content-Range', `bytes ${part.start}-${part.end}/${bytes.size}`);
  if (source) await deliverBytes(source, response);
  else response.end();
}

/** Pipes until the end; a client that hangs up stops the source and is no failure of ours. */
export async function deliverBytes(source: Readable, response: Response): Promise<void> {
  try {
    await pipeline(source, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** `If-Range` names other bytes than those there are now. */
const isStale = (request: Request, etag: string): boolean =>
  request.headers['if-range'] !== undefined && request.headers['if-range'] !== etag;

/** The bytes are a user's: private, taken as what they are said to be, and unable to run anything. */
const announce = (response: Response, etag: string, cache = 'private, max-age=3600'): Response =>
  response.set({
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': cache,
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
  });
