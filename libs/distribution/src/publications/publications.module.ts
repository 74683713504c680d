import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { MediaModule } from '@atrium/media';
import { JobsModule } from '@atrium/platform/messaging';
import { DueChanges } from './application/due-changes';
import { EdgePolicies } from './application/edge-policies';
import { PublicBytes } from './application/public-bytes';
import { PublicCopies } from './application/public-copies';
import { PublicationAnswers } from './application/publication-answers.service';
import { PublicationBatches } from './application/publication-batches';
import { PublicationDrafts } from './application/publication-drafts.service';
import { PublicationFollowing } from './application/publication-following';
import { PublicationHits } from './application/publication-hits';
import { PublicationJournal } from './application/publication-journal';
import { PublicationReaching } from './application/publication-reaching';
import { PublicationSearchField } from './application/publication-search-field';
import { PublicationsOfPeople } from './application/publications-of-people';
import { PublicationsService } from './application/publications.service';
import { PublishedFiles } from './application/published-files';
import { ReleaseGate } from './application/release-gate';
import { ServedChanges } from './application/served-changes';
import { PublicationsOfFiles } from './infrastructure/publications-of-files';
import { WorkspacePublications } from './application/workspace-publications';
import { DistributionControlHttpModule, DistributionControlModule } from '../control/control.module';
import { FilePublicationController } from './http/file-publication.controller';
import { PublicBytesEndpoint } from './http/public-bytes.endpoint';
import { PublicationsController } from './http/publications.controller';
import { EdgeSyncRows } from './infrastructure/edge-syncs.rows';
import { publicationEdges } from './infrastructure/outside-edges';
import { PublicationHistoryRows } from './infrastructure/publication-history.rows';
import { PublicationStatRows } from './infrastructure/publication-stats.rows';
import { publicStore } from './infrastructure/public-store';
import { PublicationsRepository } from './infrastructure/publications.repository';
import { ServedPublications } from './infrastructure/served-publications.rows';
import { PublicationsHandler } from './jobs/publications.handler';
import { copy, policy, quarantined, served, window } from './jobs/publications.jobs';
import { PublicationsSchedule } from './jobs/publications.schedule';
import { ServedChangesHandler } from './jobs/served-changes.handler';

const PUBLICATIONS: Provider[] = [
  publicStore,
  publicationEdges,
  DueChanges,
  EdgePolicies,
  EdgeSyncRows,
  PublicCopies,
  PublicationAnswers,
  PublicationBatches,
  PublicationDrafts,
  PublicationFollowing,
  PublicationHistoryRows,
  PublicationJournal,
  PublicationReaching,
  PublicationSearchField,
  PublicationStatRows,
  PublicationsOfPeople,
  PublicationsRepository,
  PublicationsService,
  PublishedFiles,
  ReleaseGate,
  ServedChanges,
  PublicationsOfFiles,
  WorkspacePublications,
];

/** Public copies of files at permanent addresses. */
@Module({ imports: [FilesModule, MediaModule, DistributionControlModule], providers: PUBLICATIONS, exports: PUBLICATIONS })
export class PublicationsModule {}

/** Its routes, and the public bytes that this process serves. */
@Module({
  imports: [PublicationsModule, DistributionControlModule, DistributionControlHttpModule],
  controllers: [PublicationsController, FilePublicationController],
  providers: [PublicBytes, PublicBytesEndpoint, PublicationHits, ServedPublications],
})
export class PublicationsHttpModule {}

/** Its background work: copies, windows, edges. */
@Module({
  imports: [PublicationsModule, JobsModule.define([copy, policy, window, quarantined, served])],
  providers: [PublicationsHandler, PublicationsSchedule, ServedChangesHandler],
})
export class PublicationsWorkerModule {}
