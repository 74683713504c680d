import { Module } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { ConnectionsModule } from '../connections/connections.module';
import { PostsModule } from '../posts/posts.module';
import { SendingModule } from '../sending/sending.module';
import { MetricReadings } from './application/metric-readings';
import { PostMetrics } from './application/post-metrics.service';
import { PostMetricsController } from './http/metrics.controller';
import { MetricRows } from './infrastructure/metrics.rows';
import { MetricsHandler } from './jobs/metrics.handler';
import { readMetrics } from './jobs/metrics.jobs';

/** Numbers of published posts. */
@Module({ imports: [PostsModule], providers: [MetricRows, PostMetrics], exports: [MetricRows, PostMetrics] })
export class MetricsModule {}

/** Their route. */
@Module({ imports: [MetricsModule], controllers: [PostMetricsController] })
export class MetricsHttpModule {}

/** How they are read. */
@Module({
  imports: [ConnectionsModule, MetricsModule, PostsModule, SendingModule, JobsModule.define([readMetrics])],
  providers: [MetricReadings, MetricsHandler],
})
export class MetricsWorkerModule {}
