import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { JobsModule } from '@atrium/platform/messaging';
import { DuplicatesModule } from '../duplicates/duplicates.module';
import { LibraryModule } from '../library/library.module';
import { StatusesModule } from '../statuses/statuses.module';
import { ConsentWithdrawal } from './application/consent-withdrawal';
import { FaceDetection } from './application/face-detection';
import { FaceErasure } from './application/face-erasure';
import { FaceCropCleanup } from './application/face-crop-cleanup';
import { FaceSearch } from './application/face-search.service';
import { FaceSorting } from './application/face-sorting';
import { FaceUpkeep } from './application/face-upkeep';
import { FacesService } from './application/faces.service';
import { FilesOfPeople } from './application/files-of-people';
import { PeopleMerges } from './application/people-merges';
import { PeopleOfFiles } from './application/people-of-files';
import { PeopleSearchFields } from './application/people-search-fields';
import { PeopleSuggestions } from './application/people-suggestions';
import { PeopleService } from './application/people.service';
import { FaceProvider } from './domain/face-provider';
import { AdminFacesController, FacesController, FileFacesController } from './http/faces.controller';
import { PeopleController } from './http/people.controller';
import { CompreFaceProvider } from './infrastructure/compreface-provider';
import { FaceErasureRows } from './infrastructure/face-erasure.rows';
import { FacePictures } from './infrastructure/face-pictures';
import { FaceScanRows } from './infrastructure/face-scans.rows';
import { FaceSortingRows } from './infrastructure/face-sorting.rows';
import { FaceVectors } from './infrastructure/face-vectors';
import { FacesRepository } from './infrastructure/faces.repository';
import { PeopleMerging } from './infrastructure/people-merging.repository';
import { PeopleOfFilesRepository } from './infrastructure/people-of-files.repository';
import { PeopleRepository } from './infrastructure/people.repository';
import { FacesHandler } from './jobs/faces.handler';
import { clusterFaces, dropCrops, findFaces } from './jobs/faces.jobs';
import { FacesSchedule } from './jobs/faces.schedule';

const PEOPLE: Provider[] = [
  { provide: FaceProvider, useClass: CompreFaceProvider },
  ConsentWithdrawal,
  FaceDetection,
  FaceErasure,
  FaceErasureRows,
  FacePictures,
  FaceScanRows,
  FaceSearch,
  FaceSorting,
  FaceSortingRows,
  FacesRepository,
  FacesService,
  FaceUpkeep,
  FaceVectors,
  FilesOfPeople,
  PeopleMerges,
  PeopleMerging,
  PeopleOfFiles,
  PeopleOfFilesRepository,
  PeopleRepository,
  PeopleSearchFields,
  PeopleService,
  PeopleSuggestions,
];

/** Faces in pictures, and the people they belong to. */
@Module({ imports: [FilesModule, ModelsModule, DuplicatesModule, LibraryModule, StatusesModule], providers: PEOPLE, exports: PEOPLE })
export class PeopleModule {}

/** Its routes. */
@Module({ imports: [PeopleModule], controllers: [FacesController, FileFacesController, AdminFacesController, PeopleController] })
export class PeopleHttpModule {}

/** Its background work. */
@Module({
  imports: [PeopleModule, JobsModule.define([findFaces, clusterFaces, dropCrops])],
  providers: [FaceCropCleanup, FacesHandler, FacesSchedule],
})
export class PeopleWorkerModule {}
