import type { TestWorkspace } from '@atrium/platform/testing';
import { html, type WebSite } from '../support/web-site';
import { ended, type KnowledgeJobAnswer } from './filling';

export interface PageAnswer {
  readonly url: string;
  readonly state: string;
  readonly reason: string | null;
  readonly http_status: number | null;
  readonly canonical: string | null;
  readonly rec_id: string | null;
}

/** A text that is long enough for a page. */
export const text = (about: string): string =>
  `The keeper of ${about} writes down every evening which boats came in, who paid for the berth, and how the wind was before the lamps were lit.`;

const NAMES = ['berths', 'boats', 'charts', 'fees', 'keepers', 'lamps', 'tides'];

/** Eight pages: the first leads to the seven others. */
export function harbour(site: WebSite): void {
  site.at('/', html('Harbour', text('the harbour'), { links: NAMES.map((name) => `/${name}`) }));
  for (const name of NAMES) site.at(`/${name}`, html(name, text(name), { links: ['/'] }));
}

/** Crawls of one site into one base. */
export class Crawling {
  constructor(
    private readonly ours: TestWorkspace,
    readonly base: string,
    private readonly site: WebSite,
  ) {}

  get path(): string {
    return `/knowledge-bases/${this.base}/crawls`;
  }

  async start(settings: object = {}, crw_url = `${this.site.url}/`): Promise<{ readonly crw_id: string; readonly job_id: string }> {
    const wish = { crw_url, crw_settings: { delay_ms: 0, ...settings } };
    const { crawl, job } = (await this.ours.owner.client.post(this.path, wish).expect(202)).body as {
      crawl: { crw_id: string };
      job: { job_id: string };
    };
    return { crw_id: crawl.crw_id, job_id: job.job_id };
  }

  async crawl(settings?: object, crw_url?: string): Promise<{ readonly crw_id: string; readonly job: KnowledgeJobAnswer }> {
    const { crw_id, job_id } = await this.start(settings, crw_url);
    return { crw_id, job: await this.ended(job_id) };
  }

  async again(crw_id: string, body: object = {}): Promise<KnowledgeJobAnswer> {
    const { job_id } = (await this.ours.owner.client.post(`${this.path}/${crw_id}/run`, body).expect(202)).body as { job_id: string };
    return this.ended(job_id);
  }

  /** The pages by their paths. */
  async pages(crw_id: string): Promise<Record<string, PageAnswer>> {
    const { data } = (await this.ours.owner.client.get(`${this.path}/${crw_id}/pages?limit=1000`).expect(200)).body as {
      data: PageAnswer[];
    };
    return Object.fromEntries(data.map((row) => [row.url.slice(this.site.url.length), row]));
  }

  async states(crw_id: string): Promise<Record<string, string>> {
    return Object.fromEntries(Object.entries(await this.pages(crw_id)).map(([path, { state }]) => [path, state]));
  }

  private ended(job_id: string): Promise<KnowledgeJobAnswer> {
    return ended(this.ours.owner.client, this.base, job_id);
  }
}
