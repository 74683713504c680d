import type { Site } from '../domain/page-address';
import { NO_RULES, robotRules, type RobotRules } from '../domain/robots';
import { SiteCookies } from '../infrastructure/site-cookies';
import type { SiteFetch } from '../infrastructure/site-fetch';

/** What one run has learned of the sites that it asks: their rules, each asked for once, and their cookies. */
export class SiteCrawlState {
  readonly cookies = new SiteCookies();
  private readonly rules = new Map<string, RobotRules>();

  /** Of all that is kept. */
  get characters(): number {
    return [...this.rules.values()].reduce((sum, { characters }) => sum + characters, this.cookies.characters);
  }

  async rulesOf(site: Site, fetch: SiteFetch, signal: AbortSignal): Promise<RobotRules> {
    const known = this.rules.get(site.robots);
    if (known) return known;
    const text = await fetch.fetchRobots(site.robots, this.cookies, signal);
    const rules = text === null ? NO_RULES : robotRules(site.robots, text);
    this.rules.set(site.robots, rules);
    return rules;
  }
}
