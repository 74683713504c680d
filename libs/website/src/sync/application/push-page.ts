import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { Clock, Problem } from '@atrium/platform/kernel';
import type { RemotePage } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import type { CmsLink } from '../domain/cms-link';
import type { Fingerprint } from '../domain/document-exchange';
import { AssetSending } from './asset-sending';
import { LocalPages, type LocalPage } from './local-pages';
import { PageComparison } from './page-comparison';
import { PagePairing } from './page-pairing';
import { PageMoves, type MovedPage, type MovingPage } from './page-moves';
import { SyncRuns } from './sync-runs';

const LEFT: MovedPage = { count: 'unsettled', crp_status: 'unsettled' };
/** How often a page is sent that changes at the CMS in between. */
const SENDS = 3;

/** What is sent, and what it replaces. */
interface Sending {
  readonly link: CmsLink;
  readonly local: LocalPage;
  readonly ours: Fingerprint;
  readonly isWhole: boolean;
}

/**
 * Sends one page to the CMS: the page there is read and compared with the version that was seen, what is to be written is recorded, then
 * written, then recorded as sent. A worker that follows a lost one finds there what was intended, and writes nothing twice.
 */
@Injectable()
export class PushPage {
  constructor(
    private readonly db: Database,
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly assets: AssetSending,
    private readonly moves: PageMoves,
    private readonly pairing: PagePairing,
    private readonly runs: SyncRuns,
    private readonly clock: Clock,
  ) {}

  async pushPage(moving: MovingPage): Promise<void> {
    const { move } = moving;
    if (move === 'remove') return this.remove(moving);
    const sending = await this.prepare(moving);
    if (move === 'adopt') return this.record(moving, sending, null);
    if (move === 'yield') return this.yieldTo(moving, sending);
    for (let left = SENDS; ; left--) {
      const seen = move === 'create' ? await this.findCreated(moving, sending) : await this.readSeen(moving);
      const theirs = seen && this.comparison.fingerprintRemote(moving.session, seen);
      if (theirs && theirs.hash === sending.ours.hash) return this.record(moving, sending, seen);
      if (theirs && !this.isExpected(moving, sending, theirs)) return this.leave(moving, sending, seen);
      const sent = await this.send(moving, sending, seen).catch((error: unknown) => {
        // It has changed since it was read: it is compared again.
        if (!isStale(error) || left === 1) throw error;
      });
      if (sent) return this.record(moving, sending, sent);
    }
  }

  /** What the CMS must still have: what the comparison saw, or what a lost worker has sent, be it half way. */
  private isExpected({ move, session }: MovingPage, { link, ours }: Sending, theirs: Fingerprint): boolean {
    const { lnk_intended_hash: intended, lnk_remote_hash: remote, lnk_base: base, lnk_base_hash } = link;
    if (theirs.hash === intended || (move !== 'create' && theirs.hash === remote)) return true;
    const isBegun = intended === ours.hash && base !== null && lnk_base_hash === remote;
    return isBegun && session.exchange.isBetween(theirs.document, base, ours.document);
  }

  private async prepare(moving: MovingPage): Promise<Sending> {
    const { session, run, page } = moving;
    const local = page.crp_node === null ? undefined : (await this.locals.readPages(session.site, [page.crp_node])).get(page.crp_node);
    if (!local) throw new Problem('not_found', 'The page no longer exists here.');
    if (run.request.publish) await this.db.write(() => this.locals.assertApproved(session.site, local.node_id));
    await this.assets.sendAssets(session, local.document);
    const link = await this.db.write(() => this.moves.lockLink(moving));
    const turned = session.exchange.toOutside(local.document, session.pages, link.lnk_pending);
    if (local.node_parent !== null && session.pages.findExternal(local.node_parent) === undefined)
      throw new Problem('unprocessable_content', 'The page above it is not linked. Push that page first.');
    return { link, local, ours: session.exchange.fingerprint(turned.document), isWhole: turned.isWhole };
  }

  private async readSeen({ session, page }: MovingPage): Promise<RemotePage> {
    const seen = page.crp_external_id === null ? null : await this.comparison.readRemote(session, page.crp_external_id);
    if (!seen) throw new Problem('not_found', 'The page no longer exists in the CMS.');
    return seen;
  }

  /** A page that is there already: an earlier worker has created it, or someone else has. */
  private async findCreated(moving: MovingPage, sending: Sending): Promise<RemotePage | null> {
    const { port, call } = moving.session;
    const created = await port.findCreatedPage(call, sending.local.node_id);
    return created && !created.isDeleted ? created : this.findAtPath(moving, sending);
  }

