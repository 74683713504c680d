import { gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { compressed, encodedTag, encodingFor, type Encoding } from './encodings';

/** A smaller one fits into one packet as it is. */
const LEAST_BYTES = 1_024;
const OFFERED: readonly Encoding[] = ['gzip'];
const LEVEL = 1;
/** What is compressed in less time than handing it to another thread takes. */
const AT_ONCE_BYTES = 16 * 1_024;
/** The threads have other work as well, such as passwords: beyond so many answers at one time others leave as they are. */
const MOST_AWAY = 8;

/** Sends answers of JSON, compressed where they may be and their caller takes it. */
export class JsonAnswers {
  private away = 0;

  /** Sends the answer, which has its headers; a promise where other threads have work on it. */
  send(response: Response, text: string, mayBeCompressed: boolean): Response | Promise<Response> {
    const size = Buffer.byteLength(text);
    const encoding = mayBeCompressed && size > LEAST_BYTES ? encodingFor(response.req, OFFERED) : undefined;
    if (!encoding) return end(response, text, size);
    if (size <= AT_ONCE_BYTES) return endEncoded(response, gzipSync(text, { level: LEVEL }), encoding);
    if (this.away >= MOST_AWAY) return end(response, text, size);
    this.away++;
    return compressed(text, encoding, LEVEL)
      .finally(() => this.away--)
      .then((bytes) => endEncoded(response, bytes, encoding));
  }
}

function endEncoded(response: Response, bytes: Buffer, encoding: Encoding): Response {
  const etag = response.getHeader('ETag');
  if (typeof etag === 'string') response.setHeader('ETag', encodedTag(etag, encoding));
  response.setHeader('Content-Encoding', encoding);
  return end(response, bytes, bytes.length);
}

function end(response: Response, body: string | Buffer, size: number): Response {
  response.setHeader('Content-Length', size);
  return response.end(response.req.method === 'HEAD' ? undefined : body);
}
