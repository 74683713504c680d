import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';

/** What charges have cost, for contexts that show the price of their work beside it. */
@Injectable()
export class ChargedCredits {
  constructor(private readonly db: Database) {}

  /** Credits of entries by the ids that `UsageMeter.chargeUsage` answered, since the moment before the first; those that were charged before count nothing. */
  async sumCredits(usage_ids: readonly string[], since: Date): Promise<number> {
    if (usage_ids.length === 0) return 0;
    const row = await this.db.read((tx) =>
      tx.first<{ credits: number }>(sql`
        SELECT coalesce(sum(e.usage_consumed_credits), 0)::double precision AS credits FROM usage_entry e
        WHERE e.tenant_id = ${requireScope().tenant_id} AND e.usage_timestamp >= ${since} AND e.usage_id = ANY(${[...usage_ids]}::uuid[])`),
    );
    return row?.credits ?? 0;
  }
}
