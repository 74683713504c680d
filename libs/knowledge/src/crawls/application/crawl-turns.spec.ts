import { robotRules } from '../domain/robots';
import { PausedRules } from './crawl-turns';

describe('rules of paused runs', () => {
  it('are kept for a run that goes on here, once', () => {
    const paused = new PausedRules();
    const rules = robotRules('https://example.com/robots.txt', 'User-agent: *\nDisallow: /private');
    paused.keep('job', rules);
    expect(paused.take('job')).toBe(rules);
    expect(paused.take('job')).toBeUndefined();
  });

  it('take no more than 4 MiB of text together, those of cancelled runs among them', () => {
    const paused = new PausedRules();
    const long = robotRules('https://example.com/robots.txt', 'User-agent: *\n'.padEnd(512 * 1024, '#'));
    for (let job = 0; job < 50; job++) paused.keep(String(job), long);
    const kept = Array.from({ length: 50 }, (_, job) => paused.take(String(job))).filter((rules) => rules !== undefined);
    expect(kept.length).toBeGreaterThan(0);
    expect(kept.length * 512 * 1024).toBeLessThanOrEqual(4 * 1024 * 1024);
  });
});
