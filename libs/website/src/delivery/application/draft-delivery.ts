import { Injectable } from '@nestjs/common';
import { ReleasableFiles, type ShownFile } from '@atrium/files';
import { Database } from '@atrium/platform/database';
import { isObject, notFound, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { PageDrafts } from '../../nodes/application/page-drafts';
import { SiteLibraries } from '../../nodes/application/site-libraries';
import { idsIn } from '../../nodes/domain/lineage';
import type { PageDraft } from '../../nodes/domain/page-draft';
import { frozenFile } from '../../publishing/application/snapshots';
import { findPlaces } from '../../publishing/domain/content-places';
import { isBlock } from '../../content/domain/content-form';
import { LivePagesRows } from '../../publishing/infrastructure/live-pages.rows';
import type { PageAnswer } from '../domain/delivered';
import type { ShownAsset } from '../domain/rendered-content';
import { pathsIn } from '../domain/site-paths';
import { DraftPlacesRows, type DraftPlaceRow } from '../infrastructure/draft-places.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate, type OpenedPreview } from './delivery-gate';
import { addressOf, type PageQuery } from './page-delivery';
import { PageRendering } from './page-rendering';

/** Shows the draft at an address to everyone who has a preview link, with what an editor needs to find each block. */
@Injectable()
export class DraftDelivery {
  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly places: DraftPlacesRows,
    private readonly versions: LivePagesRows,
    private readonly drafts: PageDrafts,
    private readonly libraries: SiteLibraries,
    private readonly files: ReleasableFiles,
    private readonly rendering: PageRendering,
  ) {}

  async deliverDraft(
    site_key: string,
    query: PageQuery,
    token: string | undefined,
  ): Promise<{ readonly site: SiteFacts; readonly page: PageAnswer }> {
    const site = await this.gate.openSite(site_key, { renew: true });
    const preview = await this.gate.openPreview(site, token, { counted: true });
    return this.db.read(async () => ({ site, page: await this.showDraft(site, query, preview, token ?? '') }));
  }

  private async showDraft(site: SiteFacts, query: PageQuery, preview: OpenedPreview, token: string): Promise<PageAnswer> {
    const { locale, path } = addressOf(site, query);
    const node_id = await this.places.findAt(site.site_id, locale, path.slice(1).split('/'));
    const isOpen = (preview.node_id === null || preview.node_id === node_id) && (preview.locale === null || preview.locale === locale);
    if (node_id === null || !isOpen) throw notFound('page');
    const ver_id = preview.version === null ? null : await this.versions.findVersion(node_id, preview.version);
    if (preview.version !== null && ver_id === null) throw notFound('page');
    const [draft] = await this.drafts.findDrafts(site, [{ node_id, locale, ...(ver_id !== null && { ver_id }) }]);
    if (draft?.kind !== 'page') throw notFound('page');
    return this.answerDraft(site, draft, { preview, token, html: query.rich === 'html' });
  }

  private async answerDraft(
    site: SiteFacts,
    draft: PageDraft,
    { preview, token, html }: { readonly preview: OpenedPreview; readonly token: string; readonly html: boolean },
  ): Promise<PageAnswer> {
    const { node_id, locale, references, lineage, seo, name } = draft;
    const at = pathsIn(site, locale);
    const library = await this.libraries.openLibrary(site);
    const pages = references.filter(({ kind }) => kind === 'page').map(({ ref }) => ref);
    const above = idsIn(lineage).slice(0, -1);
    const own = await this.places.findPlaces(site.site_id, [node_id], localesOf(site, preview));
    const others = await this.findOthers(site, { preview, locale }, [...new Set([...pages, ...above])]);
    const here = new Map([...others, ...own.filter((place) => place.locale === locale)].map((place) => [place.node_id, place]));
    const files = await this.findFiles(site, draft, token);
    const content = structuredClone<JsonObject>(draft.content);
    const rendered = this.rendering.fillDocument(
      {
        content: withEdit(content, node_id),
        places: isBlock(draft.content) ? findPlaces(draft.content, library.find) : [],
        seo,
      },
      { pages: new Map([...here].flatMap(([id, place]) => linked(id, place, at))), files, html },
    );
    return {
      kind: 'page',
      node_id,
      locale,
      path: at(here.get(node_id)?.path ?? '/'),
      name,
      template: draft.template === null ? null : (library.findTemplate(draft.template)?.key ?? null),
      ...rendered,
      alternates: own.map((place) => ({ locale: place.locale, path: pathsIn(site, place.locale)(place.path) })),
      breadcrumbs: above.flatMap((id) => {
        const place = here.get(id);
        return place ? [{ node_id: id, name: place.name, path: place.kind === 'page' ? at(place.path) : null }] : [];
      }),
      published: null,
      first_published: null,
      seq: null,
    };
  }

  /** Pages around the one that is shown: their drafts are for links of the whole site, what is live of them for all. */
  private findOthers(
    site: SiteFacts,
    { preview, locale }: { readonly preview: OpenedPreview; readonly locale: string },
    node_ids: readonly string[],
  ): Promise<readonly DraftPlaceRow[]> {
    if (preview.node_id === null) return this.places.findPlaces(site.site_id, node_ids, [locale]);
    return this.places.findLivePlaces(site.site_id, node_ids, locale);
  }

  /** Whether what a link opens refers to a file. Within a unit of work that reads. */
  async showsFile(site: SiteFacts, preview: OpenedPreview, file_id: string): Promise<boolean> {
    const { node_id, version } = preview;
    if (node_id === null || version === null) return this.places.isInDraft(site.site_id, file_id, node_id);
    const ver_id = await this.versions.findVersion(node_id, version);
    if (ver_id === null) return false;
    const drafts = await this.drafts.findDrafts(
      site,
      localesOf(site, preview).map((locale) => ({ node_id, locale, ver_id })),
    );
    return drafts.some(({ references }) => references.some(({ kind, ref }) => kind === 'file' && ref === file_id));
  }

  /** The files as they are now; their addresses carry the token, as browsers load them. */
  private async findFiles(site: SiteFacts, { references }: PageDraft, token: string): Promise<ReadonlyMap<string, ShownAsset>> {
    const found = await this.files.findAllReleasable(references.filter(({ kind }) => kind === 'file').map(({ ref }) => ref));
    return new Map(
      [...found.values()]
        .filter((file: ShownFile) => !file.is_trashed && file.file_hash !== null)
        .map((file): [string, ShownAsset] => {
          const asset = this.rendering.assetOf(site, file.file_id, frozenFile(file));
          return [file.file_id, { ...asset, url: `${asset.url}?token=${token}` }];
        }),
    );
  }
}

/** Locales that a link opens. */
const localesOf = ({ site_locales }: SiteFacts, { locale }: OpenedPreview): readonly string[] =>
  site_locales.filter(({ active, code }) => active && (locale === null || code === locale)).map(({ code }) => code);

const linked = (
  id: string,
  place: DraftPlaceRow,
  at: (path: string) => string,
): [string, { readonly path: string; readonly name: string }][] =>
  place.kind === 'page' ? [[id, { path: at(place.path), name: place.name }]] : [];

/** Every block says which it is, in place: the content is a copy. */
function withEdit(value: JsonObject, node_id: string): JsonObject {
  const mark = (part: JsonValue): JsonValue => {
    if (Array.isArray(part)) return part.map(mark);
    if (!isObject(part)) return part;
    const marked = Object.fromEntries(Object.entries(part).map(([key, inner]): [string, JsonValue] => [key, mark(inner)]));
    return isBlock(part) ? { ...marked, _edit: { node_id, uid: part._uid, key: part.component } } : marked;
  };
  return mark(value) as JsonObject;
}
