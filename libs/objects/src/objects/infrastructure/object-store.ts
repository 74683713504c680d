import { Injectable } from '@nestjs/common';
import type { NamedRow } from '@atrium/forms';
import { Database, requireScope, ResourceRepository, sql, type Sql } from '@atrium/platform/database';
import { folded, jsonPieces, spellingsOf } from '@atrium/platform/kernel';
import type { StoredObject } from '../domain/stored-object';
import { WorkspaceObject } from '../domain/workspace-object';

/** An object as it is to be written, with the words it is found by. */
export interface WrittenObject extends StoredObject {
  readonly obj_id: string;
  readonly obj_text: string;
  readonly words: { readonly title: string; readonly summary: string; readonly text: string };
}

export interface Writing {
  readonly by: string | null;
  readonly now: Date;
}

const COLUMNS = sql`v.obj_id, v.obj_form, v.obj_name, v.obj_content, v.obj_status, v.obj_flow, v.obj_status_since, v.obj_terms, v.obj_cover_file, v.obj_acl, v.obj_metadata, v.obj_source, v.obj_external_id, v.obj_external_url, v.obj_synced, v.obj_locked_fields, v.obj_shelf, v.obj_issues, v.obj_active, v.obj_deleted, v.obj_dropped, v.obj_hash, v.obj_text`;
const TSV = sql`setweight(to_tsvector('simple', dotless(v.title)), 'A') || setweight(to_tsvector('simple', dotless(v.summary)), 'B') || setweight(to_tsvector('simple', dotless(v.body)), 'C')`;
const ROWS = sql`AS v (obj_id uuid, obj_form uuid, obj_name text, obj_content jsonb, obj_status text, obj_flow uuid, obj_status_since timestamptz(3), obj_terms uuid[], obj_cover_file uuid, obj_acl jsonb, obj_metadata jsonb, obj_source uuid, obj_external_id text, obj_external_url text, obj_synced timestamptz(3), obj_locked_fields text[], obj_shelf jsonb, obj_issues jsonb, obj_active boolean, obj_deleted timestamptz(3), obj_dropped boolean, obj_hash text, obj_text text, title text, summary text, body text)`;

/** Objects of one name that are found: two of them are several. */
const MOST_OF_A_NAME = 2;

/** The objects of a workspace; many are read and written in as many statements as one. */
@Injectable()
export class ObjectStore extends ResourceRepository<WorkspaceObject> {
  constructor(db: Database) {
    super(db, WorkspaceObject, 'object');
  }

  /**
   * Objects by the ids they have elsewhere, locked: of a source, deleted ones too, or of a form where no source keeps them, which are
   * found in every spelling. Ids without an object are left out.
   */
  async listByExternalIds(source: string | null, form_id: string, external_ids: readonly string[]): Promise<WorkspaceObject[]> {
    if (external_ids.length === 0) return [];
    const ids = source === null ? spellingsOf(external_ids) : [...external_ids];
    const kept = source === null ? sql`r.obj_source IS NULL AND r.obj_form = ${form_id} AND r.obj_active` : sql`r.obj_source = ${source}`;
    const rows = await this.db
      .current()
      .query<{ obj_id: string }>(
        sql`SELECT r.obj_id FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${kept} AND r.obj_external_id = ANY(${ids}::text[])`,
      );
    return this.lockMany(rows.map(({ obj_id }) => obj_id));
  }

  async insertMany(objects: readonly WrittenObject[], { by, now }: Writing): Promise<void> {
    await this.inPieces(
      objects,
      (rows) => sql`
      INSERT INTO object (tenant_id, obj_created, obj_updated, obj_created_by, obj_updated_by,
        obj_id, obj_form, obj_name, obj_content, obj_status, obj_flow, obj_status_since, obj_terms, obj_cover_file, obj_acl, obj_metadata, obj_source, obj_external_id, obj_external_url, obj_synced, obj_locked_fields, obj_shelf, obj_issues, obj_active, obj_deleted, obj_dropped, obj_hash, obj_text, obj_tsv)
      SELECT ${requireScope().tenant_id}::uuid, ${now}::timestamptz, ${now}::timestamptz, ${by}::uuid, ${by}::uuid, ${COLUMNS}, ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}`,
    );
  }

  async updateMany(objects: readonly WrittenObject[], { by, now }: Writing): Promise<void> {
    await this.inPieces(
      objects,
      (rows) => sql`
      UPDATE object r SET row_version = r.row_version + 1, obj_updated = ${now}, obj_updated_by = ${by}::uuid,
        obj_form = v.obj_form, obj_name = v.obj_name, obj_content = v.obj_content, obj_status = v.obj_status, obj_flow = v.obj_flow, obj_status_since = v.obj_status_since,
        obj_terms = v.obj_terms, obj_cover_file = v.obj_cover_file, obj_acl = v.obj_acl, obj_metadata = v.obj_metadata, obj_source = v.obj_source,
        obj_external_id = v.obj_external_id, obj_external_url = v.obj_external_url, obj_synced = v.obj_synced, obj_locked_fields = v.obj_locked_fields, obj_shelf = v.obj_shelf, obj_issues = v.obj_issues,
        obj_active = v.obj_active, obj_deleted = v.obj_deleted, obj_dropped = v.obj_dropped, obj_hash = v.obj_hash, obj_text = v.obj_text, obj_tsv = ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = v.obj_id`,
    );
  }

