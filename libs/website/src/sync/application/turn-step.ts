import { Injectable, Logger } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import type { CmsLink } from '../domain/cms-link';
import { rootOf, type Turned } from '../domain/document-exchange';
import type { SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import type { CmsSession } from './cms-sessions';
import { LocalPages, type LocalPage } from './local-pages';
import { isFaultOfPage } from './page-faults';
import { PageComparison } from './page-comparison';
import { SyncRuns } from './sync-runs';

const STRETCH = 50;

interface TurnFacts {
  readonly alive: () => Promise<void>;
  /** Whether the run moves only pages that were named. */
  readonly isNamed: boolean;
}

/** Turns links between pages whose targets were linked after them. */
@Injectable()
export class TurnStep {
  private readonly log = new Logger(TurnStep.name);

  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  /** A page whose links cannot be turned now keeps them until the next run. A push of named pages sends no others. */
  async turnLinks(session: CmsSession, run: SyncRun, { alive, isNamed }: TurnFacts): Promise<void> {
    if (run.dry_run) return;
    const only = run.direction === 'push' && isNamed ? run.job_id : null;
    for (let after: string | null = null; ;) {
      const at: string | null = after;
      const pending: CmsLink[] = await this.db.read(() => this.links.readPending(session.site.site_id, { after: at, most: STRETCH, only }));
      await alive();
      const turnable = run.direction === 'push' ? pending : await this.findTurnable(session, pending);
      for (const link of turnable) {
        await alive();
        await this.turnPage(session, run, link);
      }
      after = pending.at(-1)?.lnk_id ?? null;
      if (pending.length < STRETCH) return;
    }
  }

  private async turnPage(session: CmsSession, run: SyncRun, link: CmsLink): Promise<void> {
    try {
      await (run.direction === 'push' ? this.sendAgain(session, run, link) : this.writeAgain(session, run, link));
    } catch (error) {
      if (!isFaultOfPage(error)) throw error;
      this.log.warn({ msg: 'links of a page cannot be turned', job_id: run.job_id, node_id: link.lnk_node, err: error });
    }
  }

  /** Those that a rewrite would change; most point to pages that are not linked yet. */
  private async findTurnable(session: CmsSession, pending: readonly CmsLink[]): Promise<readonly CmsLink[]> {
    const here = await this.locals.readPages(
      session.site,
      pending.flatMap(({ lnk_node }) => lnk_node ?? []),
    );
    return pending.filter((link) => {
      const local = here.get(link.lnk_node ?? '');
      return local !== undefined && this.turnedOf(session, link, local) !== null;
    });
  }

  /** What the page becomes; null where that is what it is, or where someone has edited it since. */
  private turnedOf(session: CmsSession, link: CmsLink, local: LocalPage): Turned | null {
    const { exchange, pages } = session;
    if (!link.lnk_base || this.comparison.fingerprintLocal(session, local, link).hash !== link.lnk_base_hash) return null;
    const turned = exchange.toInside(link.lnk_base, pages, rootOf(local.document, link.lnk_external_id));
    const document = exchange.keepOwn(turned.document, local.document, link.lnk_base);
    const isSame = exchange.fingerprint(document).hash === exchange.fingerprint(local.document).hash;
    return isSame ? null : { ...turned, document };
  }

  /** A page that nobody has edited here since is written again, with its links turned. */
  private async writeAgain(session: CmsSession, run: SyncRun, { lnk_id }: CmsLink): Promise<void> {
    const { exchange, site } = session;
    const by = await this.runs.findActing(run);
    await this.db.write(async () => {
      await this.runs.recordStep(run, {});
      await this.locals.lockStructure(site);
      const [link] = await this.links.lockMany([lnk_id]);
      const local = link?.lnk_node == null ? null : await this.locals.lockPage(site, link.lnk_node);
      const turned = link && local && this.turnedOf(session, link, local);
      if (!turned) return;
      await this.locals.changePage(site, local.node_id, turned.document, {
        locales: exchange.locales,
        kind: 'synced',
        by,
        carriesSeo: exchange.carriesSeo,
      });
      link.lnk_pending = turned.isWhole ? {} : { ...turned.pending, '': null };
      link.lnk_local_stamp = null;
      await this.links.save(link);
    });
  }

  /** A page whose links could not be named at the CMS is sent again once they can. */
  private async sendAgain(session: CmsSession, run: SyncRun, { lnk_id, lnk_node, lnk_external_id, lnk_pending }: CmsLink): Promise<void> {
    const { exchange, pages, site, port, call } = session;
    if (lnk_node === null || lnk_external_id === null) return;
    const local = (await this.locals.readPages(site, [lnk_node])).get(lnk_node);
    const turned = local && exchange.toOutside(local.document, pages, lnk_pending);
    const seen = turned?.isWhole ? await this.comparison.readRemote(session, lnk_external_id) : null;
    if (!turned || !seen) return;
    const ours = exchange.fingerprint(turned.document);
    const theirs = this.comparison.fingerprintRemote(session, seen);
    const [known] = await this.db.write(() => this.links.lockMany([lnk_id]));
    if (theirs.hash !== known?.lnk_remote_hash) return;
    const draft = port.mapping.toRemote(ours.document, seen, exchange.context);
    const sent = theirs.hash === ours.hash ? seen : await port.changePage(call, { seen, draft, force: false });
    await this.db.write(async () => {
      await this.runs.recordStep(run, {});
      const [link] = await this.links.lockMany([lnk_id]);
      if (!link) return;
      link.agree(ours, this.clock);
      link.lnk_pending = {};
      link.lnk_external_version = sent.external_version;
      link.recordStored(this.comparison.fingerprintRemote(session, sent).hash);
      await this.links.save(link);
    });
  }
}
