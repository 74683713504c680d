import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { RateKind } from './rate-policy';

export interface RateOverride extends Record<string, unknown> {
  readonly rl_class: RateKind;
  readonly rl_limit: number;
}

/** How often a counter was hit in a minute. */
export interface SharedCount extends Record<string, unknown> {
  readonly rc_key: string;
  readonly rc_minute: number;
  readonly rc_count: number;
}

/** What operators granted workspaces, and the counts that processes share. */
@Injectable()
export class RateLimitRows {
  constructor(private readonly db: Database) {}

  /** Whether the workspace at hand exists; an operator may name any. */
  async hasWorkspace(): Promise<boolean> {
    return (await this.db.current().first(sql`SELECT 1 FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`)) !== undefined;
  }

  findOverrides(): Promise<RateOverride[]> {
    return this.db
      .current()
      .query<RateOverride>(sql`SELECT rl_class, rl_limit FROM rate_override WHERE tenant_id = ${requireScope().tenant_id}`);
  }

  /** Returns the overrides that it deleted. */
  deleteOverrides(): Promise<RateOverride[]> {
    return this.db
      .current()
      .query<RateOverride>(sql`DELETE FROM rate_override WHERE tenant_id = ${requireScope().tenant_id} RETURNING rl_class, rl_limit`);
  }

  async insertOverrides(limits: Partial<Record<RateKind, number>>): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`INSERT INTO rate_override (tenant_id, rl_class, rl_limit) SELECT ${requireScope().tenant_id}, key, value::integer FROM jsonb_each_text(${JSON.stringify(limits)}::jsonb)`,
      );
  }

  /** Adds counts of this process to those of all; returns the sums. */
  shareCounts(counts: readonly SharedCount[]): Promise<SharedCount[]> {
    return this.db.queryAcrossTenants<SharedCount>('SELECT * FROM rate_share($1)', [JSON.stringify(counts)]);
  }
}
