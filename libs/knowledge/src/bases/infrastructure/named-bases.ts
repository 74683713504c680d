import { Injectable } from '@nestjs/common';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Knowledge bases for contexts that refer to them. Within a unit of work. */
@Injectable()
export class NamedBases {
  constructor(private readonly db: Database) {}

  /** Of the bases those that are active and that the caller may read, with their names; one statement for however many. */
  async findReadableNames(caller: Principal, ds_ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ds_ids.length === 0 || !caller.permissions.has('knowledge-base:view')) return new Map();
    const rows = await this.db
      .current()
      .query<{ ds_id: string; ds_name: string }>(
        sql`SELECT r.ds_id, r.ds_name FROM knowledge_base r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.ds_id = ANY(${[...ds_ids]}::uuid[]) AND r.ds_active AND ${aclAllows('r.ds_acl', caller, 'view')}`,
      );
    return new Map(rows.map(({ ds_id, ds_name }) => [ds_id, ds_name]));
  }
}
