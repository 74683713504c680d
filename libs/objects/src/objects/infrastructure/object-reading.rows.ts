import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { WorkspaceObject, type ObjectIssue } from '../domain/workspace-object';

type Internal =
  'tenant_id' | 'row_version' | 'obj_issues' | 'obj_shelf' | 'obj_deleted' | 'obj_dropped' | 'obj_hash' | 'obj_text' | 'unlock' | 'touch';

/** An object as it is stored, without what leaves the service never. */
export type ObjectRow = Omit<WorkspaceObject, Internal>;

/** A row with what is selected beside it. */
export interface SelectedObject extends ObjectRow {
  readonly obj_version: number;
  readonly obj_stored_issues: readonly ObjectIssue[];
}

/** An object that uses a file. */
export interface FileUse {
  readonly obj_id: string;
  readonly obj_name: string;
  readonly readable: boolean;
  readonly is_cover: boolean;
}

/** What a row has besides the columns of the object `r`. */
export const BESIDE = sql`r.row_version AS obj_version, r.obj_issues AS obj_stored_issues`;

/** So many times, and objects of each, show whether a condition holds often. */
const [TIMES, OF_A_TIME] = [20, 50];

/** Objects as they are read, and what is counted before they are listed. */
@Injectable()
export class ObjectReadingRows {
  constructor(private readonly db: Database) {}

  /** An object, deleted or not, that the condition on `r` lets through. */
  findObjectRow(
    obj_id: string,
    condition: Sql,
  ): Promise<(SelectedObject & { readonly row_version: number; readonly deleted_at: string | null }) | undefined> {
    return this.db.current().first<SelectedObject & { row_version: number; deleted_at: string | null } & Record<string, unknown>>(sql`
      SELECT ${columnsOf(WorkspaceObject)}, r.row_version, r.obj_deleted AS deleted_at, ${BESIDE} FROM object r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = ${obj_id} AND ${condition}`);
  }

  /** The schema of each of the objects, deleted or not. */
  async findForms(obj_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.db
      .current()
      .query<{ obj_id: string; obj_form: string }>(
        sql`SELECT r.obj_id, r.obj_form FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = ANY(${[...obj_ids]}::uuid[])`,
      );
    return new Map(rows.map(({ obj_id, obj_form }) => [obj_id, obj_form]));
  }

  /** The terms of each of the objects; one that has none is left out. */
  async findTerms(obj_ids: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
    const rows = await this.db
      .current()
      .query<{ obj_id: string; obj_terms: string[] }>(
        sql`SELECT r.obj_id, r.obj_terms FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = ANY(${[...obj_ids]}::uuid[]) AND r.obj_terms <> '{}'`,
      );
    return new Map(rows.map(({ obj_id, obj_terms }) => [obj_id, obj_terms]));
  }

  /** How many objects refer to what is asked for, counted up to so many. `referrers` is what `SELECT` is followed by. */
  async countReferrers(referrers: Sql, most: number): Promise<number> {
    const found = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) AS count FROM (SELECT ${referrers} LIMIT ${most}) found`);
    return found?.count ?? 0;
  }

  /** How many objects have the words, counted up to so many. */
  async countWorded(words: string, most: number): Promise<number> {
    const found = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) AS count FROM (SELECT search_objects(${words}) LIMIT ${most}) found`);
    return found?.count ?? 0;
  }

  /** Of the objects that the condition `within` on `r` selects, some that were made at times as far from each other, and how many of those another condition holds for. */
  sampleObjects(within: Sql, met: Sql): Promise<{ readonly having: number; readonly seen: number } | undefined> {
    const objects = sql`FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${within}`;
    return this.db.current().first<{ having: number; seen: number }>(sql`
      WITH ends AS MATERIALIZED (SELECT (SELECT r.obj_created ${objects} ORDER BY r.obj_created, r.obj_id LIMIT 1) AS first, (SELECT r.obj_created ${objects} ORDER BY r.obj_created DESC, r.obj_id DESC LIMIT 1) AS last)
      SELECT count(*) FILTER (WHERE n.met) AS having, count(*) AS seen FROM ends CROSS JOIN generate_series(0, ${TIMES - 1}::integer) AS k (n)
      CROSS JOIN LATERAL (SELECT ${met} AS met ${objects} AND r.obj_created >= ends.first + (ends.last - ends.first) * (k.n / ${TIMES}::float8) ORDER BY r.obj_created, r.obj_id LIMIT ${OF_A_TIME}) n`);
  }

  /** Objects that are not deleted and have the file as their cover, or are among the ids, at most so many; `readable` is a condition on `r`. */
  findFileUses(
    file_id: string,
    obj_ids: readonly string[],
    { readable, most }: { readonly readable: Sql; readonly most: number },
  ): Promise<FileUse[]> {
    return this.db.current().query<FileUse & Record<string, unknown>>(sql`
      SELECT r.obj_id, r.obj_name, ${readable} AS readable, r.obj_cover_file IS NOT DISTINCT FROM ${file_id} AS is_cover FROM object r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_active AND (r.obj_cover_file = ${file_id} OR r.obj_id = ANY(${[...obj_ids]}::uuid[])) ORDER BY r.obj_id LIMIT ${most}`);
  }
}
