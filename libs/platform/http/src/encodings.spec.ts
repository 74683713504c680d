import express from 'express';
import request from 'supertest';
import { encodingFor } from './encodings';

const app = express().use((asked, response) => void response.json({ is: encodingFor(asked, ['br', 'gzip']) ?? 'none' }));

const chosen = async (accepted: string | undefined): Promise<unknown> => {
  const asked = request(app).get('/');
  return (
    (await (accepted === undefined ? asked.unset('Accept-Encoding') : asked.set('Accept-Encoding', accepted))).body as { is: unknown }
  ).is;
};

describe('the encoding of an answer', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['gzip;q=0.3', 'gzip'],
    ['identity;q=0, gzip', 'gzip'],
    ['identity;q=0.5, gzip;q=0.8', 'gzip'],
    ['identity, gzip;q=0.8', 'none'],
    ['gzip;q=0', 'none'],
    ['*;q=0', 'none'],
    ['gzip;q=0, br;q=0.0, *', 'none'],
    ['identity', 'none'],
    ['deflate, zstd', 'none'],
    ['', 'none'],
    [';;q=,=', 'none'],
    ['gzip;q=much', 'none'],
  ])('is what a caller takes and prefers: "%s" is answered with %s', async (accepted, encoding) => {
    expect(await chosen(accepted)).toBe(encoding);
  });

  it('is none where a caller says nothing', async () => {
    expect(await chosen(undefined)).toBe('none');
  });
});
