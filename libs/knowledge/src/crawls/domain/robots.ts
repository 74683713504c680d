import robotsParser from 'robots-parser';

/** The name that sites know the crawler by. */
const AGENT = 'Atrium';
/** The longest pause that a site may ask for. */
const LONGEST_DELAY_MS = 30_000;

/** What a site lets the crawler do. */
export interface RobotRules {
  allows(address: string): boolean;
  /** The pause between two requests that the site asks for. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/** A site without rules allows everything. */
export const NO_RULES: RobotRules = { allows: () => true, delayMs: 0, sitemaps: [] };

/** The rules of a robots.txt; they hold for addresses of the same site. */
export function robotRules(address: string, text: string): RobotRules {
  const robots = robotsParser(address, text);
  const seconds = robots.getCrawlDelay(AGENT) ?? 0;
  return {
    allows: (page) => robots.isAllowed(page, AGENT) ?? true,
    delayMs: Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), LONGEST_DELAY_MS) : 0,
    sitemaps: robots.getSitemaps(),
  };
}
