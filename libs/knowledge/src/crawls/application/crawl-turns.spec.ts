import { Site } from '../domain/page-address';
import type { SiteFetch } from '../infrastructure/site-fetch';
import { PausedSiteStates } from './crawl-turns';
import { SiteCrawlState } from './site-crawl-state';

const { signal } = new AbortController();
const fetch = (text: string): SiteFetch => ({ fetchRobots: () => Promise.resolve(text) }) as unknown as SiteFetch;

describe('the manners of paused runs', () => {
  it('are kept for a run that goes on here, once', () => {
    const paused = new PausedSiteStates();
    const siteState = new SiteCrawlState();
    paused.storeSiteState('job', siteState);
    expect(paused.takeSiteState('job')).toBe(siteState);
    expect(paused.takeSiteState('job')).toBeUndefined();
  });

  it('take no more than 4 MiB of text together, those of cancelled runs among them', async () => {
    const paused = new PausedSiteStates();
    const long = new SiteCrawlState();
    await long.rulesOf(new Site('https://example.com/'), fetch('User-agent: *\n'.padEnd(512 * 1024, '#')), signal);
    for (let job = 0; job < 50; job++) paused.storeSiteState(String(job), long);
    const kept = Array.from({ length: 50 }, (_, job) => paused.takeSiteState(String(job))).filter((siteState) => siteState !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * 512 * 1024).toBeLessThanOrEqual(4 * 1024 * 1024);
  });

  it('hold the rules of each site, asked for once', async () => {
    const siteState = new SiteCrawlState();
    const site = new Site('https://example.com/');
    const rules = await siteState.rulesOf(site, fetch('User-agent: *\nDisallow: /private'), signal);
    expect(await siteState.rulesOf(site, fetch(''), signal)).toBe(rules);
    expect(
      (await siteState.rulesOf(new Site('https://www.example.com/'), fetch(''), signal)).isAllowed('https://www.example.com/private'),
    ).toBe(true);
  });
});
