import { Injectable } from '@nestjs/common';
import { publicOrigin, Settings } from '@atrium/platform/config';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import type { FrozenFile, SnapshotDocument } from '../../publishing/domain/live-page';
import type { Alternate, PageAnswer } from '../domain/delivered';
import { pathsIn } from '../domain/site-paths';
import { fillContent, type LinkedPage, type Resolved, type ShownAsset } from '../domain/rendered-content';
import type { DeliveredPage } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';

/** Makes answers of what was frozen: links lead to where pages are live now, files to the bytes that were frozen. */
@Injectable()
export class PageRendering {
  constructor(private readonly settings: Settings) {}

  renderPage(
    site: SiteFacts,
    page: DeliveredPage,
    doc: SnapshotDocument,
    { locale, html }: { readonly locale: string; readonly html: boolean },
  ): PageAnswer {
    const at = pathsIn(site, locale);
    const links = new Map(page.links.map(([id, path, name]): [string, LinkedPage] => [id, { path: at(path), name }]));
    return {
      kind: 'page',
      node_id: page.node_id,
      locale,
      path: at(page.path),
      name: page.name,
      template: page.template,
      ...this.renderDocument(site, doc, links, html),
      alternates: alternatesOf(site, new Map(page.alternates)),
      breadcrumbs: page.breadcrumbs.map(([node_id, name, path, kind]) => ({ node_id, name, path: kind === 'page' ? at(path) : null })),
      published: page.published,
      first_published: page.first_published,
      seq: page.seq,
    };
  }

  /** The content and the metadata of a page with their addresses filled in. */
  renderDocument(
    site: SiteFacts,
    { content, places, seo, files }: SnapshotDocument,
    pages: ReadonlyMap<string, LinkedPage>,
    html: boolean,
  ): { readonly content: JsonObject; readonly seo: JsonObject } {
    const assets = new Map(Object.entries(files).map(([id, file]) => [id, this.assetOf(site, id, file)]));
    return this.fillDocument({ content, places, seo }, { pages, files: assets, html });
  }

  /** The same with addresses that are known. The content is changed in place. */
  fillDocument(
    { content, places, seo }: Omit<SnapshotDocument, 'files'>,
    resolved: Resolved,
  ): { readonly content: JsonObject; readonly seo: JsonObject } {
    return { content: fillContent(content, places, resolved), seo: fillSeo(seo, resolved.files) };
  }

  /** The address of a file's bytes as they were frozen. */
  assetOf({ site_key }: Pick<SiteFacts, 'site_key'>, file_id: string, { hash, name, type, width, height }: FrozenFile): ShownAsset {
    const url = `${publicOrigin(this.settings)}/w/${site_key}/assets/${file_id}/${hash}/${encodeURIComponent(name)}`;
    return { url, name, type, width, height };
  }
}

/** A page in the locales of the site that are delivered, in their order. */
const alternatesOf = (site: Pick<SiteFacts, 'site_locales'>, paths: ReadonlyMap<string, string>): readonly Alternate[] =>
  site.site_locales.flatMap(({ code, active }) => {
    const path = paths.get(code);
    return active && path !== undefined ? [{ locale: code, path: pathsIn(site, code)(path) }] : [];
  });

/** The picture of a page for social networks has an address, too. */
function fillSeo(seo: JsonObject, files: ReadonlyMap<string, ShownAsset>): JsonObject {
  const { image } = seo;
  const file = isObject(image) && typeof image.file === 'string' ? files.get(image.file) : undefined;
  return file && isObject(image) ? { ...seo, image: { ...image, ...file } } : seo;
}
