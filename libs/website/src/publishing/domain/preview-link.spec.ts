import { Clock } from '@atrium/platform/kernel';
import { hashPreviewToken, isPreviewToken, mintPreviewToken, previewAddress, previewEnd } from './preview-link';

class StoppedClock extends Clock {
  override now(): Date {
    return new Date('2026-05-01T08:00:00.000Z');
  }
}
const clock = new StoppedClock();
const asked = { path: '/produkte/ö', token: 'TOKEN', locale: 'de', site_key: 'wsk_1' };

describe('a preview link', () => {
  it('has a token of its own, of which the hash says nothing', () => {
    const [one, other] = [mintPreviewToken(), mintPreviewToken()];
    expect(one).not.toBe(other);
    expect([isPreviewToken(one), isPreviewToken(`${one}=`), isPreviewToken('')]).toEqual([true, false, false]);
    expect(hashPreviewToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });

  it('leads to the front end of the site, or to the content itself', () => {
    expect(previewAddress('https://p.example/{locale}{path}?t={token}', 'https://a.example/api/v1', asked)).toBe(
      'https://p.example/de/produkte/%C3%B6?t=TOKEN',
    );
    expect(previewAddress(null, 'https://a.example/api/v1', asked)).toBe(
      'https://a.example/api/v1/delivery/wsk_1/page?path=%2Fprodukte%2F%C3%B6&locale=de&version=draft&token=TOKEN',
    );
  });

  it.each([
    [undefined, '2026-05-02T08:00:00.000Z'],
    [60, '2026-05-01T08:01:00.000Z'],
    [2_592_000, '2026-05-31T08:00:00.000Z'],
  ])('for %s seconds ends at %s', (seconds, end) => {
    expect(previewEnd(seconds, clock)).toEqual(new Date(end));
  });

  it.each([59, 2_592_001])('cannot last %s seconds', (seconds) => {
    expect(() => previewEnd(seconds, clock)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
