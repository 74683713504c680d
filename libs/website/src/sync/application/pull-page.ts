import { Injectable } from '@nestjs/common';
import { Clock, Problem } from '@atrium/platform/kernel';
import type { CmsLink } from '../domain/cms-link';
import { rootOf, type Fingerprint } from '../domain/document-exchange';
import { LocalPages, type LocalPage, type LocalWrite } from './local-pages';
import { PageComparison } from './page-comparison';
import { PageMoves, type MovedPage, type MovingPage } from './page-moves';
import { assertMayPublish } from './publish-right';

const LEFT: MovedPage = { count: 'unsettled', crp_status: 'unsettled' };

/** Brings one page of the CMS into the site. Nothing is written to the CMS. */
@Injectable()
export class PullPage {
  constructor(
    private readonly locals: LocalPages,
    private readonly comparison: PageComparison,
    private readonly moves: PageMoves,
    private readonly clock: Clock,
  ) {}

  async pullPage(moving: MovingPage): Promise<void> {
    const remote = await this.findRemote(moving);
    await this.moves.applyMove(moving, () => this.apply(moving, remote));
    if (moving.run.request.publish && moving.move !== 'trash') await this.publish(moving);
  }

  /** What the comparison has read, else what the CMS has now. */
  private async findRemote({ session, page, move }: MovingPage): Promise<Fingerprint | null> {
    if (move === 'trash' || page.crp_external_id === null) return null;
    if (page.crp_document) return session.exchange.fingerprint(page.crp_document);
    const read = await this.comparison.readRemote(session, page.crp_external_id);
    if (!read) throw new Problem('not_found', 'The page no longer exists in the CMS.');
    return this.comparison.fingerprintRemote(session, read);
  }

  private async apply(moving: MovingPage, remote: Fingerprint | null): Promise<MovedPage> {
    const { session, page, move } = moving;
    if (move !== 'adopt' && move !== 'yield') await this.locals.lockStructure(session.site);
    const link = await this.moves.lockLink(moving);
    const node_id = link.lnk_node ?? page.crp_node;
    const local = node_id === null ? null : await this.locals.lockPage(session.site, node_id);
    if (move === 'trash') return this.trash(moving, link, local);
    if (!remote) throw new Error('A page is pulled once it was read.');
    if (local && this.wasEdited(moving, link, local)) {
      link.lnk_verdict = 'conflict';
      await this.moves.saveLink(link);
      return LEFT;
    }
    if (move === 'yield') {
      link.rebase(remote);
      link.lnk_verdict = 'local_changed';
      await this.moves.saveLink(link);
      return { count: 'skipped', crp_status: 'skipped' };
    }
    return this.take(moving, link, { local, remote });
  }

  /** Whether someone has edited the page here since it was compared. */
  private wasEdited({ session, move }: MovingPage, link: CmsLink, local: LocalPage): boolean {
    return move !== 'create' && this.comparison.fingerprintLocal(session, local, link).hash !== link.lnk_local_hash;
  }

  private async take(
    moving: MovingPage,
    link: CmsLink,
    { local, remote }: { readonly local: LocalPage | null; readonly remote: Fingerprint },
  ): Promise<MovedPage> {
    const { session, move, by } = moving;
    const turned = session.exchange.toInside(remote.document, session.pages, rootOf(local?.document ?? null, link.lnk_external_id));
    if (remote.document.parent !== null && turned.document.parent === null)
      throw new Problem('unprocessable_content', 'The page above it in the CMS is not linked. Pull that page first.');
    const write: LocalWrite = { locales: session.exchange.locales, kind: 'synced', by, carriesSeo: session.exchange.carriesSeo };
    if (move === 'adopt') link.lnk_node ??= local?.node_id ?? null;
    else if (local) {
      if (!local.isActive) await this.locals.restorePage(session.site, local.node_id, by);
      const document = session.exchange.keepOwn(turned.document, local.document, link.lnk_base);
      await this.locals.changePage(session.site, local.node_id, document, write);
    } else link.lnk_node = await this.locals.createPage(session.site, turned.document, write);
    link.agree(remote, this.clock);
    link.lnk_name = remote.document.name;
    link.lnk_pending = turned.isWhole ? {} : { ...turned.pending, '': null };
    link.lnk_pulled = this.clock.now();
    link.lnk_local_stamp = null;
    await this.moves.saveLink(link);
    if (link.lnk_node !== null && link.lnk_external_id !== null) session.pages.link(link.lnk_node, link.lnk_external_id);
    return { count: move === 'adopt' ? 'unchanged' : local ? 'updated' : 'created', crp_node: link.lnk_node };
  }

  private async trash({ session, by }: MovingPage, link: CmsLink, local: LocalPage | null): Promise<MovedPage> {
    if (local?.isActive) await this.locals.trashPage(session.site, local.node_id, by);
    if (link.lnk_external_id !== null) session.pages.unlink(link.lnk_external_id);
    await this.moves.removeLink(link);
    return { count: 'deleted' };
  }

  /** In a transaction of its own: a page that cannot be published stays pulled. */
  private async publish(moving: MovingPage): Promise<void> {
    const { session, page, by } = moving;
    assertMayPublish(by, moving.run);
    const node_id = page.crp_external_id === null ? undefined : session.pages.findNode(page.crp_external_id);
    if (node_id !== undefined) await this.moves.publishMoved(moving, () => this.locals.publishPage(session.site, node_id, by));
  }
}
