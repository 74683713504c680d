import { gunzipSync } from 'node:zlib';
import express from 'express';
import request from 'supertest';
import { JsonAnswers } from './json-answers';

const LONG = JSON.stringify({ words: 'harbour '.repeat(10_000) });

/** A response that is only looked at. */
function answering(encodings = 'gzip'): { response: express.Response; headers: Map<string, unknown>; body: () => Buffer | string } {
  const headers = new Map<string, unknown>([['ETag', '"7"']]);
  let sent: Buffer | string = '';
  const response = {
    req: {
      method: 'GET',
      headers: { 'accept-encoding': encodings },
      acceptsEncodings: (name: string) => (name === encodings ? name : false),
    },
    getHeader: (name: string) => headers.get(name),
    setHeader: (name: string, value: unknown) => void headers.set(name, value),
    end: (body: Buffer | string) => void (sent = body),
  } as unknown as express.Response;
  return { response, headers, body: () => sent };
}

describe('answers of JSON', () => {
  it('are compressed where they may be, are long enough, and their caller takes it', async () => {
    const { response, headers, body } = answering();
    await new JsonAnswers().send(response, LONG, true);
    expect(Object.fromEntries(headers)).toEqual({ ETag: '"7-gzip"', 'Content-Encoding': 'gzip', 'Content-Length': body().length });
    expect(gunzipSync(body()).toString()).toBe(LONG);
    for (const [text, may, encodings] of [
      [LONG, false, 'gzip'],
      ['x'.repeat(1_024), true, 'gzip'],
      [LONG, true, 'deflate'],
    ] as const) {
      const plain = answering(encodings);
      await new JsonAnswers().send(plain.response, text, may);
      expect([Object.fromEntries(plain.headers), plain.body()]).toEqual([{ ETag: '"7"', 'Content-Length': text.length }, text]);
    }
  });

  it('leave as they are while many are being compressed', async () => {
    const answers = new JsonAnswers();
    const sent = Array.from({ length: 20 }, () => answering());
    await Promise.all(sent.map(({ response }) => answers.send(response, LONG, true)));
    const encoded = sent.filter(({ headers }) => headers.get('Content-Encoding') === 'gzip').length;
    expect([encoded > 0, encoded < 20, sent.every(({ body }) => body().length > 0)]).toEqual([true, true, true]);
    const later = answering();
    await answers.send(later.response, LONG, true);
    expect(later.headers.get('Content-Encoding')).toBe('gzip');
  });

  it('are counted in bytes, whatever their letters', async () => {
    const text = JSON.stringify('Ж'.repeat(600));
    const app = express().use((_request, response) => void new JsonAnswers().send(response.type('application/json'), text, true));
    const answer = await request(app).get('/').set('Accept-Encoding', 'gzip').expect(200);
    expect([answer.headers['content-encoding'], answer.body]).toEqual(['gzip', 'Ж'.repeat(600)]);
    expect((await request(app).get('/').set('Accept-Encoding', 'identity')).headers['content-length']).toBe('1202');
  });
});
