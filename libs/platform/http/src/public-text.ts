import { createHash } from 'node:crypto';
import { onceForAll } from '@atrium/platform/kernel';
import type { Request, Response } from 'express';
import { compressed, encodedTag, encodingFor, tagsOf, type Encoding } from './encodings';

const OFFERED: readonly Encoding[] = ['br', 'gzip'];
/** A smaller one fits into one packet as it is. */
const LEAST_BYTES = 1_024;
/** It is compressed once and read by many. */
const LEVEL = { br: 6, gzip: 6 } as const;

/** A text that is the same for all who read it. Each encoding of it is made once, when it is first asked for. */
export class PublicText {
  private readonly bytes: Buffer;
  private readonly tag: string;
  private readonly encoded = new Map<Encoding, () => Promise<Buffer>>();

  constructor(
    private readonly type: string,
    text: string | Buffer,
    private readonly cacheControl = 'no-cache',
  ) {
    this.bytes = Buffer.from(text);
    this.tag = `"${createHash('sha256').update(this.bytes).digest('hex').slice(0, 32)}"`;
  }

  /** Answers a GET or HEAD with it, or with 304 to a caller who has it. */
  async sendText(request: Request, response: Response): Promise<void> {
    const encoding = this.bytes.length > LEAST_BYTES ? encodingFor(request, OFFERED) : undefined;
    const etag = encodedTag(this.tag, encoding);
    response.vary('Accept-Encoding').set({ ETag: etag, 'Cache-Control': this.cacheControl });
    if (tagsOf(request.headers['if-none-match']).includes(etag)) {
      response.status(304).end();
      return;
    }
    const bytes = encoding ? await this.in(encoding) : this.bytes;
    if (encoding) response.set('Content-Encoding', encoding);
    response.type(this.type).set('Content-Length', String(bytes.length));
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  private in(encoding: Encoding): Promise<Buffer> {
    const known = this.encoded.get(encoding) ?? onceForAll(() => compressed(this.bytes, encoding, LEVEL[encoding]));
    this.encoded.set(encoding, known);
    return known();
  }
}
