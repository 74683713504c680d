import { Module } from '@nestjs/common';
import { CmsSyncHttpModule, CmsSyncModule, CmsSyncWorkerModule } from './sync/sync.module';
import { ContentSchemasHttpModule, ContentSchemasModule, ContentSchemasWorkerModule } from './schemas/schemas.module';
import { DeliveryHttpModule, DeliveryModule, DeliveryWorkerModule } from './delivery/delivery.module';
import { NodesHttpModule, NodesModule, NodesWorkerModule } from './nodes/nodes.module';
import { PageApprovalHttpModule, PageApprovalModule, PageApprovalWorkerModule } from './approval/approval.module';
import { PublishingHttpModule, PublishingModule, PublishingWorkerModule } from './publishing/publishing.module';
import { SharedModule } from './shared/shared.module';
import { SitesHttpModule, SitesModule, SitesWorkerModule } from './sites/sites.module';

const AREAS = [
  CmsSyncModule,
  ContentSchemasModule,
  DeliveryModule,
  NodesModule,
  PageApprovalModule,
  PublishingModule,
  SharedModule,
  SitesModule,
];
const ROUTES = [
  CmsSyncHttpModule,
  ContentSchemasHttpModule,
  DeliveryHttpModule,
  NodesHttpModule,
  PageApprovalHttpModule,
  PublishingHttpModule,
  SitesHttpModule,
];
const WORK = [
  CmsSyncWorkerModule,
  ContentSchemasWorkerModule,
  DeliveryWorkerModule,
  NodesWorkerModule,
  PageApprovalWorkerModule,
  PublishingWorkerModule,
  SitesWorkerModule,
];

/** Websites: sites, their pages, what is live of them, and the schemas of their content. */
@Module({ imports: AREAS, exports: AREAS })
export class WebsiteModule {}

/** Its routes. */
@Module({ imports: [WebsiteModule, ...ROUTES] })
export class WebsiteHttpModule {}

/** Its background work. */
@Module({ imports: [WebsiteModule, ...WORK] })
export class WebsiteWorkerModule {}
