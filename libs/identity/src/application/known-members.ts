import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** Which ids are members of the workspace, former ones left out: for what names people by id. Called within a unit of work. */
@Injectable()
export class KnownMembers {
  constructor(private readonly db: Database) {}

  async existing(user_ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.db.current().query<{ user_id: string }>(
      sql`SELECT user_id FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ANY(${[...user_ids]}::uuid[]) AND user_status <> 'removed'`,
    );
    return new Set(rows.map(({ user_id }) => user_id));
  }
}
