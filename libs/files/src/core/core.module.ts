import { Module, type OnModuleInit, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { WorkspaceFiles } from '@atrium/identity';
import { DescribedFiles } from './infrastructure/described-files';
import { EditableFiles } from './application/editable-files';
import { Favorites } from './application/favorites';
import { FileAccess } from './application/file-access';
import { FileEdits } from './application/file-edits';
import { FileFieldReferences } from './application/file-field-references';
import { HistoryWriter } from './application/file-history';
import { FileHolds } from './application/file-holds';
import { FileLifecycle } from './application/file-lifecycle';
import { FileOwners } from './application/file-owners';
import { FileQueries } from './application/file-queries';
import { FileReferences } from './application/file-references';
import { FileStatuses } from './application/file-statuses';
import { FileSummaries } from './infrastructure/file-summaries';
import { FileTimeline } from './application/file-timeline';
import { FilesAcross } from './application/files-across';
import { FilesOfMembers } from './infrastructure/files-of-members';
import { FilesOfPeople } from './application/files-of-people';
import { FilesService } from './application/files.service';
import { FoundFiles } from './application/found-files';
import { KnownLosses } from './infrastructure/known-losses';
import { KnownPages } from './infrastructure/known-pages';
import { LibraryFiles } from './application/library-files';
import { LibraryTallies } from './application/library-tallies';
import { NamedFiles } from './infrastructure/named-files';
import { NamedInHistory } from './application/named-in-history';
import { ReadableFiles } from './application/readable-files';
import { ReleasableFiles } from './application/releasable-files';
import { FileHoldsController } from './http/file-holds.controller';
import { FilesController } from './http/files.controller';
import { FileHistoryRows } from './infrastructure/file-history.rows';
import { FilePrefRows } from './infrastructure/file-prefs.rows';
import { LibraryTallyRows } from './infrastructure/library-tallies.rows';
import { ReadableFileRows } from './infrastructure/readable-files.rows';
import { ShownFileRows } from './infrastructure/shown-files.rows';
import { FilesRepository } from './infrastructure/files.repository';
import { HeldFiles } from './infrastructure/held-files.rows';
import { TalliesSchedule } from './jobs/tallies.schedule';

const CORE: Provider[] = [
  DescribedFiles,
  EditableFiles,
  Favorites,
  FileAccess,
  FileEdits,
  FileFieldReferences,
  FileHolds,
  FileHistoryRows,
  FileLifecycle,
  FileOwners,
  FilePrefRows,
  FileQueries,
  FileReferences,
  FilesAcross,
  FilesOfMembers,
  FilesOfPeople,
  FilesRepository,
  FilesService,
  FileStatuses,
  FileSummaries,
  FileTimeline,
  FoundFiles,
  HeldFiles,
  HistoryWriter,
  KnownLosses,
  KnownPages,
  LibraryFiles,
  LibraryTallies,
  LibraryTallyRows,
  NamedFiles,
  NamedInHistory,
  ReadableFileRows,
  ReadableFiles,
  ReleasableFiles,
  ShownFileRows,
];

/** The records of files: who may see and change them, how they are listed, named and held, and what happened to them. */
@Module({ imports: [FormsModule], providers: CORE, exports: CORE })
export class FilesCoreModule implements OnModuleInit {
  constructor(
    private readonly named: NamedFiles,
    private readonly namable: WorkspaceFiles,
  ) {}

  onModuleInit(): void {
    this.namable.register(this.named);
  }
}

/** Its routes. */
@Module({ imports: [FilesCoreModule], controllers: [FilesController, FileHoldsController] })
export class FilesCoreHttpModule {}

/** Its background work. */
@Module({ imports: [FilesCoreModule], providers: [TalliesSchedule] })
export class FilesCoreWorkerModule {}
