import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { EdgePolicies } from './application/edge-policies';
import { PublicAddresses } from './application/public-addresses';
import { PublicBytes } from './application/public-bytes';
import { PublicCopies } from './application/public-copies';
import { PublicationBatches } from './application/publication-batches';
import { PUBLICATION_EDGES } from './application/publication-edge';
import { PublicationFollowing } from './application/publication-following';
import { PublicationHits } from './application/publication-hits';
import { PublicationJournal } from './application/publication-journal';
import { PublicationReaching } from './application/publication-reaching';
import { PublicationSearchField } from './application/publication-search-field';
import { PublicationStats } from './application/publication-stats';
import { PublicationsOfPeople } from './application/publications-of-people';
import { PublicationsService } from './application/publications.service';
import { PublishedBytes } from './application/published-bytes';
import { PublishedFiles } from './application/published-files';
import { ServedChanges } from './application/served-changes';
import { PublicationsOfFiles } from './application/publications-of-files';
import { WorkspacePublications } from './application/workspace-publications';
import { DistributionControlHttpModule, DistributionControlModule } from '../control/control.module';
import { FilePublicationController } from './http/file-publication.controller';
import { PublicBytesEndpoint } from './http/public-bytes.endpoint';
import { PublicationsController } from './http/publications.controller';
import { edgesOf } from './infrastructure/outside-edges';
import { publicStore } from './infrastructure/public-store';
import { PublicationsRepository } from './infrastructure/publications.repository';
import { ServedPublications } from './infrastructure/served-publications.rows';
import { PublicationsHandler } from './jobs/publications.handler';
import { copy, policy, quarantined, served, window } from './jobs/publications.jobs';
import { PublicationsSchedule } from './jobs/publications.schedule';
import { ServedChangesHandler } from './jobs/served-changes.handler';

const CORE: Provider[] = [
  publicStore,
  edgesOf(PUBLICATION_EDGES),
  EdgePolicies,
  PublicAddresses,
  PublicCopies,
  PublicationBatches,
  PublicationFollowing,
  PublicationJournal,
  PublicationReaching,
  PublicationSearchField,
  PublicationStats,
  PublicationsOfPeople,
  PublicationsRepository,
  PublicationsService,
  PublishedBytes,
  PublishedFiles,
  ServedChanges,
  PublicationsOfFiles,
  WorkspacePublications,
];

/** Public copies of files at permanent addresses. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: CORE, exports: CORE })
export class PublicationsModule {}

/** The routes of publications, and their public bytes. */
@Module({
  imports: [PublicationsModule, DistributionControlHttpModule, DistributionControlModule],
  controllers: [PublicationsController, FilePublicationController],
  providers: [PublicBytes, PublicBytesEndpoint, PublicationHits, ServedPublications],
})
export class PublicationsHttpModule {}

/** What publications have done in the background: copies, windows, edges. */
@Module({
  imports: [PublicationsModule, JobsModule.define([copy, policy, window, quarantined, served])],
  providers: [PublicationsHandler, PublicationsSchedule, ServedChangesHandler],
})
export class PublicationsWorkerModule {}
