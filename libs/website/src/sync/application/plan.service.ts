import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { SiteAccess } from '../../sites/application/site-access';
import type { RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { ChangedFields, CmsLink } from '../domain/cms-link';
import { moveOf, type MoveDirection } from '../domain/sync-rules';
import { VERDICTS, type Verdict } from '../domain/verdict';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import { CmsSessions, type CmsSession } from './cms-sessions';
import { LocalPages, type LocalSummary } from './local-pages';
import { PageComparison, type ComparedPair } from './page-comparison';

export type PlanDirection = MoveDirection | 'both';

export interface PlannedPage {
  readonly node_id: string | null;
  readonly external_id: string | null;
  readonly name: string;
  readonly path: string | null;
  readonly verdict: Verdict;
  readonly fields: ChangedFields | null;
}

/** What a pull or push would do. */
export interface SyncPlan {
  readonly direction: PlanDirection;
  readonly compared_at: Date;
  readonly complete: boolean;
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  readonly created: readonly PlannedPage[];
  readonly updated: readonly PlannedPage[];
  readonly deleted: readonly PlannedPage[];
  readonly conflicts: readonly PlannedPage[];
  readonly unchanged: number;
}

const PATIENCE_MS = 25 * SECOND;
const STRETCH = 100;

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

  private async compareAll(session: CmsSession, found: PlanFindings): Promise<void> {
    const seen = new Set<string>();
    let cursor = null;
    do {
      const list = await session.port.listPages(session.call, cursor);
      const fresh = list.pages.filter(({ external_id, isDeleted }) => !isDeleted && !seen.has(external_id));
      for (const { external_id } of fresh) seen.add(external_id);
      if (fresh.length === 0 && list.pages.length > 0 && list.next !== null)
        throw new CmsProblem('endless_list', 'The CMS repeats its list.');
      await this.compareStretch(session, found, await this.pairRemote(session, fresh));
      cursor = list.next;
    } while (cursor !== null);
    await this.compareRest(session, found, seen);
  }

  private async compareRest(session: CmsSession, found: PlanFindings, seen: ReadonlySet<string>): Promise<void> {
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
      for (const local of alone)
        found.add({ verdict: 'local_only', fields: null }, { local, external_id: null, name: local.node_name, path: local.path });
      after = here.at(-1)?.node_id ?? null;
      if (here.length < STRETCH) return;
    }
  }

  private async pairRemote(session: CmsSession, pages: readonly RemoteSummary[]): Promise<readonly SummedPair[]> {
    const external_ids = pages.map(({ external_id }) => external_id);
    const links = await this.db.read(() => this.links.readLinks(session.site.site_id, { external_ids }));
    const byId = new Map(links.map((link) => [link.lnk_external_id, link]));
    const here = await this.summariesOf(
      session,
      links.flatMap(({ lnk_node }) => lnk_node ?? []),
    );
    return pages.map((summary) => {
      const link = byId.get(summary.external_id) ?? null;
      return { link, remote: summary, local: link?.lnk_node == null ? null : (here.get(link.lnk_node) ?? null), summary };
    });
  }

  private async summariesOf({ site }: CmsSession, node_ids: readonly string[]): Promise<ReadonlyMap<string, LocalSummary>> {
    const found = await this.db.read(() => this.locals.findSummaries(site, node_ids));
    return new Map(found.map((summary) => [summary.node_id, summary]));
  }

  /** Pages that could not be read in time are unknown. */
  private async compareStretch(session: CmsSession, found: PlanFindings, pairs: readonly SummedPair[]): Promise<void> {
    for (const [at, pair] of pairs.entries()) {
      if (session.call.signal.aborted) {
        for (const rest of pairs.slice(at)) found.add({ verdict: 'unknown', fields: null }, factsOf(rest));
        session.call.signal.throwIfAborted();
      }
      const [compared] = await this.comparison.comparePairs(session, [pair]);
      if (compared?.comparison) found.add(compared.comparison, factsOf(pair));
    }
  }
}

interface SummedPair extends ComparedPair {
  readonly summary: RemoteSummary | null;
}

interface PageFacts {
  readonly local: LocalSummary | null;
  readonly external_id: string | null;
  readonly name: string;
  readonly path: string | null;
}

const factsOf = ({ link, local, summary }: SummedPair): PageFacts => ({
  local,
  external_id: summary?.external_id ?? link?.lnk_external_id ?? null,
  name: summary?.name ?? link?.lnk_name ?? local?.node_name ?? '',
  path: summary?.external_path ?? link?.lnk_external_path ?? null,
});

/** What has been found so far. */
class PlanFindings {
  private readonly counts = new Map<Verdict, number>();
  private readonly lists = {
    created: [] as PlannedPage[],
    updated: [] as PlannedPage[],
    deleted: [] as PlannedPage[],
    conflicts: [] as PlannedPage[],
  };

  constructor(
    private readonly direction: PlanDirection,
    private readonly limit: number,
  ) {}

  add({ verdict, fields }: { readonly verdict: Verdict; readonly fields: ChangedFields | null }, { local, ...facts }: PageFacts): void {
    this.counts.set(verdict, (this.counts.get(verdict) ?? 0) + 1);
    const list = this.listOf(verdict);
    if (list && list.length < this.limit) list.push({ node_id: local?.node_id ?? null, ...facts, verdict, fields });
  }

  planAt(compared_at: Date, complete: boolean): SyncPlan {
    const counts = Object.fromEntries(
      VERDICTS.flatMap((verdict) => (this.counts.has(verdict) ? [[verdict, this.counts.get(verdict)]] : [])),
    );
    return { direction: this.direction, compared_at, complete, counts, ...this.lists, unchanged: this.counts.get('in_sync') ?? 0 };
  }

  /** Deletions are listed although only those who name them follow them. */
  private listOf(verdict: Verdict): PlannedPage[] | null {
    if (verdict === 'conflict') return this.lists.conflicts;
    const directions: readonly MoveDirection[] = this.direction === 'both' ? ['pull', 'push'] : [this.direction];
    const moves = directions.map((direction) => moveOf(verdict, { direction, statuses: [verdict] }));
    if (verdict === 'local_deleted' || verdict === 'remote_deleted') return this.lists.deleted;
    if (moves.includes('create')) return this.lists.created;
    return moves.some((move) => move === 'take' || move === 'send') ? this.lists.updated : null;
  }
}