  /** At its path, and at the one that it had when a lost worker was about to create it. */
  private async findAtPath({ session }: MovingPage, { local, ours, link }: Sending): Promise<RemotePage | null> {
    const { port, call, pages, exchange } = session;
    const slug = ours.document.slugs[exchange.context.default_locale] ?? '';
    const here = port.toExternalPath(call, local.path.replace(/^\//, '')) || slug;
    const before = link.lnk_intended_hash === null ? null : link.lnk_external_path;
    let found: RemotePage | null = null;
    for (const path of new Set([here, before ?? here])) found ??= await port.findPage(call, path);
    if (!found || found.isDeleted) return null;
    const other = pages.findNode(found.external_id);
    if (other !== undefined && other !== local.node_id)
      throw new CmsProblem('already_linked', 'Another page of the site is linked to the page at this path in the CMS.');
    return found;
  }

  private async send({ session, run, page }: MovingPage, { link, local, ours }: Sending, seen: RemotePage | null): Promise<RemotePage> {
    const { port, call, exchange } = session;
    await this.db.write(async () => {
      await this.runs.recordStep(run, {});
      const locked = await this.moves.lockLink({ session, page });
      locked.intend(ours.hash);
      await this.moves.saveLink(locked);
      Object.assign(link, { lnk_intended_hash: ours.hash });
    });
    const draft = port.mapping.toRemote(ours.document, seen, exchange.context);
    const force = run.request.force ?? false;
    if (seen) return port.changePage(call, { seen, draft, force });
    return port.createPage(call, { node_id: local.node_id, draft });
  }

  private async record(moving: MovingPage, { local, ours, isWhole }: Sending, sent: RemotePage | null): Promise<void> {
    const { session, run, move } = moving;
    const published = sent !== null && run.request.publish === true;
    const shown = published ? await session.port.publishPage(session.call, { page: sent, locales: null }) : sent;
    const stored = shown && this.comparison.fingerprintRemote(session, shown);
    await this.moves.applyMove(moving, async () => {
      const link = shown ? await this.join(moving, local, shown) : await this.moves.lockLink(moving);
      link.agree(ours, this.clock);
      link.lnk_node = local.node_id;
      link.lnk_name = ours.document.name;
      link.lnk_local_stamp = null;
      if (shown) {
        await this.moves.forgetTwin(moving, shown.external_id);
        link.lnk_external_path = shown.external_path;
        link.lnk_external_version = shown.external_version;
        link.lnk_pushed = this.clock.now();
        if (stored) link.recordStored(stored.hash);
      }
      if (!isWhole) link.lnk_pending = { ...link.lnk_pending, '': null };
      await this.moves.saveLink(link);
      const count = move === 'adopt' ? 'unchanged' : move === 'create' ? 'created' : 'updated';
      return { count, crp_published: published, crp_external_id: link.lnk_external_id };
    });
  }

  private async join({ session }: MovingPage, { node_id }: LocalPage, { external_id }: RemotePage): Promise<CmsLink> {
    const link = await this.pairing.joinPages(session, { node_id, external_id });
    session.pages.link(node_id, external_id);
    return link;
  }

  private async yieldTo(moving: MovingPage, { ours }: Sending): Promise<void> {
    await this.moves.applyMove(moving, async () => {
      const link = await this.moves.lockLink(moving);
      link.rebase(ours);
      link.lnk_verdict = 'remote_changed';
      await this.moves.saveLink(link);
      return { count: 'skipped', crp_status: 'skipped' };
    });
  }

  /** A page that is there already with other content becomes a conflict that can be resolved like any other. */
  private async leave(moving: MovingPage, { local }: Sending, seen: RemotePage | null): Promise<void> {
    await this.moves.applyMove(moving, async () => {
      const link = seen ? await this.join(moving, local, seen) : await this.moves.lockLink(moving);
      link.lnk_verdict = 'conflict';
      await this.moves.saveLink(link);
      return LEFT;
    });
  }

  private async remove(moving: MovingPage): Promise<void> {
    const { session, page, run } = moving;
    const { port, call } = session;
    if (page.crp_external_id !== null) {
      const seen = await this.comparison.readRemote(session, page.crp_external_id);
      const [link] = await this.db.write(async () => [await this.moves.lockLink(moving)]);
      const changed = seen && this.comparison.fingerprintRemote(session, seen).hash !== link?.lnk_remote_hash;
      if (changed && run.request.force !== true) return this.moves.applyMove(moving, () => Promise.resolve(LEFT));
      await port.removePage(call, page.crp_external_id);
    }
    await this.moves.applyMove(moving, async () => {
      await this.moves.removeLink(await this.moves.lockLink(moving));
      if (page.crp_external_id !== null) session.pages.unlink(page.crp_external_id);
      return { count: 'deleted' };
    });
  }
}

const isStale = (error: unknown): boolean => error instanceof CmsProblem && error.reason === 'conflict_version';
