import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import type { RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { RunPlace, SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { RunPageRows, type MetPage } from '../infrastructure/run-pages.rows';
import type { CmsSession } from './cms-sessions';
import { LocalPages } from './local-pages';
import { PageComparison } from './page-comparison';
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
    private readonly runs: SyncRuns,
  ) {}

  /** Whether the run moves only pages that were named. */
  isNamed({ request: { nodeIds, externalIds, paths } }: Pick<SyncRun, 'request'>): boolean {
    return [nodeIds, externalIds, paths].some((named) => named !== undefined);
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
        await this.pages.addPages(run.job_id, seq, list.pages.filter(({ isDeleted }) => !isDeleted).map(metAs));
        await this.runs.recordStep(run, { place: { ...place, seq: seq + list.pages.length } });
      });
      if (list.next === null) return;
      [cursor, seq, lastList] = [list.next, seq + list.pages.length, ids];
    }
  }

  /** The named pages: each is read, so that its version is known. */
  async listNamed(session: CmsSession, run: SyncRun): Promise<void> {
    const { nodeIds = [], externalIds = [], paths = [] } = run.request;
    const { site } = session;
    const external = new Set(externalIds);
    const unlinked: string[] = [];
    for (const node_id of nodeIds) {
      const linked = session.pages.findExternal(node_id);
      if (linked === undefined) unlinked.push(node_id);
      else external.add(linked);
    }
    const met: MetPage[] = [];
    for (const path of paths) {
      const found = await session.port.findPage(session.call, path);
      // A page that is gone from its path is known by its link.
      const linked = found ? [] : await this.db.read(() => this.links.readLinks(site.site_id, { paths: [path] }));
      for (const external_id of found ? [found.external_id] : linked.flatMap((link) => link.lnk_external_id ?? []))
        external.add(external_id);
    }
    for (const external_id of external) {
      const page = await this.comparison.readRemote(session, external_id);
      met.push(page ? metAs(page) : await this.goneAs(session, external_id));
    }
    const locals = unlinked.length === 0 ? [] : await this.db.read(() => this.locals.findSummaries(site, unlinked));
    for (const local of locals)
      if (local.isActive)
        met.push({ ...NOTHING, crp_node: local.node_id, crp_external_path: local.path, crp_name: local.node_name, crp_rank: local.depth });
    await this.db.write(async () => {
      await this.pages.addPages(run.job_id, 0, met);
      await this.runs.recordStep(run, { place: { step: 'compare', seq: met.length } });
    });
  }

  /** A page that is gone from the CMS, as its link remembers it. */
  private async goneAs({ site, pages }: CmsSession, external_id: string): Promise<MetPage> {
    const [link] = await this.db.write(() => this.links.findByExternal(site.site_id, [external_id]));
    return {
      ...NOTHING,
      crp_external_id: external_id,
      crp_node: pages.findNode(external_id) ?? null,
      crp_external_path: link?.lnk_external_path ?? null,
      crp_name: link?.lnk_name ?? '',
      crp_rank: rankOf(link?.lnk_external_path ?? null),
    };
  }
}

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
