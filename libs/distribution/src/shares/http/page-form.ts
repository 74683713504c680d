import { accessDenied, Problem } from '@atrium/platform/kernel';
import type { Request } from 'express';

/** A thousand ticks of files, and what else a form holds. */
const MOST_BYTES = 64 * 1024;

/** The fields of a small form of a page; another kind of body, or a large one, is refused. */
export async function formOf(request: Request): Promise<URLSearchParams> {
  const origin = request.headers['sec-fetch-site'];
  if (origin !== undefined && origin !== 'same-origin' && origin !== 'none')
    throw accessDenied('This form can only be sent from its own page.');
  if (request.headers['content-length'] === '0') return new URLSearchParams();
  if (!request.is('application/x-www-form-urlencoded')) throw new Problem('unsupported_media_type', 'Send a form.');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Problem('payload_too_large', 'The form is too large.');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
