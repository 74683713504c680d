import { Injectable } from '@nestjs/common';
import {
  Database,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type MethodsOf,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { CmsLink } from '../domain/cms-link';
import type { Verdict, Verdicts } from '../domain/verdict';

type Internal =
  | 'tenant_id'
  | 'row_version'
  | 'lnk_id'
  | 'lnk_site'
  | 'lnk_base'
  | 'lnk_base_hash'
  | 'lnk_local_hash'
  | 'lnk_local_stamp'
  | 'lnk_remote_hash'
  | 'lnk_intended_hash'
  | 'lnk_pending'
  | 'lnk_created';

/** A link as clients see it. */
export type LinkRow = Omit<CmsLink, Internal | MethodsOf<CmsLink>>;

/** What a node shows of its link. */
export interface NodeLink {
  readonly lnk_node: string;
  readonly lnk_external_id: string;
  readonly lnk_verdict: Verdict;
  readonly lnk_pulled: Date | null;
  readonly lnk_pushed: Date | null;
}

/** Links between pages here and at the CMS. */
@Injectable()
export class CmsLinksRepository extends ResourceRepository<CmsLink> {
  constructor(db: Database) {
    super(db, CmsLink, 'link');
  }

  listLinks(
    site_id: string,
    query: ListParameters,
    { node_id, external_id }: { readonly node_id?: string | undefined; readonly external_id?: string | undefined },
  ): Promise<Page<LinkRow>> {
    const node = node_id === undefined ? sql`true` : sql`r.lnk_node = ${node_id}`;
    const external = external_id === undefined ? sql`true` : sql`r.lnk_external_id = ${external_id}`;
    return listPage<LinkRow>(this.db.current(), CmsLink, query, { where: sql`r.lnk_site = ${site_id} AND ${node} AND ${external}` });
  }

  /** Identities of all linked pages. */
  findIdentities(site_id: string): Promise<readonly { readonly node_id: string; readonly external_id: string }[]> {
    return this.db.current().query(sql`
      SELECT l.lnk_node AS node_id, l.lnk_external_id AS external_id FROM cms_link l
      WHERE ${ofSite(site_id)} AND l.lnk_node IS NOT NULL AND l.lnk_external_id IS NOT NULL`);
  }

  findByExternal(site_id: string, external_ids: readonly string[]): Promise<CmsLink[]> {
    return this.lockWhere(sql`${ofSite(site_id)} AND l.lnk_external_id = ANY(${[...external_ids]}::text[])`);
  }

  findByNodes(site_id: string, node_ids: readonly string[]): Promise<CmsLink[]> {
    return this.lockWhere(sql`${ofSite(site_id)} AND l.lnk_node = ANY(${[...node_ids]}::uuid[])`);
  }

  /** The links of pages at the CMS or here, for reading. */
  readLinks(
    site_id: string,
    {
      external_ids = [],
      node_ids = [],
      paths = [],
    }: { readonly external_ids?: readonly string[]; readonly node_ids?: readonly string[]; readonly paths?: readonly string[] },
  ) {
    return this.readWhere(sql`${ofSite(site_id)} AND (l.lnk_external_id = ANY(${[...external_ids]}::text[])
      OR l.lnk_node = ANY(${[...node_ids]}::uuid[]) OR l.lnk_external_id IS NOT NULL AND l.lnk_external_path = ANY(${[...paths]}::text[]))`);
  }

  /** Links of pages at the CMS behind one of them, for reading. */
  readStretch(site_id: string, { after, most }: { readonly after: string | null; readonly most: number }): Promise<CmsLink[]> {
    return this.readWhere(
      sql`${ofSite(site_id)} AND l.lnk_external_id IS NOT NULL AND (${after}::uuid IS NULL OR l.lnk_id > ${after}::uuid) ORDER BY l.lnk_id LIMIT ${most}`,
    );
  }

  /** Links behind one of them whose page a run has not met, in the order of their ids. */
  findUnmet(site_id: string, run: string, { after, most }: { readonly after: string | null; readonly most: number }): Promise<CmsLink[]> {
    return this.lockWhere(sql`${ofSite(site_id)} AND l.lnk_external_id IS NOT NULL AND (${after}::uuid IS NULL OR l.lnk_id > ${after}::uuid)
      AND NOT EXISTS (SELECT FROM cms_run_page p WHERE p.tenant_id = l.tenant_id AND p.crp_run = ${run} AND p.crp_external_id = l.lnk_external_id)
      ORDER BY l.lnk_id LIMIT ${most}`);
  }

  /** Links behind one of them that name pages without a link. */
  findPending(site_id: string, { after, most }: { readonly after: string | null; readonly most: number }): Promise<CmsLink[]> {
    return this.lockWhere(
      sql`${ofSite(site_id)} AND l.lnk_pending <> '{}' AND (${after}::uuid IS NULL OR l.lnk_id > ${after}::uuid) ORDER BY l.lnk_id LIMIT ${most}`,
    );
  }

  async countVerdicts(site_id: string): Promise<Verdicts> {
    const rows = await this.db
      .current()
      .query<{ verdict: Verdict; links: number }>(
        sql`SELECT l.lnk_verdict AS verdict, count(*)::integer AS links FROM cms_link l WHERE ${ofSite(site_id)} GROUP BY l.lnk_verdict`,
      );
    return Object.fromEntries(rows.map(({ verdict, links }) => [verdict, links]));
  }

  /** Pages that both sides have, and how many of them were compared since a moment. */
  async countLinked(site_id: string, since: Date | null): Promise<{ readonly linked: number; readonly compared: number }> {
    const row = await this.db.current().first<{ linked: number; compared: number }>(sql`
      SELECT count(*)::integer AS linked, (count(*) FILTER (WHERE l.lnk_compared >= ${since}))::integer AS compared FROM cms_link l
      WHERE ${ofSite(site_id)} AND l.lnk_node IS NOT NULL AND l.lnk_external_id IS NOT NULL`);
    return row ?? { linked: 0, compared: 0 };
  }

  /** Of each node its link; one statement for all. */
  findNodeLinks(node_ids: readonly string[]): Promise<readonly NodeLink[]> {
    return this.db.current().query<NodeLink & Record<string, unknown>>(sql`
      SELECT l.lnk_node, l.lnk_external_id, l.lnk_verdict, l.lnk_pulled, l.lnk_pushed FROM cms_link l
      WHERE l.tenant_id = ${requireScope().tenant_id} AND l.lnk_node = ANY(${[...node_ids]}::uuid[]) AND l.lnk_external_id IS NOT NULL`);
  }

  private async readWhere(condition: Sql): Promise<CmsLink[]> {
    const rows = await this.db.current().query<Record<string, unknown>>(sql`SELECT l.* FROM cms_link l WHERE ${condition}`);
    return rows.map((row) => Object.assign(new CmsLink(), row));
  }

  private async lockWhere(condition: Sql): Promise<CmsLink[]> {
    const found = await this.db.current().query<{ lnk_id: string }>(sql`SELECT l.lnk_id FROM cms_link l WHERE ${condition}`);
    return found.length === 0 ? [] : this.lockMany(found.map(({ lnk_id }) => lnk_id));
  }
}

const ofSite = (site_id: string): Sql => sql`l.tenant_id = ${requireScope().tenant_id} AND l.lnk_site = ${site_id}`;
