import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { CmsLink } from '../domain/cms-link';
import { PlanFindings, type PlanDirection, type PlannedPage, type SyncPlan } from '../domain/sync-plan';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { CmsSessions, type CmsSession } from './cms-sessions';
import { LocalPages, type LocalSummary } from './local-pages';
import { PageComparison, type ComparedPage, type ComparedPair } from './page-comparison';
import { PagePairing } from './page-pairing';

const PATIENCE_MS = 25 * SECOND;
const STRETCH = 100;
/** Pages that are read here together. */
const COMPARED = 10;
const UNKNOWN = { verdict: 'unknown', fields: null } as const;

/** Compares a site with its CMS while its request waits. Nothing is written. */
@Injectable()
export class PlanService {
  constructor(
    private readonly db: Database,
    private readonly access: SiteAccess,
    private readonly sessions: CmsSessions,
    private readonly links: CmsLinksRepository,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly pairing: PagePairing,
    private readonly clock: Clock,
  ) {}

  async plan(
    caller: Principal,
    site_id: string,
    { direction, limit }: { readonly direction: PlanDirection; readonly limit: number },
  ): Promise<SyncPlan> {
    await this.db.read(() => this.access.requireReadable(caller, site_id));
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const session = await this.sessions.openSession(site_id, { signal });
    const found = new PlanFindings(direction, limit);
    const complete = await this.compareAll(session, found).then(
      () => true,
      (error: unknown) => {
        if (signal.aborted && !(error instanceof CmsProblem && error.endsRun)) return false;
        throw error;
      },
    );
    return found.planAt(this.clock.now(), complete);
  }

  /** All pages are listed first: a page may point to, or be below, one that the list has later. */
  private async compareAll(session: CmsSession, found: PlanFindings): Promise<void> {
    const listed = new Map<string, RemoteSummary>();
    try {
      await this.listAll(session, listed);
    } catch (error) {
      for (const summary of listed.values())
        found.addPage({ ...factsOf({ link: null, remote: summary, local: null, summary }), ...UNKNOWN });
      throw error;
    }
    const pages = [...listed.values()];
    for (let at = 0; at < pages.length; at += STRETCH)
      await this.compareStretch(session, found, await this.pairRemote(session, pages.slice(at, at + STRETCH)));
    await this.compareRest(session, found, listed);
  }

  private async listAll(session: CmsSession, listed: Map<string, RemoteSummary>): Promise<void> {
    let cursor = null;
    do {
      const list = await session.port.listPages(session.call, cursor);
      const fresh = list.pages.filter(({ external_id, isDeleted }) => !isDeleted && !listed.has(external_id));
      if (fresh.length === 0 && list.pages.length > 0 && list.next !== null)
        throw new CmsProblem('endless_list', 'The CMS repeats its list.');
      for (const summary of fresh) listed.set(summary.external_id, summary);
      for (const { node_id, external_id } of await this.db.read(() => this.pairing.findPairs(session, fresh)))
        session.pages.link(node_id, external_id);
      cursor = list.next;
    } while (cursor !== null);
  }

  private async compareRest(session: CmsSession, found: PlanFindings, seen: ReadonlyMap<string, RemoteSummary>): Promise<void> {
    const { site } = session;
    for (let after: string | null = null; ;) {
      const at: string | null = after;
      const links: CmsLink[] = await this.db.read(() => this.links.readStretch(site.site_id, { after: at, most: STRETCH }));
      const gone = links.filter(({ lnk_external_id }) => lnk_external_id !== null && !seen.has(lnk_external_id));
      const here = await this.summariesOf(
        session,
        gone.flatMap(({ lnk_node }) => lnk_node ?? []),
      );
      await this.compareStretch(
        session,
        found,
        gone.map((link) => ({
          link,
          remote: null,
          local: link.lnk_node === null ? null : (here.get(link.lnk_node) ?? null),
          summary: null,
        })),
      );
      after = links.at(-1)?.lnk_id ?? null;
      if (links.length < STRETCH) break;
    }
    for (let after: string | null = null; ;) {
      const at: string | null = after;
      const here: readonly LocalSummary[] = await this.db.read(() => this.locals.listSummaries(site, at, STRETCH));
      const alone = here.filter(
        ({ node_id, isActive, kind }) => isActive && kind !== 'link' && session.pages.findExternal(node_id) === undefined,
      );
      for (const local of alone) found.addPage({ ...aloneAs(local), verdict: 'local_only', fields: null });
      after = here.at(-1)?.node_id ?? null;
      if (here.length < STRETCH) return;
    }
  }

  private async pairRemote(session: CmsSession, pages: readonly RemoteSummary[]): Promise<readonly SummedPair[]> {
    const external_ids = pages.map(({ external_id }) => external_id);
    const links = await this.db.read(() => this.links.readLinks(session.site.site_id, { external_ids }));
    const byId = new Map(links.map((link) => [link.lnk_external_id, link]));
    const nodeOf = (external_id: string): string => session.pages.findNode(external_id) ?? '';
    const here = await this.summariesOf(
      session,
      external_ids.map(nodeOf).filter((node_id) => node_id !== ''),
    );
    return pages.map((summary) => {
      const { external_id } = summary;
      return { link: byId.get(external_id) ?? null, remote: summary, local: here.get(nodeOf(external_id)) ?? null, summary };
    });
  }

  private async summariesOf({ site }: CmsSession, node_ids: readonly string[]): Promise<ReadonlyMap<string, LocalSummary>> {
    const found = await this.db.read(() => this.locals.findSummaries(site, node_ids));
    return new Map(found.map((summary) => [summary.node_id, summary]));
  }

  /** Pages that could not be read in time are unknown. */
  private async compareStretch(session: CmsSession, found: PlanFindings, pairs: readonly SummedPair[]): Promise<void> {
    for (let at = 0; at < pairs.length; at += COMPARED) {
      const some = pairs.slice(at, at + COMPARED);
      const compared = session.call.signal.aborted ? null : await this.comparePairs(session, some);
      if (compared === null) {
        for (const rest of pairs.slice(at)) found.addPage({ ...factsOf(rest), ...UNKNOWN });
        session.call.signal.throwIfAborted();
        return;
      }
      for (const [of, pair] of some.entries()) {
        const comparison = compared[of]?.comparison;
        if (comparison) found.addPage({ ...factsOf(pair), verdict: comparison.verdict, fields: comparison.fields });
      }
    }
  }

  /** Null where the time was up. */
  private async comparePairs(session: CmsSession, pairs: readonly SummedPair[]): Promise<readonly ComparedPage[] | null> {
    try {
      return await this.comparison.comparePairs(session, pairs);
    } catch (error) {
      if (session.call.signal.aborted) return null;
      throw error;
    }
  }
}

interface SummedPair extends ComparedPair {
  readonly summary: RemoteSummary | null;
}

type PageFacts = Omit<PlannedPage, 'verdict' | 'fields'>;

const factsOf = ({ link, local, summary }: SummedPair): PageFacts => ({
  node_id: local?.node_id ?? null,
  external_id: summary?.external_id ?? link?.lnk_external_id ?? null,
  name: summary?.name ?? link?.lnk_name ?? local?.node_name ?? '',
  path: summary?.external_path ?? link?.lnk_external_path ?? null,
});

const aloneAs = ({ node_id, node_name: name, path }: LocalSummary): PageFacts => ({ node_id, external_id: null, name, path });
