import { gunzipSync } from 'node:zlib';
import express from 'express';
import request, { type Response } from 'supertest';
import { JsonAnswers } from './json-answers';

const ANY = { mayBeCompressed: () => true };
const NONE = { mayBeCompressed: () => false };
const LONG = JSON.stringify({ words: 'harbour '.repeat(10_000) });

interface Sending {
  readonly answer?: { mayBeCompressed(text: string): boolean };
  readonly takes?: string;
  readonly method?: 'get' | 'head';
}

/** The answer as it is sent to a caller who takes gzip. */
function sent(text: string, { answer = ANY, takes = 'gzip', method = 'get' }: Sending = {}): Promise<Response> {
  const app = express().use((_request, response) => {
    response.setHeader('ETag', '"7"').setHeader('Content-Type', 'application/json');
    void new JsonAnswers().sendJson(response, text, answer);
  });
  return request(app)[method]('/').set('Accept-Encoding', takes);
}

interface Seen {
  readonly headers: Map<string, unknown>;
  body: Buffer | string | undefined;
}

/** A response that is only looked at. */
function looked(): { readonly response: express.Response; readonly seen: Seen } {
  const seen: Seen = { headers: new Map(), body: undefined };
  const response = {
    req: { method: 'GET', headers: { 'accept-encoding': 'gzip' }, acceptsEncodings: () => 'gzip' },
    setHeader: (name: string, value: unknown) => seen.headers.set(name, value),
    end: (body: Buffer | string) => (seen.body = body),
  } as unknown as express.Response;
  return { response, seen };
}

const isCompressed = ({ headers, body }: Seen): boolean => headers.get('Content-Encoding') === 'gzip' && Buffer.isBuffer(body);

describe('answers of JSON', () => {
  it.each([
    ['small', 'x'.repeat(1_023)],
    ['large', LONG],
  ])('that are %s are compressed for a caller who takes it, and keep the ETag of their version', async (_size, words) => {
    const text = JSON.stringify({ words });
    const answer = await sent(text);
    expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip', etag: '"7"', 'content-type': 'application/json' });
    expect(Number(answer.headers['content-length'])).toBeLessThan(text.length / 2);
    expect(answer.text).toBe(text);
  });

  it.each([
    ['of a kilobyte', JSON.stringify('x'.repeat(1_022)), {}],
    ['that may not be compressed', LONG, { answer: NONE }],
    ['of a caller who takes other encodings', LONG, { takes: 'deflate' }],
  ])('%s are sent as they are', async (_what, text, how) => {
    const answer = await sent(text, how);
    expect([answer.headers['content-encoding'], answer.headers['content-length'], answer.text]).toEqual([
      undefined,
      String(text.length),
      text,
    ]);
    expect(answer.headers.etag).toBe('"7"');
  });

  it('that nothing is declared of are sent as they are', async () => {
    const { response, seen } = looked();
    await new JsonAnswers().sendJson(response, LONG, undefined);
    expect([isCompressed(seen), seen.body]).toEqual([false, LONG]);
  });

  it('are measured in bytes, whatever their letters', async () => {
    const text = JSON.stringify('Ж'.repeat(600));
    const plain = await sent(text, { takes: 'identity' });
    expect([plain.headers['content-length'], plain.body]).toEqual(['1202', 'Ж'.repeat(600)]);
    const answer = await sent(text);
    expect([answer.headers['content-encoding'], answer.body]).toEqual(['gzip', 'Ж'.repeat(600)]);
  });

  it('have the headers of GET when HEAD asks for them', async () => {
    for (const text of [LONG, JSON.stringify('x'.repeat(2_000)), '{}']) {
      const [get, head] = [await sent(text), await sent(text, { method: 'head' })];
      for (const name of ['content-encoding', 'content-length', 'etag']) expect(head.headers[name]).toBe(get.headers[name]);
      expect(head.text).toBeUndefined();
    }
  });

  it('are sent as they are while two large ones are being compressed; small ones do not count', async () => {
    const answers = new JsonAnswers();
    const large = Array.from({ length: 5 }, looked);
    const ends = large.map(({ response }) => answers.sendJson(response, LONG, ANY));
    expect(large.map(({ seen }) => seen.body)).toEqual([undefined, undefined, LONG, LONG, LONG]);
    const small = looked();
    await answers.sendJson(small.response, LONG.slice(-16 * 1_024), ANY);
    expect(isCompressed(small.seen)).toBe(true);
    for (const end of ends) await end;
    expect(large.map(({ seen }) => isCompressed(seen))).toEqual([true, true, false, false, false]);
    expect(gunzipSync(large[0]?.seen.body as Buffer).toString()).toBe(LONG);
    const later = looked();
    await answers.sendJson(later.response, LONG, ANY);
    expect(isCompressed(later.seen)).toBe(true);
  });
});
