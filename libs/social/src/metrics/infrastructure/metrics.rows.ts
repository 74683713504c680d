import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { PostNumbers } from '../../network/domain/social-port';

/** A variant whose numbers are due. */
export interface DueVariant {
  readonly spv_id: string;
  readonly spv_external_id: string;
  readonly spv_published: string;
  readonly spv_metrics_step: number;
}

/** Numbers of a variant at one moment. */
export interface SnapshotRow {
  readonly spm_variant: string;
  readonly spm_at: string;
  readonly spm_impressions: number | null;
  readonly spm_reach: number | null;
  readonly spm_clicks: number | null;
  readonly spm_reactions: number | null;
  readonly spm_comments: number | null;
  readonly spm_shares: number | null;
  readonly spm_engagement: number | null;
}

const mine = () => requireScope().tenant_id;

/** Numbers of posts over time. */
@Injectable()
export class MetricRows {
  constructor(private readonly db: Database) {}

  findDueVariants(most: number): Promise<readonly { readonly tenant_id: string; readonly spv_id: string; readonly spv_target: string }[]> {
    return this.db.queryAcrossTenants<{ tenant_id: string; spv_id: string; spv_target: string }>('SELECT * FROM social_metrics_due($1)', [
      most,
    ]);
  }

  /** Those among the ids that are still due; asked again because a job may run twice. */
  findDue(ids: readonly string[], now: Date): Promise<DueVariant[]> {
    return this.db.current().query<DueVariant & Record<string, unknown>>(
      sql`SELECT spv_id, spv_external_id, spv_published, spv_metrics_step FROM social_variant
          WHERE tenant_id = ${mine()} AND spv_id = ANY(${[...ids]}::uuid[]) AND spv_state = 'published' AND NOT spv_removed AND spv_external_id IS NOT NULL AND spv_metrics_next <= ${now}`,
    );
  }

  async insertSnapshot(spv_id: string, at: Date, numbers: PostNumbers): Promise<void> {
    await this.db.current().execute(
      sql`INSERT INTO social_metric (tenant_id, spm_variant, spm_at, spm_impressions, spm_reach, spm_clicks, spm_reactions, spm_comments, spm_shares)
          VALUES (${mine()}, ${spv_id}, ${at}, ${numbers.impressions}, ${numbers.reach}, ${numbers.clicks}, ${numbers.reactions}, ${numbers.comments}, ${numbers.shares}) ON CONFLICT DO NOTHING`,
    );
  }

  async planNext(spv_id: string, step: number, next: Date | null): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE social_variant SET spv_metrics_step = ${step}, spv_metrics_next = ${next}::timestamptz WHERE tenant_id = ${mine()} AND spv_id = ${spv_id}`,
      );
  }

  /** Numbers of a target are not asked for again. */
  async stopTarget(tgt_id: string): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE social_variant SET spv_metrics_next = NULL WHERE tenant_id = ${mine()} AND spv_target = ${tgt_id} AND spv_metrics_next IS NOT NULL`,
      );
  }

  /** A job has these in hand for a while. */
  async postpone(ids: readonly string[], until: Date): Promise<void> {
    await this.db
      .current()
      .execute(
        sql`UPDATE social_variant SET spv_metrics_next = ${until} WHERE tenant_id = ${mine()} AND spv_id = ANY(${[...ids]}::uuid[]) AND spv_metrics_next IS NOT NULL`,
      );
  }

  listSnapshots(sp_id: string, from: Date | null, to: Date | null): Promise<SnapshotRow[]> {
    return this.db.current().query<SnapshotRow & Record<string, unknown>>(sql`
      SELECT m.spm_variant, m.spm_at, m.spm_impressions, m.spm_reach, m.spm_clicks, m.spm_reactions, m.spm_comments, m.spm_shares,
             CASE WHEN m.spm_impressions > 0 THEN (coalesce(m.spm_clicks, 0) + coalesce(m.spm_reactions, 0) + coalesce(m.spm_comments, 0) + coalesce(m.spm_shares, 0))::double precision / m.spm_impressions END AS spm_engagement
      FROM social_variant v JOIN social_metric m ON m.tenant_id = v.tenant_id AND m.spm_variant = v.spv_id
      WHERE v.tenant_id = ${mine()} AND v.spv_post = ${sp_id} AND (${from}::timestamptz IS NULL OR m.spm_at >= ${from}) AND (${to}::timestamptz IS NULL OR m.spm_at <= ${to})
      ORDER BY m.spm_variant, m.spm_at LIMIT 1000`);
  }
}
