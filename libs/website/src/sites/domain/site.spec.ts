import { DAY, type Clock } from '@atrium/platform/kernel';
import { Site } from './site';

const clockAt = (now: Date): Clock => ({ now: () => now, after: (ms: number) => new Date(now.getTime() + ms) });
const NOW = new Date('2026-05-01T12:00:00Z');
const site = (): Site =>
  Site.blank(
    {
      site_id: 's',
      site_name: 'Ours',
      site_key: 'wsk_x',
      site_library: 'l',
      site_default_locale: 'en',
      site_locales: [{ code: 'en', name: 'English', fallback: null, prefix: '', active: true }],
    },
    NOW,
  );

describe('a deleted site', () => {
  it('can be restored on its thirtieth day, and not after it', () => {
    const early = site();
    early.delete(clockAt(NOW));
    early.restore(clockAt(new Date(NOW.getTime() + 30 * DAY)));
    expect([early.site_active, early.site_removed]).toEqual([true, null]);
    const late = site();
    late.delete(clockAt(NOW));
    expect(() => {
      late.restore(clockAt(new Date(NOW.getTime() + 30 * DAY + 1)));
    }).toThrow('more than 30 days ago');
  });

  it('is the only one that can be restored', () => {
    expect(() => {
      site().restore(clockAt(NOW));
    }).toThrow('is not deleted');
  });
});
