import express from 'express';
import request from 'supertest';
import { PublicText } from './public-text';

const TEXT = JSON.stringify({ words: Array.from({ length: 500 }, (_, n) => `harbour ${n}`) });

describe('a text for everyone', () => {
  const text = new PublicText('application/json', TEXT);
  const app = express().use((asked, answer) => text.sendText(asked, answer));
  const asked = (encodings: string, headers: Record<string, string> = {}): request.Test =>
    request(app).get('/').set('Accept-Encoding', encodings).set(headers).buffer(true);

  it('is sent in the encoding that its reader takes, the smaller first, and says how large it is', async () => {
    const plain = await asked('identity').expect(200);
    expect([plain.headers['content-encoding'], plain.text]).toEqual([undefined, TEXT]);
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-type': 'application/json; charset=utf-8' });
    const gzipped = await asked('gzip, deflate').expect(200);
    expect([gzipped.headers['content-encoding'], gzipped.text]).toEqual(['gzip', TEXT]);
    expect(Number(gzipped.headers['content-length'])).toBeLessThan(TEXT.length / 2);
    expect((await asked('gzip, deflate, br').expect(200)).headers['content-encoding']).toBe('br');
    expect((await asked('gzip;q=0, br;q=0').expect(200)).headers['content-encoding']).toBeUndefined();
  });

  it('has a tag of its own in each encoding, and is not sent again to who has it', async () => {
    const tags = await Promise.all(['identity', 'gzip', 'br'].map(async (each) => (await asked(each)).headers.etag as string));
    expect(new Set(tags).size).toBe(3);
    for (const [at, encoding] of ['identity', 'gzip', 'br'].entries()) {
      const again = await asked(encoding, { 'If-None-Match': tags[at] ?? '' }).expect(304);
      expect([again.headers.etag, again.headers.vary, again.text]).toEqual([tags[at], 'Accept-Encoding', '']);
    }
    await asked('gzip', { 'If-None-Match': tags[0] ?? '' }).expect(200);
  });

  it('answers HEAD as GET, without the bytes', async () => {
    const [head, get] = [await request(app).head('/').set('Accept-Encoding', 'br'), await asked('br')];
    for (const name of ['content-length', 'content-encoding', 'etag', 'content-type']) expect(head.headers[name]).toBe(get.headers[name]);
  });
});
