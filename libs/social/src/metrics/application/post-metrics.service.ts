import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { PostsService } from '../../posts/application/posts.service';
import { MetricRows, type SnapshotRow } from '../infrastructure/metrics.rows';

/** The numbers of one variant. */
export interface VariantMetrics {
  readonly spv_id: string;
  readonly spv_target: string;
  readonly newest: object | null;
  readonly series: readonly Omit<SnapshotRow, 'spm_variant'>[];
}

/** The numbers of a post. */
@Injectable()
export class PostMetrics {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsService,
    private readonly rows: MetricRows,
  ) {}

  async listMetrics(
    caller: Principal,
    sp_id: string,
    { from, to }: { readonly from?: Date; readonly to?: Date },
  ): Promise<VariantMetrics[]> {
    const { variants } = await this.posts.get(caller, sp_id);
    const series = await this.db.read(() => this.rows.listSnapshots(sp_id, from ?? null, to ?? null));
    return variants.map(({ spv_id, spv_target, spv_metrics }) => ({
      spv_id,
      spv_target,
      newest: spv_metrics,
      series: series.filter(({ spm_variant }) => spm_variant === spv_id).map(({ spm_variant: _, ...snapshot }) => snapshot),
    }));
  }
}
