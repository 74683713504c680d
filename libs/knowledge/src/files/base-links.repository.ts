import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';

/** Documents that bases search besides their own files. */
@Injectable()
export class BaseLinksRepository {
  constructor(private readonly db: Database) {}

  /** Links documents; those that were not linked before. */
  async addLinks(ds_id: string, file_ids: readonly string[], { by, now }: { readonly by: string; readonly now: Date }): Promise<string[]> {
    const rows = await this.db.current().query<{ file_id: string }>(sql`
      INSERT INTO ds_file (tenant_id, ds_id, file_id, linked_at, linked_by) SELECT ${requireScope().tenant_id}::uuid, ${ds_id}::uuid, f, ${now}::timestamptz, ${by}::uuid FROM unnest(${[...file_ids]}::uuid[]) AS f
      ON CONFLICT DO NOTHING RETURNING file_id`);
    return rows.map(({ file_id }) => file_id);
  }

  /** Unlinks documents; those that were linked. */
  async removeLinks(ds_id: string, file_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(
        sql`DELETE FROM ds_file WHERE tenant_id = ${requireScope().tenant_id} AND ds_id = ${ds_id} AND file_id = ANY(${[...file_ids]}::uuid[]) RETURNING file_id`,
      );
    return rows.map(({ file_id }) => file_id);
  }

  /** The active bases that each of the documents is linked to. */
  async listBasesOfFiles(file_ids: readonly string[]): Promise<readonly { readonly file_id: string; readonly ds_id: string }[]> {
    return this.db.current().query(sql`
      SELECT l.file_id, l.ds_id FROM ds_file l JOIN knowledge_base b ON b.tenant_id = l.tenant_id AND b.ds_id = l.ds_id
      WHERE l.tenant_id = ${requireScope().tenant_id} AND l.file_id = ANY(${[...file_ids]}::uuid[]) AND b.ds_active`);
  }

  /** Own files of a base and documents linked to it behind one of them, in the order of their ids. */
  async listFileIds(ds_id: string, after: string | null, most: number): Promise<string[]> {
    const behind = after === null ? sql`true` : sql`x.file_id > ${after}::uuid`;
    const rows = await this.db
      .current()
      .query<{ file_id: string }>(sql`SELECT x.file_id FROM (${heldBy(ds_id)}) x WHERE ${behind} ORDER BY x.file_id LIMIT ${most}`);
    return rows.map(({ file_id }) => file_id);
  }
}

/** A statement of the ids of a base's own files and of the documents linked to it. */
export const heldBy = (ds_id: string): Sql => sql`
  SELECT f.file_id FROM file f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.repo_key = ${`ds:${ds_id}`} AND f.file_deleted IS NULL
  UNION SELECT d.file_id FROM ds_file d WHERE d.tenant_id = ${requireScope().tenant_id} AND d.ds_id = ${ds_id}`;
