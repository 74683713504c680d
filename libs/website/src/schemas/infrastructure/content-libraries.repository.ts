import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import {
  columnsOf,
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
import { ContentLibrary } from '../domain/content-library';

/** A library as clients see it, with the number of its active schemas. */
export type LibraryRow = Omit<ContentLibrary, 'tenant_id' | 'row_version' | 'lib_standard' | MethodsOf<ContentLibrary>> & {
  readonly lib_template_count: number;
};
export type VersionedLibraryRow = LibraryRow & { readonly row_version: number };

const COUNT = sql`(SELECT count(*)::integer FROM content_schema c WHERE c.tenant_id = r.tenant_id AND c.tpl_library = r.lib_id AND c.tpl_active) AS lib_template_count`;

/** Sites that use a library. */
export interface SitesUsing {
  readonly seen: readonly { readonly site_id: string; readonly site_name: string }[];
  readonly hidden: number;
}

const seenSites = (caller: Principal): Sql => (caller.permissions.has('site:view') ? aclAllows('s.site_acl', caller, 'view') : sql`false`);

/** The libraries of content schemas of a workspace. */
@Injectable()
export class ContentLibrariesRepository extends ResourceRepository<ContentLibrary> {
  constructor(db: Database) {
    super(db, ContentLibrary, 'content schema library', 'beside');
  }

  async listLibraries(caller: Principal, query: ListParameters, active: boolean): Promise<Page<LibraryRow>> {
    const page = await listPage<LibraryRow>(this.db.current(), ContentLibrary, query, {
      where: sql`r.lib_active = ${active}`,
      select: COUNT,
      ignore: ['lib_active'],
    });
    return { ...page, data: await this.withoutClosedSites(caller, page.data) };
  }

  async findLibraryRow(caller: Principal, lib_id: string): Promise<VersionedLibraryRow | undefined> {
    const row = await this.db
      .current()
      .first<VersionedLibraryRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(ContentLibrary)}, r.row_version, ${COUNT} FROM content_library r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.lib_id = ${lib_id}`,
      );
    const [shown] = await this.withoutClosedSites(caller, row ? [row] : []);
    return shown;
  }

  /** The active library, kept from being changed or deleted until the unit of work ends, while others may keep it as well. */
  async keepActive(lib_id: string): Promise<ContentLibrary | null> {
    return (await this.lockShared(lib_id, sql`1 AS kept`, sql`r.lib_active`))?.row ?? null;
  }

  /** The library that the workspace began with. */
  async findStandardId(): Promise<string | undefined> {
    const row = await this.db
      .current()
      .first<{ lib_id: string }>(sql`SELECT lib_id FROM content_library WHERE tenant_id = ${requireScope().tenant_id} AND lib_standard`);
    return row?.lib_id;
  }

  /** Those who create or activate libraries wait for each other, so that their number holds. */
  async lockLibraryCount(): Promise<void> {
    await this.db
      .current()
      .query(sql`SELECT pg_advisory_xact_lock(hashtextextended('content libraries:' || ${requireScope().tenant_id}::text, 0))`);
  }

  /** Whether the workspace has so many active libraries; asked after `lockLibraryCount`. */
  async hasAtLeast(most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM content_library WHERE tenant_id = ${requireScope().tenant_id} AND lib_active LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** How many sites use the library, those included that can still be restored, and of those that the caller may see at most so many. */
  async listSitesUsing(caller: Principal, lib_id: string, most: number): Promise<SitesUsing> {
    const uses = sql`s.tenant_id = ${requireScope().tenant_id} AND s.site_library = ${lib_id}`;
    const seen = seenSites(caller);
    const row = await this.db.current().first<{ seen: SitesUsing['seen']; hidden: number }>(sql`
      SELECT (SELECT count(*)::integer FROM site s WHERE ${uses} AND NOT ${seen}) AS hidden, coalesce((SELECT jsonb_agg(jsonb_build_object('site_id', x.site_id, 'site_name', x.site_name)) FROM (
        SELECT s.site_id, s.site_name FROM site s WHERE ${uses} AND ${seen} ORDER BY s.site_active DESC, s.site_name_key, s.site_id LIMIT ${most}) x), '[]') AS seen`);
    return row ?? { seen: [], hidden: 0 };
  }

  /** Whether another site than this uses a library. */
  async isUsedBeside(lib_id: string, site_id: string): Promise<boolean> {
    const row = await this.db.current().first<{ is_used: boolean }>(sql`
      SELECT EXISTS (SELECT FROM site s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_library = ${lib_id} AND s.site_id <> ${site_id}) AS is_used`);
    return row?.is_used ?? false;
  }

  /** A library that mirrors the CMS of a site does not name it to callers who may not see it. */
  private async withoutClosedSites<R extends { readonly lib_site: string | null }>(caller: Principal, rows: readonly R[]): Promise<R[]> {
    const named = rows.flatMap(({ lib_site }) => lib_site ?? []);
    if (named.length === 0) return [...rows];
    const seen = await this.db
      .current()
      .query<{ site_id: string }>(
        sql`SELECT s.site_id FROM site s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.site_id = ANY(${named}::uuid[]) AND ${seenSites(caller)}`,
      );
    const ids = new Set(seen.map(({ site_id }) => site_id));
    return rows.map((row) => (row.lib_site === null || ids.has(row.lib_site) ? row : { ...row, lib_site: null }));
  }
}
