import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { scopeOf } from '../domain/knowledge-base';

/** A file of a base, with what its base says of it. */
export interface OwnFile extends Record<string, unknown> {
  readonly file_id: string;
  readonly ds_active: boolean;
  readonly ds_config: JsonObject;
  readonly to_import: boolean;
}

/** Files of bases and documents linked to them, as far as a condition on the file `r` lets them through. */
@Injectable()
export class BaseFileRows {
  constructor(private readonly db: Database) {}

  /** Of each base how many there are; a base without any is left out. */
  async countFiles(ids: readonly string[], shown: Sql): Promise<ReadonlyMap<string, number>> {
    const { tenant_id } = requireScope();
    const rows = await this.db.current().query<{ ds_id: string; count: number }>(sql`
      SELECT x.ds_id, count(*) AS count FROM (
        SELECT r.repo_id AS ds_id FROM file r WHERE r.tenant_id = ${tenant_id} AND r.repo_key = ANY(${ids.map(scopeOf)}::text[]) AND ${shown}
        UNION ALL
        SELECT l.ds_id FROM ds_file l JOIN file r ON r.tenant_id = l.tenant_id AND r.file_id = l.file_id WHERE l.tenant_id = ${tenant_id} AND l.ds_id = ANY(${[...ids]}::uuid[]) AND ${shown}) x
      GROUP BY 1`);
    return new Map(rows.map(({ ds_id, count }) => [ds_id, Number(count)]));
  }

  /** Those of the files that a base owns; `toImport` is the condition by which one is only there to be imported. */
  findOwnFiles(file_ids: readonly string[], toImport: Sql): Promise<OwnFile[]> {
    return this.db.current().query<OwnFile>(sql`
      SELECT r.file_id, b.ds_active, b.ds_config, coalesce(${toImport}, false) AS to_import
      FROM file r JOIN knowledge_base b ON b.tenant_id = r.tenant_id AND b.ds_id = r.repo_id
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.repo_type = 'ds' AND r.file_id = ANY(${[...file_ids]}::uuid[])`);
  }
}
