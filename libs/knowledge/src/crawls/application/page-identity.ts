import { Injectable } from '@nestjs/common';
import type { ReadPage } from '@atrium/retrieval';
import { RecordsRepository } from '../../records/infrastructure/records.repository';
import { comparedAddress } from '../domain/page-address';
import { hashOf, saysTheSame } from '../domain/page-text';
import { CrawlPagesRepository, type QueuedPage, type StandIn } from '../infrastructure/crawl-pages.repository';
import type { CrawlPlan, ReadOfPage, VisitedPage } from './crawl-plan';

/** Under which address a page is kept. */
export interface PageIdentity {
  /** As it is asked for. */
  readonly address: string;
  /** As it is compared. */
  readonly canonical: string;
  /** Another page that says the same under this address. */
  readonly sameAs: string | null;
  /** Another page that took this address for its own, and says something else. */
  readonly displaced: StandIn | null;
}

const MISSING = new Set([404, 410]);
/** Pages that may be the first one under another name. */
const FIRST_PAGE = /^\/(?:(?:index|default|home|start)(?:\.\w{1,5})?\/?)?$/i;

/**
 * Decides which page a page is. The canonical address that it names is followed where that is plausible: sites let all of their pages name
 * the first one, and those whose texts differ are pages of their own. Within the unit of work that writes what came of it.
 */
@Injectable()
export class PageIdentities {
  constructor(
    private readonly pages: CrawlPagesRepository,
    private readonly records: RecordsRepository,
  ) {}

  async identifyPage(plan: CrawlPlan, page: QueuedPage, visited: Extract<VisitedPage, { kind: 'page' }>): Promise<PageIdentity> {
    const { site, rules, read, address } = visited;
    const here = site.ownAddress(address, address) ?? page.url;
    const named = [read.canonical, visited.canonical].flatMap((written) =>
      written === null ? [] : (site.ownAddress(written, address) ?? []),
    )[0];
    if (named !== undefined && rules.isAllowed(named) && comparedAddress(named) !== comparedAddress(here)) {
      const followed = await this.followed(plan, page, { here, named, visited });
      if (followed) return followed;
    }
    const canonical = comparedAddress(here);
    const other = await this.pages.findStandIn(canonical, page.page_id, plan.crw_id, plan.pass);
    if (!other) return { address: here, canonical, sameAs: null, displaced: null };
    // Anyone who has the address by itself keeps it; one that only named it, or led to it, gives way to another text.
    const isOwn = comparedAddress(page.url) === canonical && comparedAddress(other.url) !== canonical;
    if (!isOwn || (await this.isSame(plan, other, visited))) return { address: here, canonical, sameAs: other.url, displaced: null };
    return { address: here, canonical, sameAs: null, displaced: other };
  }

  /** Undefined where the page is not what it names. */
  private async followed(
    plan: CrawlPlan,
    page: QueuedPage,
    { here, named, visited }: { readonly here: string; readonly named: string; readonly visited: ReadOfPage },
  ): Promise<PageIdentity | undefined> {
    const canonical = comparedAddress(named);
    const other = await this.pages.findStandIn(canonical, page.page_id, plan.crw_id, plan.pass);
    if (other) {
      if (!(await this.isSame(plan, other, visited))) return undefined;
      return { address: named, canonical, sameAs: other.url, displaced: null };
    }
    const { pathname, search } = new URL(named);
    if (pathname === '/' && search === '' && !FIRST_PAGE.test(new URL(here).pathname)) return undefined;
    const target = await this.pages.findPage(plan.crw_id, named);
    if (target && target.state !== 'queued' && MISSING.has(target.http_status ?? 0)) return undefined;
    return { address: named, canonical, sameAs: null, displaced: null };
  }

  private async isSame({ ds_id }: CrawlPlan, { content_hash, rec_id }: StandIn, { read }: { readonly read: ReadPage }): Promise<boolean> {
    if (content_hash === hashOf(read)) return true;
    const [record] = rec_id === null ? [] : await this.records.listByIds(ds_id, [rec_id]);
    if (!record) return false;
    const { body } = record.rec_content;
    return saysTheSame({ title: record.rec_name, text: typeof body === 'string' ? body : '' }, { title: read.title, text: read.markdown });
  }
}
