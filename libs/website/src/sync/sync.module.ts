import { Module, type Provider } from '@nestjs/common';
import { ApprovalsModule } from '@atrium/approvals';
import { FilesModule } from '@atrium/files';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule } from '@atrium/identity';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { OutboundModule } from '@atrium/platform/outbound';
import { NodesModule } from '../nodes/nodes.module';
import { PublishingModule } from '../publishing/publishing.module';
import { ContentSchemasModule } from '../schemas/schemas.module';
import { SitesModule } from '../sites/sites.module';
import { AssetSending } from './application/asset-sending';
import { CmsElsewhere } from './application/cms-elsewhere';
import { CmsMails } from './application/cms-mails';
import { CmsSessions } from './application/cms-sessions';
import { CompareStep } from './application/compare-step';
import { ConnectionHealth } from './application/connection-health';
import { ConnectionViews } from './application/connection-views';
import { ConnectionsService } from './application/connections.service';
import { ListStep } from './application/list-step';
import { LocalPages } from './application/local-pages';
import { MirrorLibrary } from './application/mirror-library';
import { NightlyTimes } from './application/nightly-times';
import { NodePages } from './application/node-pages';
import { NodeWriting } from './application/node-writing';
import { PageComparison } from './application/page-comparison';
import { PageMoves } from './application/page-moves';
import { PagePairing } from './application/page-pairing';
import { PageSyncService } from './application/page-sync.service';
import { PlanStep } from './application/plan-step';
import { PlanService } from './application/plan.service';
import { PullPage } from './application/pull-page';
import { PushPage } from './application/push-page';
import { SyncRunSource } from './application/run-source';
import { RunStarts } from './application/run-starts';
import { RunViews } from './application/run-views';
import { RunWaiting } from './application/run-waiting';
import { RunsService } from './application/runs.service';
import { ScanService } from './application/scan.service';
import { SchemaExchange } from './application/schema-exchange';
import { SchemaSyncService } from './application/schema-sync.service';
import { SyncPass } from './application/sync-pass';
import { SyncRetention } from './application/sync-retention';
import { SyncRuns } from './application/sync-runs';
import { SyncService } from './application/sync.service';
import { TurnStep } from './application/turn-step';
import { UnattendedSync } from './application/unattended-sync';
import { WebhooksService } from './application/webhooks.service';
import { CmsPorts } from './domain/cms-ports';
import { CmsController, CmsProvidersController } from './http/cms.controller';
import { CmsHooksEndpoint } from './http/hooks.endpoint';
import { CmsSyncRunsController } from './http/runs.controller';
import { CmsSyncController } from './http/sync.controller';
import { CmsAdapters } from './infrastructure/cms-adapters';
import { CmsComponentRows } from './infrastructure/cms-components.rows';
import { CmsConnectionsRepository } from './infrastructure/cms-connections.repository';
import { CmsHosts } from './infrastructure/cms-hosts';
import { CmsHttp } from './infrastructure/cms-http';
import { CmsLinksRepository } from './infrastructure/cms-links.repository';
import { ContentfulApi } from './infrastructure/contentful/contentful-api';
import { ContentfulPort } from './infrastructure/contentful/contentful-port';
import { ContentfulReader } from './infrastructure/contentful/contentful-reader';
import { ContentfulWebhooks } from './infrastructure/contentful/contentful-webhooks';
import { ContentfulWriter } from './infrastructure/contentful/contentful-writer';
import { LibrarySchemaRows } from './infrastructure/library-schemas.rows';
import { LocalSummaryRows } from './infrastructure/local-summaries.rows';
import { RunPageRows } from './infrastructure/run-pages.rows';
import { StoryblokApi } from './infrastructure/storyblok/storyblok-api';
import { StoryblokPort } from './infrastructure/storyblok/storyblok-port';
import { StoryblokStories } from './infrastructure/storyblok/storyblok-stories';
import { SyncRunsRepository } from './infrastructure/sync-runs.repository';
import { NightlySchedule } from './jobs/nightly.schedule';
import { SyncHandler } from './jobs/sync.handler';
import { readCmsNews, resumeSync, syncSite } from './jobs/sync.jobs';

const ADAPTERS: Provider[] = [
  CmsHosts,
  CmsHttp,
  ContentfulApi,
  ContentfulPort,
  ContentfulReader,
  ContentfulWebhooks,
  ContentfulWriter,
  StoryblokApi,
  StoryblokPort,
  StoryblokStories,
  { provide: CmsPorts, useClass: CmsAdapters },
];

const SYNC: Provider[] = [
  AssetSending,
  CmsComponentRows,
  CmsConnectionsRepository,
  CmsElsewhere,
  CmsLinksRepository,
  CmsMails,
  CmsSessions,
  CompareStep,
  ConnectionHealth,
  ConnectionsService,
  ConnectionViews,
  LibrarySchemaRows,
  ListStep,
  LocalSummaryRows,
  MirrorLibrary,
  NightlyTimes,
  NodeWriting,
  PageComparison,
  PageMoves,
  PagePairing,
  PageSyncService,
  PlanService,
  PlanStep,
  PullPage,
  PushPage,
  RunPageRows,
  RunsService,
  RunStarts,
  RunViews,
  RunWaiting,
  ScanService,
  SchemaExchange,
  SchemaSyncService,
  SyncPass,
  SyncRetention,
  SyncRuns,
  SyncRunsRepository,
  SyncRunSource,
  SyncService,
  TurnStep,
  UnattendedSync,
  WebhooksService,
  { provide: LocalPages, useClass: NodePages },
];

/** Synchronization of sites with content management systems. */
@Module({
  imports: [
    ApprovalsModule,
    ContentSchemasModule,
    FilesModule,
    GovernanceModule,
    IdentityModule,
    MediaModule,
    NodesModule,
    OutboundModule,
    PublishingModule,
    SitesModule,
  ],
  providers: [...ADAPTERS, ...SYNC],
  exports: SYNC,
})
export class CmsSyncModule {}

/** Their routes. */
@Module({
  imports: [CmsSyncModule],
  controllers: [CmsController, CmsProvidersController, CmsSyncController, CmsSyncRunsController],
  providers: [CmsHooksEndpoint],
})
export class CmsSyncHttpModule {}

/** Their background work. */
@Module({ imports: [CmsSyncModule, JobsModule.define([syncSite, resumeSync, readCmsNews])], providers: [NightlySchedule, SyncHandler] })
export class CmsSyncWorkerModule {}
