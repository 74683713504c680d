import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';

/** The rollups of usage, across workspaces: definer functions, each a transaction of its own. */
@Injectable()
export class UsageRollupRows {
  constructor(private readonly db: Database) {}

  /** Moves a batch of what was charged lately; how many rows. */
  async rollBatch(limit: number): Promise<number> {
    const [row] = await this.db.queryAcrossTenants<{ moved: number }>('SELECT usage_roll($1) AS moved', [limit]);
    return row?.moved ?? 0;
  }

  async listWorkspaces(): Promise<string[]> {
    return (await this.db.acrossTenants((tx) => tx.query<{ tenant_id: string }>('SELECT ws_id AS tenant_id FROM ws_list()'))).map(
      ({ tenant_id }) => tenant_id,
    );
  }

  /** Makes the rollups of a range again; how many cells. */
  async rebuildRange(tenant_id: string, from: Date, until: Date): Promise<number> {
    const row = await this.db.acrossTenants((tx) =>
      tx.first<{ made: number }>('SELECT usage_rebuild($1, $2, $3) AS made', [tenant_id, from, until]),
    );
    return row?.made ?? 0;
  }

  /** Removes some of the sources that no queue delivers again; how many. */
  async deleteOldSources(most: number): Promise<number> {
    const row = await this.db.acrossTenants((tx) => tx.first<{ gone: number }>('SELECT usage_sources_prune($1) AS gone', [most]));
    return row?.gone ?? 0;
  }
}
