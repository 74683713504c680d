import { decodeCursor, encodeCursor } from './cursor';

const POSITION = { sort: '-album_updated', key: '2026-01-02T03:04:05.678Z', id: '0190163d-8694-739b-aea5-966c26f8ad91' };
const written = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a cursor', () => {
  it.each([POSITION, { ...POSITION, key: 42 }, { ...POSITION, key: 'Ünïcode "quoted"' }])('is read as it was issued: %j', (position) => {
    const cursor = encodeCursor(position);
    expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(cursor, position.sort)).toEqual(position);
  });

  it.each(['album_updated', '-album_name', '', '-album_updated '])('of another order is none: asked by %j', (sort) => {
    expect(decodeCursor(encodeCursor(POSITION), sort)).toBeNull();
  });

  it.each([
    ['nothing', undefined],
    ['no text', ''],
    ['other letters', 'abc=def'],
    ['no JSON', 'abcdef'],
    ['no list', written({ sort: POSITION.sort })],
    ['too few parts', written([POSITION.sort, 1])],
    ['too many parts', written([POSITION.sort, 1, 'id', 'more'])],
    ['a key that is no value', written([POSITION.sort, { $ne: 1 }, POSITION.id])],
    ['an id that is no text', written([POSITION.sort, 1, 7])],
    ['more than 512 letters', written([POSITION.sort, 'x'.repeat(600), POSITION.id])],
  ])('that holds %s is none', (_, cursor) => {
    expect(decodeCursor(cursor, POSITION.sort)).toBeNull();
  });
});
