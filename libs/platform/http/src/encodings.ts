import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';

export type Encoding = 'br' | 'gzip';

/** The first of the offered encodings that the caller takes, unless it prefers none. */
export const encodingFor = (request: Request, offered: readonly Encoding[]): Encoding | undefined =>
  request.headers['accept-encoding'] === undefined
    ? undefined
    : offered.find((encoding) => request.acceptsEncodings(encoding, 'identity') === encoding);

/** Compresses in the pool of threads, not on the event loop. */
export const compressed = (bytes: Buffer | string, encoding: Encoding, level: number): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const done = (error: Error | null, result: Buffer): void => (error ? reject(error) : resolve(result));
    if (encoding === 'gzip') gzip(bytes, { level }, done);
    else
      brotliCompress(
        bytes,
        { params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(bytes) } },
        done,
      );
  });

/** The ETag of a version as it is sent in an encoding: other bytes have another tag. */
export const encodedTag = (etag: string, encoding: Encoding | undefined): string => (encoding ? `${etag.slice(0, -1)}-${encoding}"` : etag);

/** The tags of an `If-None-Match`, as they were sent. */
export const tagsOf = (header: string | undefined): readonly string[] =>
  (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
