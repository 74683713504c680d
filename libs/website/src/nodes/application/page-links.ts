import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import { isBlock } from '../../content/domain/content-form';
import { linkReference } from '../../content/domain/link';
import { changeReferences, findReferences } from '../../content/domain/references';
import { idsIn } from '../domain/lineage';
import { pagePath } from '../../content/domain/slugs';
import { NodeLocaleRows } from '../infrastructure/node-locales.rows';
import { NodesRepository } from '../infrastructure/nodes.repository';
import type { NodeDetail, ReadDraft } from './node-reading';

/** Where the links of a draft lead: the paths of the drafts that they name. */
@Injectable()
export class PageLinks {
  constructor(
    private readonly nodes: NodesRepository,
    private readonly locales: NodeLocaleRows,
  ) {}

  /** The detail with the path of its page as the `url` of each link to one; null where the page is in the trash. */
  async resolveLinks(draft: ReadDraft, detail: NodeDetail): Promise<NodeDetail> {
    const { node_content, node_link } = detail;
    const { find } = draft.library;
    const within = isBlock(node_content) ? findReferences(node_content, find).filter(({ kind }) => kind === 'page') : [];
    const target = node_link ? linkReference(node_link) : null;
    const ids = [...within.map(({ id }) => id), ...(target?.kind === 'page' ? [target.id] : [])];
    if (ids.length === 0) return detail;
    const paths = await this.findPaths(draft, [...new Set(ids)]);
    const resolved = (link: JsonObject): JsonObject => {
      const reference = linkReference(link);
      return reference?.kind === 'page' ? { ...link, url: paths.get(reference.id) ?? null } : link;
    };
    return {
      ...detail,
      node_link: isObject(node_link) ? resolved(node_link) : node_link,
      node_content: isBlock(node_content)
        ? changeReferences(node_content, find, { link: resolved, asset: (asset) => asset, id: (_, id) => id })
        : node_content,
    };
  }

  private async findPaths({ site, locale }: ReadDraft, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const lineages = await this.nodes.findLineages(site.site_id, ids);
    const slugs = await this.locales.findSlugs([...new Set([...lineages.values()].flatMap(idsIn))]);
    const { prefix = '' } = site.site_locales.find(({ code }) => code === locale) ?? {};
    const pathOf = (lineage: string): string =>
      pagePath(
        prefix,
        idsIn(lineage).map((id) => slugs.get(id)?.get(locale) ?? ''),
      );
    return new Map([...lineages].map(([id, lineage]) => [id, pathOf(lineage)]));
  }
}
