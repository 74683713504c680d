import * as http from 'node:http';
import * as https from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Problem } from '@atrium/platform/kernel';

/** A server that takes bytes without responding must not hold a request forever. */
const SILENCE_MS = 60_000;

export interface PartRequest {
  readonly url: string;
  readonly size: number;
  readonly lookup?: LookupFunction | undefined;
}

/** Null: the store refused the part. */
export interface PartAnswer {
  readonly status: number;
  readonly etag: string | null;
}

/** Sends the body of a part as it comes; what the library offers wants the whole part in memory. A body that fails ends the request. */
export async function sendPart({ url, size, lookup }: PartRequest, body: AsyncIterable<Uint8Array>): Promise<PartAnswer> {
  const sent = (url.startsWith('https:') ? https : http).request(url, {
    method: 'PUT',
    headers: { 'content-length': size },
    ...(lookup ? { lookup } : {}),
  });
  sent.setTimeout(SILENCE_MS, () => sent.destroy(Object.assign(new Error('The object store stopped responding.'), { code: 'ETIMEDOUT' })));
  const answered = new Promise<PartAnswer>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      const { statusCode: status = 0, headers } = response;
      resolve({ status, etag: status === 200 ? (headers.etag ?? '').replaceAll('"', '') : null });
    });
  });
  const streamed = pipeline(Readable.from(body), sent);
  // A refusal may come before the last byte: then the answer counts, else the failure that ended the body.
  return Promise.race([answered, streamed.then(() => answered)]).catch(async (error: unknown) => {
    const cause = await streamed.then(
      () => error,
      (failure: unknown) => failure,
    );
    throw cause instanceof Problem ? cause : error;
  });
}
