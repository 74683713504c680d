import { wantedBytes } from './byte-ranges';

describe('Range', () => {
  it.each([
    [undefined, 'whole'],
    ['bytes=0-9', { start: 0, end: 9 }],
    ['bytes=90-', { start: 90, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=95-1000', { start: 95, end: 99 }],
    ['bytes=100-', 'none'],
    ['bytes=500-600', 'none'],
    ['bytes=-0', 'none'],
    ['bytes=9-5', 'whole'],
    ['bytes=0-9,20-29', 'whole'],
    ['rows=0-9', 'whole'],
    ['nonsense', 'whole'],
    ['bytes=-', 'whole'],
  ] as const)('%j of 100 bytes asks for %j', (header, wanted) => {
    expect(wantedBytes(header, 100)).toEqual(wanted);
  });

  it('has no part of nothing', () => {
    expect(wantedBytes('bytes=0-', 0)).toBe('none');
    expect(wantedBytes('bytes=-5', 0)).toBe('none');
  });
});
