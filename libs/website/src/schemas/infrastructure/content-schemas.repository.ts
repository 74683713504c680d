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
import { ContentSchema } from '../domain/content-schema';

type Internal = 'tenant_id' | 'row_version' | 'tpl_moves' | 'tpl_unready' | 'tpl_followed' | 'tpl_retired' | 'isFollowed';

/** A content schema as clients see it. */
export type SchemaRow = Omit<ContentSchema, Internal | MethodsOf<ContentSchema>> & { readonly tpl_use_count: number };
export type VersionedSchemaRow = SchemaRow & { readonly row_version: number };

/** What of a schema its compiled form needs. */
export type CompilableSchema = Pick<
  ContentSchema,
  | 'tpl_id'
  | 'tpl_key'
  | 'tpl_name'
  | 'tpl_kind'
  | 'tpl_group'
  | 'tpl_config'
  | 'tpl_active'
  | 'tpl_moves'
  | 'tpl_followed'
  | 'tpl_unready'
  | 'tpl_revision'
>;

/** Pages that have the schema as their template, on the sites that the caller may view. */
const usesFor = (caller: Principal): Sql =>
  sql`(SELECT count(*)::integer FROM node n JOIN site s ON s.tenant_id = n.tenant_id AND s.site_id = n.node_site
    WHERE n.tenant_id = r.tenant_id AND n.node_template = r.tpl_id AND n.node_active AND ${aclAllows('s.site_acl', caller, 'view')}) AS tpl_use_count`;
const COMPILABLE = sql`tpl_id, tpl_key, tpl_name, tpl_kind, tpl_group, tpl_config, tpl_active, tpl_moves, tpl_followed, tpl_unready, tpl_revision`;

/** The content schemas of a workspace. */
@Injectable()
export class ContentSchemasRepository extends ResourceRepository<ContentSchema> {
  constructor(db: Database) {
    super(db, ContentSchema, 'content schema', 'beside');
  }

  listSchemas(caller: Principal, query: ListParameters, active: boolean): Promise<Page<SchemaRow>> {
    return listPage<SchemaRow>(this.db.current(), ContentSchema, query, {
      where: sql`r.tpl_active = ${active}`,
      select: usesFor(caller),
      ignore: ['tpl_active'],
    });
  }

  findSchemaRow(caller: Principal, tpl_id: string): Promise<VersionedSchemaRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(ContentSchema)}, r.row_version, ${usesFor(caller)} FROM content_schema r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.tpl_id = ${tpl_id}`,
      );
  }

  /** Whether the library has so many active schemas; asked under the lock of the library. */
  async hasAtLeast(tpl_library: string, most: number): Promise<boolean> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM (SELECT FROM content_schema WHERE tenant_id = ${requireScope().tenant_id} AND tpl_library = ${tpl_library} AND tpl_active LIMIT ${most}) x`,
      );
    return (row?.count ?? 0) >= most;
  }

  /** What is different as soon as any schema of the library is. */
  async readStamp(tpl_library: string): Promise<string> {
    const row = await this.db
      .current()
      .first<{ stamp: string | null }>(
        sql`SELECT md5(string_agg(tpl_id::text || ':' || row_version, ',' ORDER BY tpl_id)) AS stamp FROM content_schema WHERE tenant_id = ${requireScope().tenant_id} AND tpl_library = ${tpl_library}`,
      );
    return row?.stamp ?? '';
  }

  /** All schemas of the library; of those with one key, the active one comes last. */
  listCompilable(tpl_library: string): Promise<CompilableSchema[]> {
    return this.db
      .current()
      .query<CompilableSchema & Record<string, unknown>>(
        sql`SELECT ${COMPILABLE} FROM content_schema WHERE tenant_id = ${requireScope().tenant_id} AND tpl_library = ${tpl_library} ORDER BY tpl_active, tpl_created, tpl_id`,
      );
  }

  /** Ids of the active schemas of the library, in the order of their creation. */
  async listActiveIds(tpl_library: string): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ tpl_id: string }>(
        sql`SELECT tpl_id FROM content_schema WHERE tenant_id = ${requireScope().tenant_id} AND tpl_library = ${tpl_library} AND tpl_active ORDER BY tpl_created, tpl_id`,
      );
    return rows.map(({ tpl_id }) => tpl_id);
  }

  /** Copies schemas into another library, each under its new id. */
  async copySchemas(copies: readonly (readonly [from: string, to: string])[], tpl_library: string, now: Date): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO content_schema (tenant_id, tpl_id, tpl_library, tpl_key, tpl_name, tpl_description, tpl_icon, tpl_color, tpl_group, tpl_kind, tpl_config,
        tpl_followed, tpl_preview_file, tpl_created, tpl_updated)
      SELECT s.tenant_id, c.new_id, ${tpl_library}, s.tpl_key, s.tpl_name, s.tpl_description, s.tpl_icon, s.tpl_color, s.tpl_group, s.tpl_kind, s.tpl_config,
        s.tpl_followed, s.tpl_preview_file, ${now}, ${now}
      FROM unnest(${copies.map(([from]) => from)}::uuid[], ${copies.map(([, to]) => to)}::uuid[]) c (old_id, new_id)
      JOIN content_schema s ON s.tenant_id = ${requireScope().tenant_id} AND s.tpl_id = c.old_id`);
  }

  /** Whether a page has the schema as its template, one in the trash included. Their number is nobody's who may not see them all. */
  async isTemplate(tpl_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM node WHERE tenant_id = ${requireScope().tenant_id} AND node_template = ${tpl_id} LIMIT 1`);
    return row !== undefined;
  }

  /** Schemas whose preview the file is, at most so many. */
  listPreviewedBy(file_id: string, most: number): Promise<{ readonly tpl_id: string; readonly tpl_name: string }[]> {
    return this.db
      .current()
      .query<{ tpl_id: string; tpl_name: string }>(
        sql`SELECT tpl_id, tpl_name FROM content_schema WHERE tenant_id = ${requireScope().tenant_id} AND tpl_preview_file = ${file_id} AND tpl_active ORDER BY tpl_id LIMIT ${most}`,
      );
  }
}
