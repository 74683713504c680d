import type { Clock } from '@atrium/platform/kernel';
import { Crawl } from './crawl';
import { mayRemove } from './crawl-page';
import { settingsWith } from './crawl-settings';

const clock = { now: () => new Date('2026-11-23T06:00:00Z') } as Clock;
const MONDAY = new Date('2026-11-30T06:00:00Z');
const next = (): Date => MONDAY;
const crawl = (): Crawl =>
  Object.assign(new Crawl(), {
    crw_name: 'Docs',
    crw_settings: { ...settingsWith({ max_pages: 7 }) },
    crw_cron: null,
    crw_timezone: 'UTC',
    crw_active: true,
    crw_pass: 0,
    crw_pass_open: false,
    crw_next: null,
  });

describe('a crawl', () => {
  it('has the usual settings where nothing else was said, and again where null was', () => {
    expect(crawl().settings).toMatchObject({ max_pages: 7, max_depth: 3, mode: 'site', on_missing: 'archive' });
    const changed = crawl();
    changed.change({ crw_settings: { max_pages: null, max_depth: 1 } }, next, clock);
    expect(changed.settings).toMatchObject({ max_pages: 200, max_depth: 1 });
  });

  it('comes next by its cron while it is active', () => {
    const changed = crawl();
    changed.change({ crw_cron: '0 6 * * 1' }, next, clock);
    expect(changed.crw_next).toEqual(MONDAY);
    changed.change({ crw_active: false }, next, clock);
    expect(changed.crw_next).toBeNull();
    changed.change({ crw_active: true, crw_cron: null }, next, clock);
    expect(changed.crw_next).toBeNull();
  });

  it.each([
    [{ crw_active: true }, 'bea'],
    [{ crw_cron: '0 6 * * 1' }, 'bea'],
    [{ crw_active: false }, 'ann'],
    [{ crw_cron: null }, 'ann'],
    [{}, 'ann'],
  ])('that is changed by %j runs by the clock for %s', (wish, expected) => {
    const changed = Object.assign(crawl(), { crw_created_by: 'ann' });
    changed.assignTo(null, wish);
    expect(changed.crw_created_by).toBe('ann');
    changed.assignTo('bea', wish);
    expect(changed.crw_created_by).toBe(expected);
  });

  it('begins a pass with each run, but goes on with one that was left open', () => {
    const run = crawl();
    expect([run.beginPass('a', false), run.crw_pass]).toEqual([true, 1]);
    expect([run.beginPass('b', false), run.crw_pass, run.crw_last_job]).toEqual([false, 1, 'b']);
    run.endPass(12);
    expect([run.beginPass('c', false), run.crw_pass, run.crw_page_count]).toEqual([true, 2, 12]);
    expect([run.beginPass('d', true), run.crw_pass]).toEqual([true, 3]);
  });

  it.each([
    [3, 10, true],
    [4, 10, false],
    [0, 0, true],
    [1, 1, false],
  ])('may remove %d of %d records at once: %s', (missing, kept, may) => expect(mayRemove(missing, kept)).toBe(may));
});
