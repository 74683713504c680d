import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, sql } from '@atrium/platform/database';

/** A caller in a workspace, by key or session. */
export type StampedCaller = Pick<Principal, 'tenant_id' | 'user_id'>;

/**
 * Whether anything that decides about callers has changed, for answers that go on long after their request was admitted: roles,
 * keys, sessions, spaces, licences, the state of the member or of the workspace.
 */
@Injectable()
export class CallerStamps {
  constructor(private readonly db: Database) {}

  /** The stamps of callers of any workspaces, in the order they are asked for; null where the workspace is gone. One statement. */
  async readStamps(callers: readonly StampedCaller[]): Promise<(string | null)[]> {
    const rows = await this.db.queryAcrossTenants<{ stamp: string | null }>(sql`
      SELECT auth_enter(c.tenant_id, c.user_id) AS stamp
      FROM unnest(${callers.map(({ tenant_id }) => tenant_id)}::uuid[], ${callers.map(({ user_id }) => user_id)}::uuid[])
        WITH ORDINALITY AS c (tenant_id, user_id, place) ORDER BY c.place`);
    return rows.map(({ stamp }) => stamp);
  }
}
