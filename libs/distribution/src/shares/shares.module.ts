import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { DistributionOfPeople } from './application/distribution-of-people';
import { GuestBytes } from './application/guest-bytes';
import { GuestFiles } from './application/guest-files';
import { GuestTags } from './application/guest-tags';
import { GuestUploads } from './application/guest-uploads.service';
import { KioskVisits } from './application/kiosk-visits';
import { IssuedShareLinks } from './application/issued-share-links.service';
import { ShareActivity } from './application/share-activity.service';
import { ShareAddresses } from './application/share-addresses';
import { ShareAnswers } from './application/share-answers';
import { ShareArchives } from './application/share-archives.service';
import { ShareBrand } from './application/share-brand';
import { ShareContents } from './application/share-contents';
import { ShareDownloads } from './application/share-downloads.service';
import { ShareEvaluation } from './application/share-evaluation';
import { ShareEventsRetention } from './application/share-events-retention';
import { ShareFiles } from './application/share-files';
import { ShareGate } from './application/share-gate';
import { ShareIncoming } from './application/share-incoming.service';
import { ShareJournal } from './application/share-journal';
import { ShareLinks } from './application/share-links.service';
import { ShareCreators } from './application/share-creators';
import { ShareNotices } from './application/share-notices';
import { ShareOverview } from './application/share-overview.service';
import { SharePacking } from './application/share-packing';
import { SharePictures } from './application/share-pictures';
import { ShareReferences } from './application/share-references';
import { ShareSearchField } from './application/share-search-field';
import { ShareSecrets } from './application/share-secrets';
import { ShareTargets } from './application/share-targets';
import { ShareTerms } from './application/share-terms';
import { ShareThrottle } from './application/share-throttle';
import { ShareUnlocking } from './application/share-unlocking.service';
import { SharesInHistory } from './infrastructure/shares-in-history';
import { ShareVerdicts } from './application/share-verdicts.service';
import { ShareViewing } from './application/share-viewing.service';
import { WorkspaceDistribution } from './application/workspace-distribution';
import { DistributionControlHttpModule, DistributionControlModule } from '../control/control.module';
import { GuestBytesEndpoint } from './http/guest-bytes.endpoint';
import { GuestDoors } from './http/guest-doors';
import { IssuedShareLinksController } from './http/issued-share-links.controller';
import { PublicKiosksController } from './http/public-kiosks.controller';
import { PublicSharesController } from './http/public-shares.controller';
import { PublicUploadsController } from './http/public-uploads.controller';
import { GuestCalls } from './http/share-call';
import { ShareLinksController } from './http/share-links.controller';
import { SharePages } from './http/share-pages';
import { KioskDevices } from './infrastructure/kiosk-devices.rows';
import { ShareDownloadRows } from './infrastructure/share-downloads.rows';
import { ShareEvents } from './infrastructure/share-events.rows';
import { ShareLinksRepository } from './infrastructure/share-links.repository';
import { ShareUploadsRepository } from './infrastructure/share-uploads.repository';
import { ShareVerdictRows } from './infrastructure/share-verdict.rows';
import { ShareLinksHandler } from './jobs/share-links.handler';
import { guestFile, notify } from './jobs/share-links.jobs';

const SHARES: Provider[] = [
  DistributionOfPeople,
  GuestBytes,
  GuestFiles,
  GuestTags,
  GuestUploads,
  IssuedShareLinks,
  KioskDevices,
  KioskVisits,
  ShareActivity,
  ShareAddresses,
  ShareAnswers,
  ShareArchives,
  ShareBrand,
  ShareContents,
  ShareDownloadRows,
  ShareDownloads,
  ShareEvaluation,
  ShareEvents,
  ShareEventsRetention,
  ShareFiles,
  ShareGate,
  ShareIncoming,
  ShareJournal,
  ShareLinks,
  ShareLinksRepository,
  ShareCreators,
  ShareNotices,
  ShareOverview,
  SharePacking,
  SharePictures,
  ShareReferences,
  ShareSearchField,
  ShareSecrets,
  ShareTargets,
  ShareTerms,
  ShareThrottle,
  ShareUnlocking,
  ShareUploadsRepository,
  ShareVerdictRows,
  SharesInHistory,
  ShareVerdicts,
  ShareViewing,
  WorkspaceDistribution,
];

/** Links that show files to guests, or collect files from them. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: SHARES, exports: SHARES })
export class ShareLinksModule {}

/** Its routes, of makers and of guests. */
@Module({
  imports: [ShareLinksModule, DistributionControlHttpModule],
  controllers: [ShareLinksController, IssuedShareLinksController, PublicSharesController, PublicUploadsController, PublicKiosksController],
  providers: [GuestBytesEndpoint, GuestCalls, GuestDoors, SharePages],
})
export class ShareLinksHttpModule {}

/** Its background work. */
@Module({ imports: [ShareLinksModule, JobsModule.define([notify, guestFile])], providers: [ShareLinksHandler] })
export class ShareLinksWorkerModule {}
