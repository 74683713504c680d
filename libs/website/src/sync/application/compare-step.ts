import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { CmsLink } from '../domain/cms-link';
import type { RunPlace, SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { RunPageRows, type JudgedPage, type MetPage, type OpenPage } from '../infrastructure/run-pages.rows';
import type { CmsSession } from './cms-sessions';
import { NOTHING, rankOf } from './list-step';
import { LocalPages } from './local-pages';
import { PageComparison, type ComparedPage, type ComparedPair } from './page-comparison';
import { SyncRuns } from './sync-runs';

const STRETCH = 25;
const GATHERED = 200;

interface MetPair extends ComparedPair {
  readonly page: OpenPage;
}

/** Compares the pages of a run, and finds those that only one side has. Verdicts are stored on the links. */
@Injectable()
export class CompareStep {
  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly pages: RunPageRows,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async compareListed(session: CmsSession, run: SyncRun): Promise<void> {
    for (;;) {
      const listed = await this.db.read(() => this.pages.findListed(run.job_id, STRETCH));
      if (listed.length === 0) return;
      session.call.signal.throwIfAborted();
      const pairs = await this.pairUp(session, listed);
      const compared = await this.comparison.comparePairs(session, pairs);
      await this.db.write(() => this.storeVerdicts(session, run, { pairs, compared }));
    }
  }

  /** Pages that the list did not have: those that are linked, and those that exist only here. They are compared like any other. */
  async gatherRest(session: CmsSession, run: SyncRun): Promise<void> {
    let seq = await this.db.read(() => this.pages.readLastSeq(run.job_id));
    const add = async (met: readonly MetPage[], place: RunPlace): Promise<void> => {
      await this.pages.addPages(run.job_id, seq, met);
      await this.runs.recordStep(run, { place: { ...place, seq: seq + met.length } });
      seq += met.length;
    };
    for (let after: string | null = null; ;) {
      const met: CmsLink[] = await this.db.write(async () => {
        const unmet = await this.links.findUnmet(session.site.site_id, run.job_id, { after, most: GATHERED });
        await add(unmet.map(goneAs), { step: 'gather' });
        return unmet;
      });
      after = met.at(-1)?.lnk_id ?? null;
      if (met.length < GATHERED) break;
    }
    for (let after: string | null = null; ;) {
      const here = await this.db.read(() => this.locals.listSummaries(session.site, after, GATHERED));
      const alone = here.filter(
        ({ node_id, isActive, kind }) => isActive && kind !== 'link' && session.pages.findExternal(node_id) === undefined,
      );
      await this.db.write(() =>
        add(
          alone.map(({ node_id, path, node_name, depth }) => ({
            ...NOTHING,
            crp_node: node_id,
            crp_external_path: path,
            crp_name: node_name,
            crp_rank: depth,
          })),
          { step: 'gather' },
        ),
      );
      after = here.at(-1)?.node_id ?? null;
      if (here.length < GATHERED) break;
    }
    await this.compareListed(session, run);
  }

  private async pairUp({ site, pages }: CmsSession, listed: readonly OpenPage[]): Promise<readonly MetPair[]> {
    return this.db.write(async () => {
      const external = listed.flatMap(({ crp_external_id: id }) => (id === null ? [] : [id]));
      const nodeOf = ({ crp_external_id: id, crp_node }: OpenPage): string | null =>
        id === null ? crp_node : (pages.findNode(id) ?? null);
      const node_ids = listed.flatMap((page) => nodeOf(page) ?? []);
      const links = await this.links.findByExternal(site.site_id, external);
      const ofNodes = await this.links.findByNodes(site.site_id, node_ids);
      const summaries = new Map((await this.locals.findSummaries(site, node_ids)).map((summary) => [summary.node_id, summary]));
      return listed.map((page) => {
        const { crp_external_id: external_id, crp_external_version: external_version } = page;
        const node_id = nodeOf(page);
        const link =
          links.find(({ lnk_external_id }) => lnk_external_id !== null && lnk_external_id === external_id) ??
          ofNodes.find(({ lnk_node }) => lnk_node !== null && lnk_node === node_id) ??
          null;
        const remote = external_id === null || external_version === null ? null : { external_id, external_version };
        return { page, link, remote, local: node_id === null ? null : (summaries.get(node_id) ?? null) };
      });
    });
  }

  private async storeVerdicts(
    session: CmsSession,
    run: SyncRun,
    { pairs, compared }: { readonly pairs: readonly MetPair[]; readonly compared: readonly ComparedPage[] },
  ): Promise<void> {
    const judged: JudgedPage[] = [];
    const forgotten: number[] = [];
    for (const [at, pair] of pairs.entries()) {
      const found = compared[at];
      if (!found?.comparison) {
        forgotten.push(pair.page.crp_seq);
        if (pair.link) await this.forgetLink(session, pair.link);
        continue;
      }
      await this.storeLink(session, pair, found);
      judged.push({
        crp_seq: pair.page.crp_seq,
        crp_node: pair.local?.node_id ?? null,
        crp_verdict: found.comparison.verdict,
        crp_error: found.error && { ...found.error, at: this.clock.now().toISOString() },
        crp_document: found.remote?.document ?? null,
      });
    }
    await this.pages.judgePages(run.job_id, judged);
    await this.pages.forgetPages(run.job_id, forgotten);
    await this.runs.recordStep(run, {});
  }

  private async storeLink(
    { site }: CmsSession,
    { page, link, local }: MetPair,
    { comparison, error, remote }: ComparedPage,
  ): Promise<void> {
    if (!comparison) return;
    const [known] = link ? await this.links.lockMany([link.lnk_id]) : [];
    const facts = { lnk_site: site.site_id, lnk_node: local?.node_id ?? null, lnk_external_id: page.crp_external_id };
    const row =
      known ??
      (await this.links.insert(
        CmsLink.blank({ tenant_id: requireScope().tenant_id, lnk_id: this.ids.next(), ...facts }, this.clock.now()),
      ));
    if (error) row.fail(error, this.clock);
    else row.compared(comparison, this.clock);
    const { name, external_path, external_version } = remote?.summary ?? listedAs(page);
    row.lnk_name = name;
    row.lnk_external_path = external_path;
    if (!error) row.lnk_external_version = external_version;
    await this.links.save(row);
  }

  /** Neither side has the page any more. */
  private async forgetLink({ pages }: CmsSession, link: CmsLink): Promise<void> {
    const [known] = await this.links.lockMany([link.lnk_id]);
    if (!known) return;
    if (known.lnk_external_id !== null) pages.unlink(known.lnk_external_id);
    await this.links.remove(known);
  }
}

const listedAs = ({ crp_name: name, crp_external_path: external_path, crp_external_version: external_version }: OpenPage) => ({
  name,
  external_path,
  external_version,
});

const goneAs = ({ lnk_external_id, lnk_node, lnk_external_path, lnk_name }: CmsLink): MetPage => ({
  ...NOTHING,
  crp_external_id: lnk_external_id,
  crp_node: lnk_node,
  crp_external_path: lnk_external_path,
  crp_name: lnk_name,
  crp_rank: rankOf(lnk_external_path),
});
