import { Injectable } from '@nestjs/common';
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
} from '@atrium/platform/database';
import { ContentLibrary } from '../domain/content-library';

/** A library as clients see it, with the number of its active schemas. */
export type LibraryRow = Omit<ContentLibrary, 'tenant_id' | 'row_version' | 'lib_standard' | MethodsOf<ContentLibrary>> & {
  readonly lib_template_count: number;
};
export type VersionedLibraryRow = LibraryRow & { readonly row_version: number };

const COUNT = sql`(SELECT count(*)::integer FROM content_schema c WHERE c.tenant_id = r.tenant_id AND c.tpl_library = r.lib_id AND c.tpl_active) AS lib_template_count`;

/** The libraries of content schemas of a workspace. */
@Injectable()
export class ContentLibrariesRepository extends ResourceRepository<ContentLibrary> {
  constructor(db: Database) {
    super(db, ContentLibrary, 'content schema library', 'beside');
  }

  listLibraries(query: ListParameters, active: boolean): Promise<Page<LibraryRow>> {
    return listPage<LibraryRow>(this.db.current(), ContentLibrary, query, {
      where: sql`r.lib_active = ${active}`,
      select: COUNT,
      ignore: ['lib_active'],
    });
  }

  findLibraryRow(lib_id: string): Promise<VersionedLibraryRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ContentLibrary)}, r.row_version, ${COUNT} FROM content_library r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.lib_id = ${lib_id}`,
      );
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

  /** Sites that use the library and can still be restored, at most so many. */
  listSitesUsing(lib_id: string, most: number): Promise<{ readonly site_id: string; readonly site_name: string }[]> {
    return this.db
      .current()
      .query<{ site_id: string; site_name: string }>(
        sql`SELECT site_id, site_name FROM site WHERE tenant_id = ${requireScope().tenant_id} AND site_library = ${lib_id} ORDER BY site_active DESC, site_name_key, site_id LIMIT ${most}`,
      );
  }
}
