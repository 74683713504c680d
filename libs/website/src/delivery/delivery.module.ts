import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { MediaModule } from '@atrium/media';
import { NodesModule } from '../nodes/nodes.module';
import { PublishingModule } from '../publishing/publishing.module';
import { DeliveryGate } from './application/delivery-gate';
import { DraftDelivery } from './application/draft-delivery';
import { KnownPages } from './application/known-pages';
import { PageDelivery } from './application/page-delivery';
import { PageLists } from './application/page-lists';
import { PageRendering } from './application/page-rendering';
import { PageTexts } from './application/page-texts';
import { SiteAssets } from './application/site-assets';
import { SiteOverview } from './application/site-overview';
import { SiteTexts } from './application/site-texts';
import { DeliveryController } from './http/delivery.controller';
import { KnownAddressesEndpoint } from './http/known-addresses.endpoint';
import { PageAnswers } from './http/page-answers';
import { SiteFilesEndpoint } from './http/site-files.endpoint';
import { DeliveredPagesRows } from './infrastructure/delivered-pages.rows';
import { DeliveredSitesRows } from './infrastructure/delivered-sites.rows';
import { DraftPlacesRows } from './infrastructure/draft-places.rows';

const DELIVERY: Provider[] = [
  DeliveredPagesRows,
  DeliveredSitesRows,
  DeliveryGate,
  DraftDelivery,
  DraftPlacesRows,
  KnownPages,
  PageDelivery,
  PageLists,
  PageRendering,
  PageTexts,
  SiteAssets,
  SiteOverview,
  SiteTexts,
];

/** What visitors get of sites. */
@Module({ imports: [FilesModule, FormsModule, MediaModule, NodesModule, PublishingModule], providers: DELIVERY, exports: DELIVERY })
export class DeliveryModule {}

/** Its routes, and its addresses outside of the API. */
@Module({
  imports: [DeliveryModule],
  controllers: [DeliveryController],
  providers: [KnownAddressesEndpoint, PageAnswers, SiteFilesEndpoint],
})
export class DeliveryHttpModule {}

/** It has no background work. */
@Module({ imports: [DeliveryModule] })
export class DeliveryWorkerModule {}
