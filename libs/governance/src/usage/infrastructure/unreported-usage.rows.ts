import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { UsageParamName } from '../../credits/domain/usage-params';

/** The sum of one parameter since it was last reported. */
export interface UnreportedUsage {
  readonly usage_param: UsageParamName;
  readonly rep_from: string;
  readonly rep_to: string;
  readonly usage_entries: number;
  readonly usage_consumed_units: number;
  readonly usage_consumed_credits: number;
  /** Of all parameters together. */
  readonly all_entries: number;
  readonly all_credits: number;
}

/** Sums that the roller lays aside for workspaces that ask for reports of their usage. */
@Injectable()
export class UnreportedUsageRows {
  constructor(private readonly db: Database) {}

  /** Workspaces with something to tell, a page at a time. */
  async findWaitingWorkspaces(after: string | null, limit: number): Promise<string[]> {
    const rows = await this.db.acrossTenants((tx) =>
      tx.query<{ tenant_id: string }>('SELECT tenant_id FROM usage_unreported_in($1::uuid, $2)', [after, limit]),
    );
    return rows.map(({ tenant_id }) => tenant_id);
  }

  /** Takes all of the workspace at hand, in the order in which the roller adds to it; what comes later is reported later. */
  takeUnreported(): Promise<UnreportedUsage[]> {
    const { tenant_id } = requireScope();
    return this.db.current().query(sql`
      WITH mine AS MATERIALIZED (SELECT usage_param FROM usage_unreported WHERE tenant_id = ${tenant_id} ORDER BY usage_param FOR UPDATE),
           taken AS (DELETE FROM usage_unreported u USING mine WHERE u.tenant_id = ${tenant_id} AND u.usage_param = mine.usage_param RETURNING u.*)
      SELECT usage_param, rep_from, rep_to, usage_entries, usage_consumed_units, usage_consumed_credits, (sum(usage_entries) OVER ())::bigint AS all_entries, sum(usage_consumed_credits) OVER () AS all_credits
      FROM taken ORDER BY usage_param`);
  }
}
