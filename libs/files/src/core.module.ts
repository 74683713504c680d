import { Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { RetentionPolicies, WorkspaceStores } from '@atrium/governance';
import { WorkspaceFiles, WorkspaceOptions } from '@atrium/identity';
import { Edge } from '@atrium/platform/http';
import { JobsModule } from '@atrium/platform/messaging';
import { DiskStoreEndpoint, StoreRoutes } from '@atrium/platform/storage';
import { ArchiveAccount } from './application/archive-account';
import { ArchiveContents } from './application/archive-contents';
import { Archives } from './application/archives';
import { BlobLeftovers } from './application/blob-leftovers';
import { BlobObjects } from './application/blob-objects';
import { BlobStore } from './application/blobs.service';
import { DownloadJobs } from './application/download-jobs.service';
import { DownloadContents } from './application/download-contents';
import { DownloadPacking } from './application/download-packing';
import { Downloads } from './application/downloads';
import { EditableFiles } from './application/editable-files';
import { Favorites } from './application/favorites';
import { FileAccess } from './application/file-access';
import { HistoryWriter } from './application/file-history';
import { FileEdits } from './application/file-edits';
import { FileLifecycle } from './application/file-lifecycle';
import { FileOwners } from './application/file-owners';
import { FileQueries } from './application/file-queries';
import { NamedInHistory } from './application/named-in-history';
import { FileReferences } from './application/file-references';
import { FileStatuses } from './application/file-statuses';
import { DescribedFiles } from './application/described-files';
import { FileSummaries } from './application/file-summaries';
import { FileTimeline } from './application/file-timeline';
import { FilesOfMembers } from './application/files-of-members';
import { FilesOfPeople } from './application/files-of-people';
import { FilesService } from './application/files.service';
import { FileFieldReferences } from './application/file-field-references';
import { FilesAcross } from './application/files-across';
import { FileHolds } from './application/file-holds';
import { FileRetention } from './application/file-retention';
import { LibraryFiles } from './application/library-files';
import { LibraryTallies } from './application/library-tallies';
import { KnownLosses } from './application/known-losses';
import { KnownPages } from './application/known-pages';
import { NamedFiles } from './application/named-files';
import { FoundFiles } from './application/found-files';
import { ReadableFiles } from './application/readable-files';
import { NewDocuments } from './application/new-documents';
import { NextVersions } from './application/next-versions';
import { ReleasableFiles } from './application/releasable-files';
import { BlobInspections } from './application/ingest-inspection';
import { IngestFindings } from './application/ingest-findings';
import { IngestReading } from './application/ingest-reading';
import { IngestSettling } from './application/ingest-settling';
import { IngestSubjects } from './application/ingest-subjects';
import { Ingest } from './application/ingest.service';
import { PictureAccount } from './application/picture-account';
import { StorageAccount } from './application/storage-account';
import { Sweep } from './application/sweep.service';
import { Trash } from './application/trash';
import { ChosenTrashRetention, TrashRetention, trashRetentionOption } from './application/trash-retention';
import { TrashMoves } from './application/trash-moves';
import { UploadedFiles } from './application/uploaded-files';
import { UploadExtensions } from './application/uploads-extensions';
import { UploadBytes } from './application/upload-bytes';
import { UploadPlans } from './application/upload-plans';
import { UploadFinalizer } from './application/uploads-finalize.service';
import { UploadStorage } from './application/uploads-storage';
import { UploadsService } from './application/uploads.service';
import { VersionNews } from './application/version-news';
import { VersionRoom } from './application/version-room';
import { VersionWriter } from './application/versions-writer';
import { VersionsService } from './application/versions.service';
import { WorkspaceHoldings } from './application/workspace-holdings';
import { FILE_LIFE_CONTROLLERS, FILE_LIFE_CORE, FILE_LIFE_WORKER } from './file-life';
import { LIKENESS_CONTROLLERS, LIKENESS_CORE } from './likeness';
import { DownloadJobsController } from './http/download-jobs.controller';
import { DownloadsController } from './http/downloads.controller';
import { FileDeletionController } from './http/file-deletion.controller';
import { FileVersionsController } from './http/file-versions.controller';
import { FilesController } from './http/files.controller';
import { NewDocumentsController } from './http/new-documents.controller';
import { TrashController } from './http/trash.controller';
import { UploadsController } from './http/uploads.controller';
import { VersionUploadsController } from './http/version-uploads.controller';
import { InspectionWorkerModule } from './inspection/inspection.module';
import { BlobReader } from './infrastructure/blobs-reader';
import { BlobsRepository } from './infrastructure/blobs.repository';
import { DownloadJobsRepository } from './infrastructure/download-jobs.repository';
import { FilesRepository } from './infrastructure/files.repository';
import { TrashRows } from './infrastructure/trash-rows';
import { RetainedVersions } from './infrastructure/retained-versions';
import { UploadsRepository } from './infrastructure/uploads.repository';
import { VersionRows } from './infrastructure/version-rows';
import { VersionsRepository } from './infrastructure/versions.repository';
import { ArchiveHandler } from './jobs/archive.handler';
import { zip } from './jobs/archive.jobs';
import { bulk } from './jobs/bulk.jobs';
import { DiscardedHandler } from './jobs/discarded.handler';
import { discarded } from './jobs/discarded.jobs';
import { UnreadFiles } from './application/unread-files';
import { ingest } from './jobs/files.jobs';
import { IngestHandler } from './jobs/ingest.handler';
import { SweepSchedule } from './jobs/sweep.handler';
import { TalliesSchedule } from './jobs/tallies.schedule';
import { verify } from './jobs/verify.jobs';

const CORE: Provider[] = [
  ArchiveAccount,
  ArchiveContents,
  Archives,
  BlobsRepository,
  BlobObjects,
  BlobStore,
  DownloadContents,
  DownloadJobs,
  DownloadJobsRepository,
  Downloads,
  ...FILE_LIFE_CORE,
  EditableFiles,
  Favorites,
  FileAccess,
  FileEdits,
  FileFieldReferences,
  FileHolds,
  FileLifecycle,
  FileOwners,
  FileQueries,
  FileReferences,
  NamedInHistory,
  FileRetention,
  FilesAcross,
  FilesRepository,
  FilesOfMembers,
  FilesOfPeople,
  FilesService,
  FileStatuses,
  DescribedFiles,
  FileSummaries,
  FileTimeline,
  HistoryWriter,
  LibraryFiles,
  LibraryTallies,
  KnownLosses,
  KnownPages,
  ...LIKENESS_CORE,
  NamedFiles,
  FoundFiles,
  ReadableFiles,
  NewDocuments,
  NextVersions,
  PictureAccount,
  ReleasableFiles,
  RetainedVersions,
  { provide: TrashRetention, useClass: ChosenTrashRetention },
  StorageAccount,
  Trash,
  TrashMoves,
  TrashRows,
  UploadBytes,
  UploadedFiles,
  UploadExtensions,
  UploadFinalizer,
  UploadPlans,
  UploadsRepository,
  UploadsService,
  UploadStorage,
  VersionNews,
  VersionRoom,
  VersionRows,
  VersionsRepository,
  VersionsService,
  VersionWriter,
  WorkspaceHoldings,
];

/** Files and their bytes: what every host of this context needs, and the ports other contexts register with. */
@Module({ imports: [FormsModule], providers: CORE, exports: CORE })
export class FilesCoreModule implements OnModuleInit {
  constructor(
    private readonly named: NamedFiles,
    private readonly namable: WorkspaceFiles,
    private readonly options: WorkspaceOptions,
    private readonly stores: WorkspaceStores,
    private readonly routes: StoreRoutes,
    private readonly policies: RetentionPolicies,
  ) {}

  onModuleInit(): void {
    this.routes.register((provider) => this.stores.open(provider));
    this.namable.register(this.named);
    this.options.register(trashRetentionOption(this.policies));
  }
}

/** Its routes, and the signed addresses of the disk store if bytes are stored on disk. */
@Module({
  imports: [FilesCoreModule],
  controllers: [
    FileVersionsController,
    VersionUploadsController,
    UploadsController,
    DownloadJobsController,
    DownloadsController,
    ...FILE_LIFE_CONTROLLERS,
    ...LIKENESS_CONTROLLERS,
    FilesController,
    NewDocumentsController,
    FileDeletionController,
    TrashController,
  ],
})
export class FilesCoreHttpModule implements OnModuleInit {
  constructor(
    private readonly edge: Edge,
    @Inject(DiskStoreEndpoint) private readonly storage: DiskStoreEndpoint | null,
  ) {}

  onModuleInit(): void {
    if (this.storage) this.edge.mount(this.storage);
  }
}

/** Its background work. */
@Module({
  imports: [FilesCoreModule, InspectionWorkerModule, JobsModule.define([ingest, zip, bulk, verify, discarded])],
  providers: [
    ...FILE_LIFE_WORKER,
    ArchiveHandler,
    BlobInspections,
    BlobLeftovers,
    BlobReader,
    DownloadPacking,
    Ingest,
    IngestFindings,
    IngestReading,
    IngestSettling,
    IngestSubjects,
    UnreadFiles,
    DiscardedHandler,
    IngestHandler,
    Sweep,
    SweepSchedule,
    TalliesSchedule,
  ],
})
export class FilesCoreWorkerModule {}
