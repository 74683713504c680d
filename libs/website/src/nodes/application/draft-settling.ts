import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Clock } from '@atrium/platform/kernel';
import { DraftPage } from '../domain/draft-page';
import type { SiteOfDrafts } from '../domain/page-draft';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import { PageVersions } from './page-versions';
import { SiteLibraries } from './site-libraries';

/** Drafts that are read and written together. */
const STRETCH = 50;

/**
 * Works out again what the locales of many nodes show, after something else than a save has changed it: a parent, a locale, a schema. The
 * statements grow with the nodes by fifties.
 */
@Injectable()
export class DraftSettling {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
    private readonly libraries: SiteLibraries,
    private readonly versions: PageVersions,
    private readonly clock: Clock,
  ) {}

  /** Within the unit of work of the caller, who holds the nodes. The locales of each node whose drafts are others now. */
  async settleNodes(site: SiteOfDrafts, node_ids: readonly string[], by: string | null): Promise<ReadonlyMap<string, readonly string[]>> {
    const changed = new Map<string, readonly string[]>();
    for (let at = 0; at < node_ids.length; at += STRETCH)
      for (const [id, locales] of await this.settleStretch(site, node_ids.slice(at, at + STRETCH), by)) changed.set(id, locales);
    return changed;
  }

  private async settleStretch(site: SiteOfDrafts, node_ids: readonly string[], by: string | null) {
    const library = await this.libraries.openLibrary(site);
    const rows = await this.locales.findLocales(node_ids);
    const changed = new Map<string, readonly string[]>();
    const written = (await this.nodes.findNodes(site.site_id, node_ids)).flatMap((node) => {
      const before = rows.get(node.node_id) ?? [];
      const settled = new DraftPage(site, node, library.followSchemas(node, before), library.find).settle(before);
      const reworded = settled.filter(({ nl_hash }, at) => nl_hash !== before[at]?.nl_hash).map(({ nl_locale }) => nl_locale);
      if (reworded.length > 0) changed.set(node.node_id, reworded);
      return settled.filter(
        (row, at) => !isDeepStrictEqual({ ...before[at], ...row }, before[at]) || before[at]?.nl_parent !== node.node_parent,
      );
    });
    await this.locales.saveLocales(written, { now: this.clock.now(), by });
    await this.versions.recordVersions(
      [...changed].map(([node_id, locales]) => ({ node_id, kind: 'saved', locales })),
      by,
    );
    return changed;
  }
}
