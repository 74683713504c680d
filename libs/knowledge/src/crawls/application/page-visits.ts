import { Injectable } from '@nestjs/common';
import { Problem } from '@atrium/platform/kernel';
import { ForeignMarkup } from '@atrium/retrieval';
import { RecordBodies } from '../../records/application/record-bodies';
import { LONGEST_BODY } from '../../records/domain/knowledge-record';
import { comparedAddress, pageAddress, Site } from '../domain/page-address';
import type { PageReading } from '../domain/page-reading';
import type { RobotRules } from '../domain/robots';
import type { QueuedPage } from '../infrastructure/crawl-pages.repository';
import { SiteFetch, type Admission, type WantedPage } from '../infrastructure/site-fetch';
import type { OneByOne, Turns } from './crawl-turns';
import type { CrawlPlan, ReadOfPage, VisitedPage } from './crawl-plan';

/** Pages that lead on by themselves, one to the next. */
const MOST_LEADS = 5;

/** What the visits of one run share. */
export interface VisitOrder {
  readonly signal: AbortSignal;
  readonly turns: Turns;
  readonly readings: OneByOne;
}

/** Where a visit is: the site and its rules. Both change where the first page leads to another site. */
interface VisitScope {
  site: Site;
  rules: RobotRules;
}

type Fetched = Extract<PageReading, { kind: 'page' }>;
type ReadPageReading = Fetched & ReadOfPage;

/** Asks for a page and reads it. It is followed to where it leads; the first page to another site too, on which the crawl goes on. */
@Injectable()
export class PageVisits {
  constructor(
    private readonly fetch: SiteFetch,
    private readonly markup: ForeignMarkup,
    private readonly bodies: RecordBodies,
  ) {}

  async visitPage(plan: CrawlPlan, page: QueuedPage, { signal, turns, readings }: VisitOrder): Promise<VisitedPage> {
    const ground: VisitScope = isFirst(page) ? await this.home(plan, signal) : { site: plan.site, rules: plan.rules };
    if (new URL(page.url).origin !== ground.site.origin) return refusal(`The site has moved to ${ground.site.origin}.`);
    if (!ground.rules.isAllowed(page.url)) return refusal(ROBOTS);
    const isKnown = page.content_hash !== null && page.rec_id !== null;
    const admit = (address: string): Promise<Admission> => this.admit(plan, page, ground, address, signal);
    const shared = { cookies: plan.siteState.cookies, admitRedirect: admit };
    let wanted: WantedPage = {
      ...shared,
      url: page.url,
      etag: isKnown ? page.etag : null,
      last_modified: isKnown ? page.last_modified : null,
    };
    for (let led = 0; ; led++) {
      await turns.awaitTurn(signal);
      const reading = await this.fetch.fetchPage(wanted, signal);
      if (reading.kind !== 'page') return reading;
      const visited = await readings.runInTurn(() => this.read(reading, plan.settings.content_selector, signal));
      if (visited.kind !== 'page') return visited;
      const next = led < MOST_LEADS ? leadOf(visited, page, ground) : undefined;
      // A condition is sent with the first request, which another page answers.
      if (next === undefined) return { ...visited, ...(led > 0 ? { etag: null, last_modified: null } : {}), ...ground };
      const admission = await admit(next);
      if ('refusal' in admission) return { ...admission.refusal, status: reading.status };
      wanted = { ...shared, url: admission.address, etag: null, last_modified: null };
    }
  }

  private async home({ home, siteState }: CrawlPlan, signal: AbortSignal): Promise<VisitScope> {
    return { site: home, rules: await siteState.rulesOf(home, this.fetch, signal) };
  }

  private async admit(plan: CrawlPlan, page: QueuedPage, ground: VisitScope, address: string, signal: AbortSignal): Promise<Admission> {
    const { site, rules } = ground;
    const own = site.ownAddress(address, address);
    if (own === undefined) {
      if (isFirst(page)) return this.move(plan, ground, address, signal);
      return { refusal: refusal(`It redirects to another site: ${address}`) };
    }
    if (!rules.isAllowed(own)) return { refusal: refusal(ROBOTS) };
    if (!isFirst(page) && !plan.globs.isWanted(own)) return { refusal: refusal('It redirects to a page that is excluded.') };
    return { address: site.securedAddress(address) };
  }

  /** The address is checked when it is asked for, as every other; the rules are those of the site that it belongs to. */
  private async move({ home, siteState }: CrawlPlan, ground: VisitScope, written: string, signal: AbortSignal): Promise<Admission> {
    const secured = URL.canParse(written) ? pageAddress(home.securedAddress(written)) : undefined;
    if (secured === undefined) return { refusal: refusal('It redirects to something that is not a page.') };
    const site = new Site(secured, home);
    try {
      const rules = await siteState.rulesOf(site, this.fetch, signal);
      if (!rules.isAllowed(secured)) return { refusal: refusal(ROBOTS) };
      Object.assign(ground, { site, rules });
      return { address: home.securedAddress(written) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Problem)) throw error;
      const reason = `It redirects to another site, ${site.origin}: ${error.detail}`.slice(0, LONGEST_REASON);
      return { refusal: { kind: 'failed', status: null, reason } };
    }
  }

  /** A page that cannot be read in time is one that failed: the others go on. */
  private async read(
    page: Fetched,
    selector: string | null,
    signal: AbortSignal,
  ): Promise<ReadPageReading | Extract<PageReading, { kind: 'failed' }>> {
    try {
      const { bytes, type, address, robots, refresh } = page;
      const whole = await this.markup.readPage({ bytes, type, address, robots, refresh, selector }, { signal });
      const read = { ...whole, markdown: whole.markdown.slice(0, LONGEST_BODY) };
      return { ...page, read, record: await this.bodies.cleanBody(null, { rec_content: { body: read.markdown } }) };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'unprocessable_content') throw error;
      return { kind: 'failed', status: page.status, reason: error.detail };
    }
  }
}

const ROBOTS = 'The robots.txt of the site does not allow access.';
const LONGEST_REASON = 500;

const isFirst = ({ depth }: QueuedPage): boolean => depth === 0;

const refusal = (reason: string): Extract<PageReading, { kind: 'skipped' }> => ({
  kind: 'skipped',
  status: null,
  reason: reason.slice(0, LONGEST_REASON),
});

/** Where a page leads by itself; of the first page also where all of its frames are of another site, which shows its pages there. */
function leadOf({ read, address }: ReadPageReading, page: QueuedPage, { site }: VisitScope): string | undefined {
  const { refresh, frames } = read;
  if (refresh !== null) {
    const [here, there] = [pageAddress(address), pageAddress(refresh)];
    if (there !== undefined && (here === undefined || comparedAddress(there) !== comparedAddress(here))) return refresh;
  }
  if (!isFirst(page) || frames.some((frame) => site.ownAddress(frame, address) !== undefined)) return undefined;
  return frames.find((frame) => pageAddress(frame) !== undefined);
}
