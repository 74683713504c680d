import { Site } from '../domain/page-address';
import type { SiteFetch } from '../infrastructure/site-fetch';
import { PausedManners } from './crawl-turns';
import { SiteManners } from './site-manners';

const { signal } = new AbortController();
const fetch = (text: string): SiteFetch => ({ robots: () => Promise.resolve(text) }) as unknown as SiteFetch;

describe('the manners of paused runs', () => {
  it('are kept for a run that goes on here, once', () => {
    const paused = new PausedManners();
    const manners = new SiteManners();
    paused.keep('job', manners);
    expect(paused.take('job')).toBe(manners);
    expect(paused.take('job')).toBeUndefined();
  });

  it('take no more than 4 MiB of text together, those of cancelled runs among them', async () => {
    const paused = new PausedManners();
    const long = new SiteManners();
    await long.rulesOf(new Site('https://example.com/'), fetch('User-agent: *\n'.padEnd(512 * 1024, '#')), signal);
    for (let job = 0; job < 50; job++) paused.keep(String(job), long);
    const kept = Array.from({ length: 50 }, (_, job) => paused.take(String(job))).filter((manners) => manners !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * 512 * 1024).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('hold the rules of each site, asked for once', async () => {
    const manners = new SiteManners();
    const site = new Site('https://example.com/');
    const rules = await manners.rulesOf(site, fetch('User-agent: *\nDisallow: /private'), signal);
    expect(await manners.rulesOf(site, fetch(''), signal)).toBe(rules);
    expect((await manners.rulesOf(new Site('https://www.example.com/'), fetch(''), signal)).allows('https://www.example.com/private')).toBe(
      true,
    );
  });
});
