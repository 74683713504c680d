import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Clock, Ids } from '@atrium/platform/kernel';
import { CmsLink } from '../domain/cms-link';
import type { RemoteSummary } from '../domain/cms-port';
import { CmsProblem } from '../domain/cms-problem';
import { CmsLinksRepository } from '../infrastructure/cms-links.repository';
import type { CmsSession } from './cms-sessions';
import { LocalPages } from './local-pages';

/** A page here and the one at the CMS that it belongs to. */
export interface PagePair {
  readonly node_id: string;
  readonly external_id: string;
}

/** Pages of both sides that have the same path and no link yet belong together: they are compared, and neither side makes them twice. */
@Injectable()
export class PagePairing {
  constructor(
    private readonly links: CmsLinksRepository,
    private readonly locals: LocalPages,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Within a unit of work; nothing is written. */
  async findPairs({ site, pages }: CmsSession, listed: readonly RemoteSummary[]): Promise<readonly PagePair[]> {
    const free = listed.filter(({ external_id, isDeleted }) => !isDeleted && pages.findNode(external_id) === undefined);
    const here = await this.locals.findAtPaths(
      site,
      free.map(({ path }) => path),
    );
    const byPath = new Map(
      here.flatMap(({ path, node_id }) => (pages.findExternal(node_id) === undefined ? [[path.replace(/^\//, ''), node_id]] : [])),
    );
    return free.flatMap(({ external_id, path }) => {
      const node_id = byPath.get(path);
      byPath.delete(path);
      return node_id === undefined ? [] : [{ node_id, external_id }];
    });
  }

  /** Within a unit of work: the pages have one link from then on, and no base, since nobody knows when they were last equal. */
  async linkPairs(session: CmsSession, listed: readonly RemoteSummary[]): Promise<void> {
    for (const pair of await this.findPairs(session, listed)) {
      await this.joinPages(session, pair);
      session.pages.link(pair.node_id, pair.external_id);
    }
  }

  /** The one link of both, locked; refuses a page of the CMS that another page here is linked to. */
  async joinPages({ site }: CmsSession, { node_id, external_id }: PagePair): Promise<CmsLink> {
    const [there] = await this.links.findByExternal(site.site_id, [external_id]);
    const [here] = await this.links.findByNodes(site.site_id, [node_id]);
    if (there?.lnk_node != null && there.lnk_node !== node_id)
      throw new CmsProblem('already_linked', 'Another page of the site is linked to the page in the CMS.');
    if (there && here && there.lnk_id !== here.lnk_id) await this.links.remove(there);
    const link = here ?? there;
    if (!link) {
      const facts = { tenant_id: requireScope().tenant_id, lnk_id: this.ids.next(), lnk_site: site.site_id };
      return this.links.insert(CmsLink.blank({ ...facts, lnk_node: node_id, lnk_external_id: external_id }, this.clock.now()));
    }
    Object.assign(link, { lnk_node: node_id, lnk_external_id: external_id });
    await this.links.save(link);
    return link;
  }
}
