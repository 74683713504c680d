import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { CmsLink } from '../domain/cms-link';
import type { RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { RunPlace, SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { RunPageRows, type MetPage } from '../infrastructure/run-pages.rows';
import type { CmsSession } from './cms-sessions';
import { LocalPages, type LocalSummary } from './local-pages';
import { isFaultOfPage } from './page-faults';
import { PageComparison } from './page-comparison';
import { PagePairing } from './page-pairing';
import { SyncRuns } from './sync-runs';

const MOST_PAGES = 100_000;
/** Levels that a path has at most; deletions come behind all of them. */
export const rankOf = (path: string | null): number => (path ?? '').split('/').filter((segment) => segment !== '').length;

/** Collects the pages of a run at the CMS: those that were named, or all, page by page of its list. */
@Injectable()
export class ListStep {
  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly pages: RunPageRows,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly pairing: PagePairing,
    private readonly runs: SyncRuns,
  ) {}

  /** Whether the run moves only pages that were named. */
  isNamed({ retry_of, request: { nodeIds, externalIds, paths } }: Pick<SyncRun, 'request' | 'retry_of'>): boolean {
    return retry_of !== null || [nodeIds, externalIds, paths].some((named) => named !== undefined);
  }

  async listAll(session: CmsSession, run: SyncRun): Promise<void> {
    let { cursor = null, seq = 0, lastList = '' }: RunPlace = run.place;
    for (;;) {
      const list = await session.port.listPages(session.call, cursor);
      const ids = list.pages.map(({ external_id }) => external_id).join(' ');
      if (list.pages.length > 0 && ids === lastList)
        throw new CmsProblem('endless_list', 'The CMS returned the same page of its list twice, so that its pages cannot be listed.');
      if (seq + list.pages.length > MOST_PAGES)
        throw new CmsProblem('endless_list', `The CMS lists more than ${MOST_PAGES.toLocaleString('en')} pages.`);
      const place: RunPlace = list.next === null ? { step: 'compare' } : { cursor: list.next, seq: seq + list.pages.length, lastList: ids };
      await this.db.write(async () => {
        await this.pairing.linkPairs(session, list.pages);
        await this.pages.addPages(run.job_id, seq, list.pages.filter(({ isDeleted }) => !isDeleted).map(metAs));
        await this.runs.recordStep(run, { place: { ...place, seq: seq + list.pages.length } });
      });
      if (list.next === null) return;
      [cursor, seq, lastList] = [list.next, seq + list.pages.length, ids];
    }
  }

  /** The named pages, or those that failed in the run that is tried again. Linked ones are read by the comparison alone. */
  async listNamed(session: CmsSession, run: SyncRun, alive: () => Promise<void>): Promise<void> {
    const { nodeIds = [], externalIds = [], paths = [] } = run.request;
    const { site, pages } = session;
    const external = new Set([...externalIds, ...nodeIds.flatMap((node_id) => pages.findExternal(node_id) ?? [])]);
    for (const path of paths) {
      await alive();
      const found = await this.tryRead(() => session.port.findPage(session.call, path));
      if (found && found !== 'failed') external.add(found.external_id);
    }
    // A page that is gone is named by the path that it had.
    const known = await this.db.read(() => this.links.readLinks(site.site_id, { external_ids: [...external], external_paths: paths }));
    const met = known.map(linkedAs);
    for (const { lnk_external_id } of known) if (lnk_external_id !== null) external.delete(lnk_external_id);
    const read: RemoteSummary[] = [];
    for (const external_id of external) {
      await alive();
      const page = await this.tryRead(() => this.comparison.readRemote(session, external_id));
      // One that cannot be read is compared all the same, so that its row says why.
      if (page === 'failed') met.push({ ...NOTHING, crp_external_id: external_id, crp_external_version: UNREAD });
      else if (page) read.push(page);
    }
    await this.db.write(async () => {
      await this.pairing.linkPairs(session, read);
      const alone = nodeIds.filter((node_id) => pages.findExternal(node_id) === undefined);
      const here = (await this.locals.findSummaries(site, alone)).filter(({ isActive }) => isActive);
      await this.pages.addPages(run.job_id, 0, [...met, ...read.map(metAs), ...here.map(localAs)]);
      if (run.retry_of !== null) await this.pages.addFailedOf(run.job_id, run.retry_of, UNREAD);
      await this.runs.recordStep(run, { place: { step: 'compare' } });
    });
  }

  private async tryRead<T>(read: () => Promise<T>): Promise<T | 'failed'> {
    try {
      return await read();
    } catch (error) {
      if (isFaultOfPage(error)) return 'failed';
      throw error;
    }
  }
}

/** A version that no page has: the page is read whatever is known of it. */
const UNREAD = '';

export const NOTHING: MetPage = {
  crp_external_id: null,
  crp_external_path: null,
  crp_external_version: null,
  crp_parent: null,
  crp_name: '',
  crp_rank: 0,
};

const metAs = ({ external_id, external_path, external_version, parent, name }: RemoteSummary): MetPage => ({
  crp_external_id: external_id,
  crp_external_path: external_path,
  crp_external_version: external_version,
  crp_parent: parent,
  crp_name: name.slice(0, 255),
  crp_rank: rankOf(external_path),
});

const linkedAs = ({ lnk_external_id, lnk_node, lnk_external_path, lnk_name }: CmsLink): MetPage => ({
  ...NOTHING,
  crp_external_id: lnk_external_id,
  crp_node: lnk_node,
  crp_external_path: lnk_external_path,
  crp_external_version: UNREAD,
  crp_name: lnk_name,
  crp_rank: rankOf(lnk_external_path),
});

const localAs = ({ node_id, path, node_name, depth }: LocalSummary): MetPage => ({
  ...NOTHING,
  crp_node: node_id,
  crp_external_path: path,
  crp_name: node_name,
  crp_rank: depth,
});
