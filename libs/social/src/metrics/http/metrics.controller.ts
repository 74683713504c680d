import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { HasId, PathId, Returns } from '@atrium/platform/http';
import { PostMetrics, type VariantMetrics } from '../application/post-metrics.service';
import { ListPostMetrics, PostMetricsPage, PostMetricsView } from './metrics.dto';

/** Numbers of published posts. */
@ApiTags('Social')
@Controller('social-posts/:id/metrics')
export class PostMetricsController {
  constructor(private readonly metrics: PostMetrics) {}

  /**
   * Lists the numbers of a social post by variant.
   *
   * They are read 1, 6 and 24 hours and 3, 7 and 30 days after publishing, where the connection allows it.
   */
  @Get()
  @HasId('id', 'Id of the post.')
  @Policy({ any: ['social:view'], license: 'module-social-post' })
  @Returns(PostMetricsPage, 'The variants with their numbers.')
  async list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListPostMetrics): Promise<Page<VariantMetrics>> {
    return pageOfRows(PostMetricsView, await this.metrics.listMetrics(caller, id, query), query, ({ spv_id }) => spv_id);
  }
}
