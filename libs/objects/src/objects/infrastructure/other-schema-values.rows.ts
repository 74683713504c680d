import { Injectable } from '@nestjs/common';
import type { HeldRow, ReturnedRow } from '@atrium/forms';
import { Database, empty, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';

/** Values that objects keep for their return to a schema that they do not have now. Within the unit of work at hand. */
@Injectable()
export class OtherSchemaValues {
  constructor(private readonly db: Database) {}

  /** How many objects keep anything of the schema, or a value under the path. */
  async countShelves(form_id: string, path: readonly string[] = []): Promise<number> {
    const there = path.length === 0 ? empty : sql`AND r.obj_shelf #> ${[form_id, ...path]}::text[] IS NOT NULL`;
    const row = await this.db
      .current()
      .first<{ count: number }>(sql`SELECT count(*) AS count FROM object r WHERE ${keeping(form_id)} ${there}`);
    return row?.count ?? 0;
  }

  /** What is kept behind one id, in the order of the ids, locked for change. */
  handOut(form_id: string, after: string | null, limit: number): Promise<HeldRow[]> {
    const behind = after === null ? empty : sql`AND r.obj_id > ${after}`;
    return this.db
      .current()
      .query<HeldRow & { readonly content: JsonObject } & Record<string, unknown>>(
        sql`SELECT r.obj_id AS id, r.obj_shelf -> ${form_id} AS content, true AS aside FROM object r WHERE ${keeping(form_id)} ${behind} ORDER BY r.obj_id LIMIT ${limit} FOR UPDATE OF r`,
      );
  }

  async storeShelves(form_id: string, rows: readonly Pick<ReturnedRow, 'id' | 'content'>[]): Promise<void> {
    if (rows.length === 0) return;
    const contents = JSON.stringify(rows.map(({ id, content }) => ({ id, content })));
    await this.db.current().execute(sql`
      UPDATE object r SET obj_shelf = r.obj_shelf || jsonb_build_object(${form_id}::text, v.content) FROM jsonb_to_recordset(${contents}::jsonb) AS v (id uuid, content jsonb)
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = v.id`);
  }
}

const keeping = (form_id: string): Sql =>
  sql`r.tenant_id = ${requireScope().tenant_id} AND r.obj_shelf <> '{}'::jsonb AND r.obj_shelf ? ${form_id}`;
