import { gzipSync } from 'node:zlib';
import type { Response } from 'express';
import { compressed, encodingFor, type Encoding } from './encodings';

/** A smaller one fits into one packet as it is. */
const LEAST_BYTES = 1_024;
const OFFERED: readonly Encoding[] = ['gzip'];
const LEVEL = 1;
/** What is compressed in less time than handing it to another thread takes. */
const AT_ONCE_BYTES = 16 * 1_024;
/** Half of the four threads, which have passwords and files to work on as well: beyond it answers leave as they are. */
const MOST_AT_A_TIME = 2;

/** Says of an answer whether its text may be compressed. */
interface Compressible {
  mayBeCompressed(text: string): boolean;
}

/**
 * Sends answers of JSON, compressed where they may be and their caller takes it. The ETag is that of the version in every encoding: it
 * is for conditions, and no part of an answer of JSON can be asked for.
 */
export class JsonAnswers {
  private inThreads = 0;

  /** Sends the answer, which has its headers; a promise where another thread compresses it. */
  sendJson(response: Response, text: string, answer: Compressible | undefined): Response | Promise<Response> {
    const size = Buffer.byteLength(text);
    const encoding = size > LEAST_BYTES ? encodingFor(response.req, OFFERED) : undefined;
    const isAtOnce = size <= AT_ONCE_BYTES;
    if (!encoding || (!isAtOnce && this.inThreads >= MOST_AT_A_TIME) || !answer?.mayBeCompressed(text)) return end(response, text, size);
    if (isAtOnce) return endEncoded(response, gzipSync(text, { level: LEVEL }), encoding);
    this.inThreads++;
    return compressed(text, encoding, LEVEL)
      .finally(() => this.inThreads--)
      .then(
        (bytes) => endEncoded(response, bytes, encoding),
        () => end(response, text, size),
      );
  }
}

function endEncoded(response: Response, bytes: Buffer, encoding: Encoding): Response {
  response.setHeader('Content-Encoding', encoding);
  return end(response, bytes, bytes.length);
}

function end(response: Response, body: string | Buffer, size: number): Response {
  response.setHeader('Content-Length', size);
  return response.end(response.req.method === 'HEAD' ? undefined : body);
}
