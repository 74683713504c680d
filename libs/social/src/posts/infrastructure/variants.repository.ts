import { Injectable } from '@nestjs/common';
import { columnsOf, Database, requireScope, ResourceRepository, sql, type MethodsOf } from '@atrium/platform/database';
import { SocialVariant } from '../domain/social-variant';

type Internal =
  | 'tenant_id'
  | 'row_version'
  | 'spv_tries'
  | 'spv_sent_text'
  | 'spv_body_hash'
  | 'spv_assets'
  | 'spv_rounds'
  | 'spv_metrics_step'
  | 'spv_metrics_next';

/** The newest numbers of a variant. */
export interface MetricRow {
  readonly spm_at: string;
  readonly spm_impressions: number | null;
  readonly spm_reach: number | null;
  readonly spm_clicks: number | null;
  readonly spm_reactions: number | null;
  readonly spm_comments: number | null;
  readonly spm_shares: number | null;
  readonly spm_engagement: number | null;
}

/** A variant as it is read. */
export type VariantRow = Omit<SocialVariant, Internal | MethodsOf<SocialVariant>> & { readonly spv_metrics: MetricRow | null };

const mine = () => requireScope().tenant_id;
const NEWEST = sql`(SELECT to_jsonb(m) FROM (SELECT to_char(m.spm_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS spm_at, m.spm_impressions, m.spm_reach, m.spm_clicks, m.spm_reactions, m.spm_comments, m.spm_shares,
    CASE WHEN m.spm_impressions > 0 THEN (coalesce(m.spm_clicks, 0) + coalesce(m.spm_reactions, 0) + coalesce(m.spm_comments, 0) + coalesce(m.spm_shares, 0))::double precision / m.spm_impressions END AS spm_engagement
  FROM social_metric m WHERE m.tenant_id = r.tenant_id AND m.spm_variant = r.spv_id ORDER BY m.spm_at DESC LIMIT 1) m) AS spv_metrics`;

/** The variants of posts. */
@Injectable()
export class VariantsRepository extends ResourceRepository<SocialVariant> {
  constructor(db: Database) {
    super(db, SocialVariant, 'variant', 'beside');
  }

  /** Of several posts, in the order of their targets; one statement. */
  listVariantsOf(sp_ids: readonly string[]): Promise<VariantRow[]> {
    if (sp_ids.length === 0) return Promise.resolve([]);
    return this.db
      .current()
      .query<VariantRow & Record<string, unknown>>(
        sql`SELECT ${columnsOf(SocialVariant)}, ${NEWEST} FROM social_variant r WHERE r.tenant_id = ${mine()} AND r.spv_post = ANY(${[...sp_ids]}::uuid[]) ORDER BY r.spv_id`,
      );
  }

  async lockVariantsOf(sp_id: string): Promise<SocialVariant[]> {
    const rows = await this.db
      .current()
      .query<{ spv_id: string }>(sql`SELECT spv_id FROM social_variant WHERE tenant_id = ${mine()} AND spv_post = ${sp_id}`);
    return this.lockMany(rows.map(({ spv_id }) => spv_id));
  }

  /** Whether another variant of the workspace is this post at the platform. */
  async isOfAnother(external_id: string, spv_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(sql`SELECT 1 FROM social_variant WHERE tenant_id = ${mine()} AND spv_external_id = ${external_id} AND spv_id <> ${spv_id}`);
    return row !== undefined;
  }

  /** Whether a target was sent the same text lately. */
  async hasSameText(target: string, text: string, since: Date, spv_id: string): Promise<boolean> {
    const row = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM social_variant WHERE tenant_id = ${mine()} AND spv_target = ${target} AND spv_published >= ${since} AND spv_id <> ${spv_id} AND spv_sent_text = ${text} LIMIT 1`,
      );
    return row !== undefined;
  }
}
