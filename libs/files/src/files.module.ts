import { availableParallelism } from 'node:os';
import { Inject, Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { RetentionPolicies, WorkspaceStores } from '@atrium/governance';
import { WorkspaceFiles, WorkspaceOptions } from '@atrium/identity';
import { Settings } from '@atrium/platform/config';
import { Edge } from '@atrium/platform/http';
import { SECOND } from '@atrium/platform/kernel';
import { JobsModule } from '@atrium/platform/messaging';
import { DiskStoreEndpoint, StoreRoutes } from '@atrium/platform/storage';
import { ArchiveContents } from './application/archive-contents';
import { Archives } from './application/archives';
import { BlobObjects } from './application/blob-objects';
import { BlobStore } from './application/blobs.service';
import { DownloadJobs } from './application/download-jobs.service';
import { DownloadPacking } from './application/download-packing';
import { Downloads } from './application/downloads';
import { Favorites } from './application/favorites';
import { FileAccess } from './application/file-access';
import { HistoryWriter } from './application/file-history';
import { FileEdits } from './application/file-edits';
import { FileLifecycle } from './application/file-lifecycle';
import { FileOwners } from './application/file-owners';
import { FileQueries } from './application/file-queries';
import { FileReferences } from './application/file-references';
import { FileStatuses } from './application/file-statuses';
import { DescribedFiles } from './application/described-files';
import { FileSummaries } from './application/file-summaries';
import { FileTimeline } from './application/file-timeline';
import { FilesOfMembers } from './application/files-of-members';
import { FilesOfPeople } from './application/files-of-people';
import { FilesService } from './application/files.service';
import { FileHolds } from './application/file-holds';
import { FileRetention } from './application/file-retention';
import { LibraryFiles } from './application/library-files';
import { LibraryTallies } from './application/library-tallies';
import { NamedFiles } from './application/named-files';
import { ReadableFiles } from './application/readable-files';
import { ReleasableFiles } from './application/releasable-files';
import { BlobInspections } from './application/ingest-inspection';
import { Ingest } from './application/ingest.service';
import { SavedSearches } from './application/search/saved-searches';
import { SavedSearchUses } from './application/search/saved-search-uses';
import { FileSearchFields } from './application/search/file-search-fields';
import { SearchFields } from './application/search/search-fields';
import { SearchLanguage } from './application/search/search-language';
import { SearchPreview } from './application/search/search-preview';
import { FileSearchText } from './application/search/text-search';
import { StorageAccount } from './application/storage-account';
import { Sweep } from './application/sweep.service';
import { Trash } from './application/trash';
import { ChosenTrashRetention, TrashRetention, trashRetentionOption } from './application/trash-retention';
import { UploadExtensions } from './application/uploads-extensions';
import { UploadBytes } from './application/upload-bytes';
import { UploadFinalizer } from './application/uploads-finalize.service';
import { UploadStorage } from './application/uploads-storage';
import { UploadsService } from './application/uploads.service';
import { VersionWriter } from './application/versions-writer';
import { VersionsService } from './application/versions.service';
import { WorkspaceHoldings } from './application/workspace-holdings';
import { FILE_LIFE_CONTROLLERS, FILE_LIFE_CORE, FILE_LIFE_WORKER } from './file-life';
import { LIKENESS_CONTROLLERS, LIKENESS_CORE } from './likeness';
import { DownloadJobsController } from './http/download-jobs.controller';
import { DownloadsController } from './http/downloads.controller';
import { FileVersionsController } from './http/file-versions.controller';
import { FilesController } from './http/files.controller';
import { SavedSearchesController } from './http/saved-searches.controller';
import { TrashController } from './http/trash.controller';
import { UploadsController } from './http/uploads.controller';
import { BlobReader } from './infrastructure/blobs-reader';
import { BlobsRepository } from './infrastructure/blobs.repository';
import { DownloadJobsRepository } from './infrastructure/download-jobs.repository';
import { FilesRepository } from './infrastructure/files.repository';
import { MediaInspector } from './infrastructure/inspection';
import { SavedSearchesRepository } from './infrastructure/saved-searches.repository';
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
import { watermark } from './jobs/watermark.jobs';
import { SHARING_CORE, SHARING_WORKER } from './sharing';

const CORE: Provider[] = [
  ArchiveContents,
  Archives,
  BlobsRepository,
  BlobObjects,
  BlobStore,
  DownloadJobs,
  DownloadJobsRepository,
  Downloads,
  ...FILE_LIFE_CORE,
  ...SHARING_CORE,
  Favorites,
  FileAccess,
  FileEdits,
  FileHolds,
  FileLifecycle,
  FileOwners,
  FileQueries,
  FileReferences,
  FileRetention,
  FilesRepository,
  FileSearchFields,
  FileSearchText,
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
  ...LIKENESS_CORE,
  NamedFiles,
  ReadableFiles,
  ReleasableFiles,
  RetainedVersions,
  SavedSearches,
  SavedSearchesRepository,
  SavedSearchUses,
  SearchFields,
  SearchLanguage,
  SearchPreview,
  { provide: TrashRetention, useClass: ChosenTrashRetention },
  StorageAccount,
  Trash,
  TrashRows,
  UploadBytes,
  UploadExtensions,
  UploadFinalizer,
  UploadsRepository,
  UploadsService,
  UploadStorage,
  VersionRows,
  VersionsRepository,
  VersionsService,
  VersionWriter,
  WorkspaceHoldings,
];

/** Files and their bytes: what every host of this context needs, and the ports other contexts register with. */
@Module({ providers: CORE, exports: CORE })
export class FilesModule implements OnModuleInit {
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

/** The routes of this context, and the signed addresses of the disk store where bytes lie on disk. */
@Module({
  imports: [FilesModule],
  controllers: [
    FileVersionsController,
    UploadsController,
    DownloadJobsController,
    DownloadsController,
    ...FILE_LIFE_CONTROLLERS,
    ...LIKENESS_CONTROLLERS,
    FilesController,
    SavedSearchesController,
    TrashController,
  ],
})
export class FilesHttpModule implements OnModuleInit {
  constructor(
    private readonly edge: Edge,
    @Inject(DiskStoreEndpoint) private readonly storage: DiskStoreEndpoint | null,
  ) {}

  onModuleInit(): void {
    if (this.storage) this.edge.mount(this.storage);
  }
}

/** Where the compiled entry of the inspecting processes lies, for hosts that do not run from the build (tests). */
export const INSPECTION_SCRIPT = Symbol('inspection-script');

/** The background work of this context. */
@Module({
  imports: [FilesModule, JobsModule.define([ingest, zip, watermark, bulk, verify, discarded])],
  providers: [
    ...FILE_LIFE_WORKER,
    ...SHARING_WORKER,
    ArchiveHandler,
    BlobInspections,
    BlobReader,
    DownloadPacking,
    Ingest,
    UnreadFiles,
    DiscardedHandler,
    IngestHandler,
    Sweep,
    SweepSchedule,
    TalliesSchedule,
    {
      provide: MediaInspector,
      inject: [Settings, { token: INSPECTION_SCRIPT, optional: true }],
      useFactory: (settings: Settings, script?: string) =>
        new MediaInspector({
          processes: settings.MEDIA_PROCESSES || availableParallelism(),
          vectorTimeoutMs: settings.MEDIA_VECTOR_SECONDS * SECOND,
          timeoutMs: settings.MEDIA_TIMEOUT_SECONDS * SECOND,
          memoryMib: settings.MEDIA_MEMORY_MIB,
          ...(script ? { script } : {}),
        }),
    },
  ],
})
export class FilesWorkerModule {}