  /** Stores what a change of their schema makes of objects; nobody wrote them, so who changed them last stays. */
  async saveMigrated(objects: readonly WrittenObject[]): Promise<void> {
    await this.inPieces(
      objects,
      (rows) => sql`
      UPDATE object r SET row_version = r.row_version + (r.obj_content <> v.obj_content)::integer, obj_name = v.obj_name, obj_content = v.obj_content, obj_issues = v.obj_issues, obj_text = v.obj_text, obj_tsv = ${TSV}
      FROM jsonb_to_recordset(${rows}::jsonb) ${ROWS}
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = v.obj_id`,
    );
  }

  /** A deleted object that its source may bring back stays deleted from now on. Clients read the same of it, and so its version stays. */
  async keepDeleted(obj_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE object r SET obj_dropped = false WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = ${obj_id} AND NOT r.obj_active AND r.obj_dropped`,
      );
  }

  /** Those among the ids that are not deleted and that the condition on `r` holds for, kept from being deleted until the unit of work ends where `held`. */
  findAmong(
    obj_ids: readonly string[],
    condition: Sql,
    { held = false } = {},
  ): Promise<{ obj_id: string; obj_form: string; obj_name: string }[]> {
    return this.db.current().query(sql`
      SELECT r.obj_id, r.obj_form, r.obj_name FROM object r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = ANY(${[...obj_ids]}::uuid[]) AND r.obj_active AND ${condition} ORDER BY r.obj_id ${held ? sql`FOR KEY SHARE OF r` : sql``}`);
  }

  /** Objects of a schema with one of the ids, external ids or names, in any case, that are not deleted and that the condition on `r` lets through. */
  findByNames(
    form_id: string,
    { names, ids }: { readonly names: readonly string[]; readonly ids: readonly string[] },
    condition: Sql,
  ): Promise<(NamedRow & Record<string, unknown>)[]> {
    const of = sql`r.tenant_id = ${requireScope().tenant_id} AND r.obj_form = ${form_id}::uuid AND r.obj_active AND ${condition}`;
    const row = sql`r.obj_id AS id, r.obj_name AS name, r.obj_external_id AS external_id`;
    const words = [...new Set(names.map(folded))];
    return this.db.current().query(sql`
      SELECT ${row} FROM object r WHERE ${of} AND r.obj_id = ANY(${[...ids]}::uuid[])
      UNION SELECT ${row} FROM object r WHERE ${of} AND r.obj_source IS NULL AND r.obj_external_id = ANY(${spellingsOf(names)}::text[])
      UNION SELECT ${row} FROM object r WHERE ${of} AND r.obj_external_id = ANY(${spellingsOf(names)}::text[])
        AND r.obj_source = ANY(ARRAY(SELECT s.osr_id FROM object_source s WHERE s.tenant_id = ${requireScope().tenant_id}))
      UNION SELECT n.id, n.name, n.external_id FROM (
        SELECT ${row}, row_number() OVER (PARTITION BY w.word ORDER BY r.obj_id) AS nth FROM object r JOIN unnest(${words}::text[]) AS w (word) ON w.word = folded(r.obj_name)
        WHERE ${of} AND r.obj_name_key = ANY(ARRAY(SELECT lower("left"(k, 64)) FROM unnest(${[...names]}::text[]) AS k))) n WHERE n.nth <= ${MOST_OF_A_NAME}`);
  }

  /** Objects of a schema that are not deleted and that the condition on `r` lets through. */
  async countObjects(form_id: string, condition: Sql): Promise<number> {
    const row = await this.db
      .current()
      .first<{ count: number }>(
        sql`SELECT count(*) AS count FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_form = ${form_id} AND r.obj_active AND ${condition}`,
      );
    return row?.count ?? 0;
  }

  /** A stretch of all objects, those that one member made now being made by another. */
  async handOver(
    { from, to }: { readonly from: string; readonly to: string },
    { after, size }: { readonly after: string | null; readonly size: number },
  ): Promise<{ moved: number; seen: number; last: string | null }> {
    const { tenant_id } = requireScope();
    const stretch = await this.db.current().first<{ moved: number; seen: number; last: string | null }>(
      sql`WITH stretch AS MATERIALIZED (SELECT obj_id FROM object WHERE tenant_id = ${tenant_id} AND ${after === null ? sql`true` : sql`obj_id > ${after}`} ORDER BY obj_id LIMIT ${size}),
          moved AS (UPDATE object o SET obj_created_by = ${to}, row_version = o.row_version + 1 FROM stretch s
                    WHERE o.tenant_id = ${tenant_id} AND o.obj_id = s.obj_id AND o.obj_created_by = ${from} RETURNING 1)
          SELECT (SELECT count(*) FROM moved) AS moved, (SELECT count(*) FROM stretch) AS seen, (SELECT obj_id FROM stretch ORDER BY obj_id DESC LIMIT 1) AS last`,
    );
    return stretch ?? { moved: 0, seen: 0, last: null };
  }

  /** One statement after the other, each of as many objects as are quick to send. */
  private async inPieces(objects: readonly WrittenObject[], statement: (rows: string) => Sql): Promise<void> {
    for (const { text } of jsonPieces(objects, { textOf })) await this.db.current().execute(statement(text));
  }
}

const textOf = ({ words: { title, summary, text }, ...object }: WrittenObject): string =>
  JSON.stringify({ ...object, title, summary, body: text });
