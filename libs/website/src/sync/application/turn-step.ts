import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import type { CmsLink } from '../domain/cms-link';
import { rootOf } from '../domain/document-exchange';
import type { SyncRun } from '../domain/sync-run';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import type { CmsSession } from './cms-sessions';
import { LocalPages } from './local-pages';
import { PageComparison } from './page-comparison';
import { SyncRuns } from './sync-runs';

const STRETCH = 50;

/** Turns links between pages whose targets were linked after them. */
@Injectable()
export class TurnStep {
  constructor(
    private readonly db: Database,
    private readonly links: CmsLinksRepository,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  async turnLinks(session: CmsSession, run: SyncRun): Promise<void> {
    if (run.dry_run) return;
    for (let after: string | null = null; ;) {
      const at: string | null = after;
      const pending: CmsLink[] = await this.db.write(() => this.links.findPending(session.site.site_id, { after: at, most: STRETCH }));
      for (const link of pending)
        await (run.direction === 'push' ? this.sendAgain(session, run, link) : this.writeAgain(session, run, link));
      after = pending.at(-1)?.lnk_id ?? null;
      if (pending.length < STRETCH) return;
    }
  }

  /** A page that nobody has edited here since is written again, with its links turned. */
  private async writeAgain(session: CmsSession, run: SyncRun, { lnk_id }: CmsLink): Promise<void> {
    const { exchange, pages, site } = session;
    const by = await this.runs.findActing(run);
    await this.db.write(async () => {
      await this.runs.recordStep(run, {});
      await this.locals.lockStructure(site);
      const [link] = await this.links.lockMany([lnk_id]);
      if (!link?.lnk_base || link.lnk_node === null) return;
      const local = await this.locals.lockPage(site, link.lnk_node);
      if (!local) return;
      const turned = exchange.toInside(link.lnk_base, pages, rootOf(local.document, link.lnk_external_id));
      const isSame = JSON.stringify(turned.pending) === JSON.stringify(withoutMark(link.lnk_pending)) && !turned.isWhole;
      const before = this.comparison.fingerprintLocal(session, local, link);
      if (isSame || before.hash !== link.lnk_base_hash) return;
      await this.locals.changePage(site, link.lnk_node, exchange.keepOwn(turned.document, local.document, link.lnk_base), {
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

const withoutMark = (pending: CmsLink['lnk_pending']): CmsLink['lnk_pending'] =>
  Object.fromEntries(Object.entries(pending).filter(([unit]) => unit !== ''));
