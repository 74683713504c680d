import { Injectable } from '@nestjs/common';
import { contentConditions, type ContentConditions, type ContentFilter } from '@atrium/forms';
import { Database, join, listPage, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { invalidField } from '@atrium/platform/kernel';
import { SiteLibraries } from '../../nodes/application/site-libraries';
import { fullPath } from '../../publishing/domain/live-path';
import type { ListedPage } from '../domain/delivered';
import { LivePageRow } from '../domain/live-page-row';
import { prefixIn } from '../domain/site-paths';
import { DeliveredPagesRows } from '../infrastructure/delivered-pages.rows';
import type { SiteFacts } from '../infrastructure/delivered-sites.rows';
import { DeliveryGate } from './delivery-gate';
import { PageRendering } from './page-rendering';

export interface PagesQuery extends ListParameters {
  readonly locale?: string;
  /** Only what is live below this node. */
  readonly under?: string;
  /** Key of a content schema. */
  readonly template?: string;
  readonly tags?: readonly string[];
  readonly ids?: readonly string[];
  readonly content?: ContentFilter;
  readonly rich?: 'doc' | 'html';
}

type Row = Pick<
  LivePageRow,
  | 'np_node'
  | 'np_locale'
  | 'np_path'
  | 'np_name'
  | 'np_template_key'
  | 'np_snapshot'
  | 'np_tags'
  | 'np_from_seq'
  | 'np_published'
  | 'np_first_published'
>;

const USUAL_LIMIT = 25;
const MOST_LISTED = 100;
/** Bytes of contents in one page of a list: it ends earlier where they are large. */
const MOST_BYTES = 8 * 1024 * 1024;
const DOCUMENT_BYTES = sql`(SELECT octet_length(d.snap_doc::text) FROM page_snapshot d WHERE d.tenant_id = r.tenant_id AND d.snap_id = r.np_snapshot) AS bytes`;
const BEHIND = 'g';
const ORDERS = {
  published: { key: sql`r.np_published` },
  name: { key: sql`r.np_name_key` },
  order: { key: sql`r.np_order` },
} as const;

/** Lists of live pages, by where they are, by their tags, and by the filterable fields of one template. */
@Injectable()
export class PageLists {
  constructor(
    private readonly db: Database,
    private readonly gate: DeliveryGate,
    private readonly libraries: SiteLibraries,
    private readonly pages: DeliveredPagesRows,
    private readonly rendering: PageRendering,
  ) {}

  async listPages(site_key: string, query: PagesQuery): Promise<{ readonly site: SiteFacts; readonly page: Page<ListedPage> }> {
    // Lists read the site again: a locale or a library that was changed counts at once.
    const site = await this.gate.openSite(site_key, { renew: true });
    const locale = localeOf(site, query.locale);
    return this.db.read(async () => {
      const { where, orders, ...content } = await this.contentOf(site, query);
      const page = await listPage<Row>(
        this.db.current(),
        LivePageRow,
        { ...query, limit: Math.min(query.limit ?? USUAL_LIMIT, MOST_LISTED), sort: query.sort ?? '-published' },
        {
          ...content,
          orders: { ...ORDERS, ...orders },
          where: join(
            [
              sql`r.np_site = ${site.site_id} AND r.np_locale = ${locale} AND r.np_to_seq IS NULL AND r.np_kind = 'page'`,
              ...conditionsOf(site, locale, query),
              where,
            ],
            ' AND ',
          ),
          byValues: true,
          select: DOCUMENT_BYTES,
          effort: { most: MOST_BYTES, of: ({ bytes }) => Number(bytes) },
        },
      );
      return { site, page: { ...page, data: await this.completeRows(site, locale, page.data, query.rich === 'html') } };
    });
  }

  /** Filters and orders by fields need the one template that has them. */
  private async contentOf(site: SiteFacts, { template, content, sort }: PagesQuery): Promise<ContentConditions> {
    const byContent = sort?.replace(/^-/, '').startsWith('content_') ?? false;
    if (content === undefined && !byContent) return { where: sql`true` };
    const schema = template === undefined ? undefined : (await this.libraries.openLibrary(site)).find(template);
    if (!schema)
      throw invalidField('template', 'is required to filter or sort by content, and must be the key of a content schema', 'required');
    const form = { form_id: schema.tpl_id, compiled: schema.form, unready: new Set<string>() };
    return contentConditions(
      form,
      {
        id: sql`r.np_snapshot`,
        content: sql`(SELECT snap_doc -> 'content' FROM page_snapshot d WHERE d.tenant_id = r.tenant_id AND d.snap_id = r.np_snapshot)`,
        name: 'content',
      },
      { ...(content && { filter: content }), ...(byContent && sort && { sort }) },
    );
  }

  private async completeRows(site: SiteFacts, locale: string, rows: readonly Row[], html: boolean): Promise<ListedPage[]> {
    const snapshots = rows.map(({ np_snapshot }) => np_snapshot);
    if (snapshots.length === 0) return [];
    const prefix = prefixIn(site, locale);
    const documents = await this.pages.findDocuments(snapshots);
    const links = new Map(
      (await this.pages.findLinks(snapshots, locale)).map(({ node_id, path, name }) => [node_id, { path: fullPath(prefix, path), name }]),
    );
    return rows.flatMap((row) => {
      const doc = documents.get(row.np_snapshot);
      if (!doc) return [];
      return [
        {
          node_id: row.np_node,
          locale,
          path: fullPath(prefix, row.np_path),
          name: row.np_name,
          template: row.np_template_key,
          tags: row.np_tags,
          ...this.rendering.renderDocument(site, doc, links, html),
          published: row.np_published,
          first_published: row.np_first_published,
          seq: row.np_from_seq,
        },
      ];
    });
  }
}

/** The locale of a list: it must be named where a site has several. */
export function localeOf({ site_locales }: SiteFacts, locale: string | undefined): string {
  const active = site_locales.filter((one) => one.active).map(({ code }) => code);
  const [only, ...others] = active;
  if (locale === undefined && others.length === 0 && only !== undefined) return only;
  if (locale === undefined) throw invalidField('locale', `is required: the site has the locales ${active.join(', ')}`, 'required');
  if (!active.includes(locale)) throw invalidField('locale', 'must be a locale of the site', 'reference');
  return locale;
}

function conditionsOf({ site_id }: SiteFacts, locale: string, { under, template, tags, ids }: PagesQuery): Sql[] {
  return [
    ...(template === undefined ? [] : [sql`r.np_template_key = ${template}`]),
    ...(ids === undefined ? [] : [sql`r.np_node = ANY(${[...ids]}::uuid[])`]),
    ...(tags === undefined ? [] : [sql`r.np_snapshot IN (SELECT search_live_pages(${site_id}, ${locale}, ${[...tags]}::text[]))`]),
    ...(under === undefined
      ? []
      : [
          sql`EXISTS (SELECT FROM page_publication above WHERE above.tenant_id = r.tenant_id AND above.np_node = ${under} AND above.np_locale = ${locale} AND above.np_to_seq IS NULL
            AND r.np_lineage > above.np_lineage AND r.np_lineage < above.np_lineage || ${BEHIND})`,
        ]),
  ];
}
