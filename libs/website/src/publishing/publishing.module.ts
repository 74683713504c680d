import { Module, type Provider } from '@nestjs/common';
import { ApprovalsModule } from '@atrium/approvals';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { NodesModule } from '../nodes/nodes.module';
import { ContentSchemasModule } from '../schemas/schemas.module';
import { SitesModule } from '../sites/sites.module';
import { DueSchedules } from './application/due-schedules';
import { ErasedPages } from './application/erased-pages';
import { LiveChanges } from './application/live-changes';
import { PreviewLinksService } from './application/preview-links.service';
import { PublicationRetention } from './application/publication-retention';
import { PublishChecks } from './application/publish-checks';
import { PublishService } from './application/publish.service';
import { PublishedElsewhere } from './application/published-elsewhere';
import { Publishing } from './application/publishing';
import { RedirectsService } from './application/redirects.service';
import { SchedulesService } from './application/schedules.service';
import { SnapshotIndex } from './application/snapshot-index';
import { Snapshots } from './application/snapshots';
import { PublishingController } from './http/publishing.controller';
import { PreviewLinksController, RedirectsController, SchedulesController } from './http/site-plans.controller';
import { ClosedPagesRows } from './infrastructure/closed-pages.rows';
import { LivePagesRows } from './infrastructure/live-pages.rows';
import { PreviewLinksRepository } from './infrastructure/preview-links.repository';
import { RedirectsRepository } from './infrastructure/redirects.repository';
import { SchedulesRepository } from './infrastructure/schedules.repository';
import { SnapshotsRows } from './infrastructure/snapshots.rows';
import { PublishHandler } from './jobs/publish.handler';
import { publishScheduled } from './jobs/publish.jobs';
import { PublishSchedules } from './jobs/publish.schedule';

const PUBLISHING: Provider[] = [
  ClosedPagesRows,
  DueSchedules,
  ErasedPages,
  LiveChanges,
  LivePagesRows,
  PreviewLinksRepository,
  PreviewLinksService,
  PublicationRetention,
  PublishChecks,
  PublishService,
  PublishedElsewhere,
  Publishing,
  RedirectsRepository,
  RedirectsService,
  SchedulesRepository,
  SchedulesService,
  SnapshotIndex,
  Snapshots,
  SnapshotsRows,
];

/** What is live of a site, when it goes live, and where its former addresses lead. */
@Module({
  imports: [
    ApprovalsModule,
    ContentSchemasModule,
    FilesModule,
    FormsModule,
    GovernanceModule,
    IdentityModule,
    MediaModule,
    NodesModule,
    SitesModule,
  ],
  providers: PUBLISHING,
  exports: PUBLISHING,
})
export class PublishingModule {}

/** Their routes. */
@Module({
  imports: [PublishingModule],
  controllers: [PreviewLinksController, PublishingController, RedirectsController, SchedulesController],
})
export class PublishingHttpModule {}

/** Their background work. */
@Module({ imports: [PublishingModule, JobsModule.define([publishScheduled])], providers: [PublishHandler, PublishSchedules] })
export class PublishingWorkerModule {}
