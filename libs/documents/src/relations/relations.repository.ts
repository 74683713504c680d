import { Injectable } from '@nestjs/common';
import { LibraryFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { StoredRelation, type Direction, type RelationRow } from './stored-relation';

export interface NewRelation {
  readonly rel_id: string;
  readonly rel_type: string;
  readonly rel_from: string;
  readonly rel_to: string;
  readonly rel_key: string;
  readonly rel_created_by: string;
  readonly rel_metadata: JsonObject;
}

/** The links between documents. */
@Injectable()
export class RelationsRepository {
  constructor(
    private readonly db: Database,
    private readonly library: LibraryFiles,
  ) {}

  /** The links of a document whose other end the reader may see, as it reads them. */
  listRelations(reader: Principal, id: string, query: ListParameters & { readonly direction?: Direction }): Promise<Page<RelationRow>> {
    const { direction, ...rest } = query;
    return listPage<RelationRow>(this.db.current(), StoredRelation, rest, {
      where: sql`${direction === 'to' ? sql`r.rel_to = ${id}` : direction === 'from' ? sql`r.rel_from = ${id}` : sql`(r.rel_from = ${id} OR r.rel_to = ${id})`} AND t.rt_id IS NOT NULL AND o.file_id IS NOT NULL`,
      join: this.ends(reader, id),
      select: shownFrom(id),
    });
  }

  /** One link as a document of it reads it; undefined when the reader may not see its other end. */
  findRelation(reader: Principal, id: string, rel_id: string): Promise<RelationRow | undefined> {
    return this.db.current().first<RelationRow & Record<string, unknown>>(sql`
      SELECT r.rel_id, r.rel_type, r.rel_created, r.rel_created_by, r.rel_metadata, ${shownFrom(id)}
      FROM document_relation r ${this.ends(reader, id)}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rel_id = ${rel_id} AND (r.rel_from = ${id} OR r.rel_to = ${id}) AND t.rt_id IS NOT NULL AND o.file_id IS NOT NULL`);
  }

  /** The link, and whether it is new: one that is the same stays as it is. */
  async addRelation(link: NewRelation): Promise<{ readonly rel_id: string; readonly isNew: boolean }> {
    const { tenant_id } = requireScope();
    const made = await this.db.current().first<{ rel_id: string }>(sql`
      INSERT INTO document_relation (tenant_id, rel_id, rel_type, rel_from, rel_to, rel_key, rel_created_by, rel_metadata)
      VALUES (${tenant_id}, ${link.rel_id}, ${link.rel_type}, ${link.rel_from}, ${link.rel_to}, ${link.rel_key}, ${link.rel_created_by}, ${JSON.stringify(link.rel_metadata)})
      ON CONFLICT (tenant_id, rel_type, rel_key) DO NOTHING RETURNING rel_id`);
    if (made) return { rel_id: made.rel_id, isNew: true };
    const known = await this.db
      .current()
      .first<{ rel_id: string }>(
        sql`SELECT rel_id FROM document_relation WHERE tenant_id = ${tenant_id} AND rel_type = ${link.rel_type} AND rel_key = ${link.rel_key}`,
      );
    return { rel_id: known?.rel_id ?? link.rel_id, isNew: false };
  }

  /** How many links a document has, in the trash or not. */
  async countLinks(id: string): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) FROM document_relation WHERE tenant_id = ${requireScope().tenant_id} AND (rel_from = ${id} OR rel_to = ${id})`,
      );
    return row?.count ?? 0;
  }

  /** With how many other documents that the reader may see each document is linked; those without links are left out. */
  async countLinkedDocuments(reader: Principal, file_ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ file_id: string; count: number }>(sql`
      SELECT l.file_id, count(DISTINCT l.other) AS count FROM (
        SELECT rel_from AS file_id, rel_to AS other FROM document_relation WHERE tenant_id = ${tenant_id} AND rel_from = ANY(${[...file_ids]}::uuid[])
        UNION ALL
        SELECT rel_to, rel_from FROM document_relation WHERE tenant_id = ${tenant_id} AND rel_to = ANY(${[...file_ids]}::uuid[])) l
      JOIN file r ON r.tenant_id = ${tenant_id} AND r.file_id = l.other
      WHERE ${this.library.visibleCondition(reader, 'docs')} GROUP BY 1`);
    return new Map(rows.map(({ file_id, count }) => [file_id, count]));
  }

  async deleteRelation(rel_id: string): Promise<void> {
    await this.db
      .current()
      .execute(sql`DELETE FROM document_relation WHERE tenant_id = ${requireScope().tenant_id} AND rel_id = ${rel_id}`);
  }

  /** Links belong to documents: those of files that are none any more go. */
  async removeOf(file_ids: readonly string[]): Promise<void> {
    const ids = sql`ANY(${[...file_ids]}::uuid[])`;
    await this.db
      .current()
      .execute(sql`DELETE FROM document_relation WHERE tenant_id = ${requireScope().tenant_id} AND (rel_from = ${ids} OR rel_to = ${ids})`);
  }

  /** How many links each of the types has. */
  async countRelationsByType(types: readonly string[], shown: Sql): Promise<ReadonlyMap<string, number>> {
    const rows = await this.db.current().query<{ rel_type: string; count: number }>(
      sql`SELECT l.rel_type, count(*) AS count FROM document_relation l WHERE l.tenant_id = ${requireScope().tenant_id} AND l.rel_type = ANY(${[...types]}::uuid[])
            AND EXISTS (SELECT FROM file r WHERE r.tenant_id = l.tenant_id AND r.file_id = l.rel_from AND ${shown})
            AND EXISTS (SELECT FROM file r WHERE r.tenant_id = l.tenant_id AND r.file_id = l.rel_to AND ${shown}) GROUP BY 1`,
    );
    return new Map(rows.map(({ rel_type, count }) => [rel_type, count]));
  }

  /** The type reads another way: links of a pair in both directions become the older one, or stay the one they are. */
  async rekeyRelations(rel_type: string, symmetric: boolean): Promise<void> {
    const tx = this.db.current();
    const ofType = sql`tenant_id = ${requireScope().tenant_id} AND rel_type = ${rel_type}`;
    if (symmetric)
      await tx.execute(sql`
        DELETE FROM document_relation WHERE ${ofType} AND rel_id IN (
          SELECT rel_id FROM (SELECT rel_id, row_number() OVER (PARTITION BY least(rel_from, rel_to), greatest(rel_from, rel_to) ORDER BY rel_created, rel_id) AS place
                              FROM document_relation WHERE ${ofType}) p WHERE place > 1)`);
    await tx.execute(sql`
      UPDATE document_relation SET rel_key = CASE WHEN ${symmetric}::boolean THEN least(rel_from::text, rel_to::text) || ':' || greatest(rel_from::text, rel_to::text) ELSE rel_from::text || ':' || rel_to::text END
      WHERE ${ofType}`);
  }

  /** The type as `t`, the other document as `o`; both null where the reader may not see it. */
  private ends(reader: Principal, id: string): Sql {
    const { tenant_id } = requireScope();
    return sql`
      LEFT JOIN document_relation_type t ON t.tenant_id = r.tenant_id AND t.rt_id = r.rel_type
      LEFT JOIN LATERAL (SELECT r.file_id, r.file_name, r.file_type, r.file_size, r.file_updated, r.file_deprecated FROM (SELECT CASE WHEN r.rel_from = ${id}::uuid THEN r.rel_to ELSE r.rel_from END AS other) e
        JOIN file r ON r.tenant_id = ${tenant_id} AND r.file_id = e.other WHERE ${this.library.visibleCondition(reader, 'docs')}) o ON true`;
  }
}

/** What a link is called from its document, of which type it is, and the other end of it. */
const shownFrom = (id: string): Sql => sql`
  CASE WHEN r.rel_from = ${id}::uuid THEN 'from' ELSE 'to' END AS direction,
  CASE WHEN r.rel_from = ${id}::uuid THEN t.rt_name ELSE coalesce(t.rt_inverse_name, t.rt_name) END AS label,
  json_build_object('rt_id', t.rt_id, 'rt_name', t.rt_name, 'rt_inverse_name', t.rt_inverse_name, 'rt_symmetric', t.rt_symmetric) AS relation_type,
  json_build_object('file_id', o.file_id, 'file_name', o.file_name, 'file_type', o.file_type, 'file_size', o.file_size, 'file_updated', to_char(o.file_updated AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'file_deprecated', o.file_deprecated) AS document`;
