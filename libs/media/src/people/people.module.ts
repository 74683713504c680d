import { Module, type Provider, type Type } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { ModelsModule } from '@atrium/models';
import { ConsentWithdrawal } from './application/consent-withdrawal';
import { FaceDetection } from './application/face-detection';
import { FaceErasure } from './application/face-erasure';
import { FaceLeftovers } from './application/face-leftovers';
import { FaceSearch } from './application/face-search.service';
import { FaceSorting } from './application/face-sorting';
import { FaceUpkeep } from './application/face-upkeep';
import { FacesService } from './application/faces.service';
import { FilesOfPeople } from './application/files-of-people';
import { PeopleMerges } from './application/people-merges';
import { PeopleOfFiles } from './application/people-of-files';
import { PeopleSearchFields } from './application/people-search-fields';
import { PeopleService } from './application/people.service';
import { PeopleSuggestions } from './application/people-suggestions';
import { DuplicatesModule } from '../duplicates/duplicates.module';
import { FaceProvider } from './domain/face-provider';
import { AdminFacesController, FacesController, FileFacesController } from './http/faces.controller';
import { PeopleController } from './http/people.controller';
import { CompreFaceProvider } from './infrastructure/compreface-provider';
import { FacePictures } from './infrastructure/face-pictures';
import { FaceVectors } from './infrastructure/face-vectors';
import { FacesRepository } from './infrastructure/faces.repository';
import { PeopleMerging } from './infrastructure/people-merging.repository';
import { PeopleOfFilesRepository } from './infrastructure/people-of-files.repository';
import { PeopleRepository } from './infrastructure/people.repository';
import { FacesHandler } from './jobs/faces.handler';
import { clusterFaces, dropCrops, findFaces } from './jobs/faces.jobs';
import { FacesSchedule } from './jobs/faces.schedule';
import { LibraryModule } from '../library/library.module';
import { StatusesModule } from '../statuses/statuses.module';

const PEOPLE: Provider[] = [
  { provide: FaceProvider, useClass: CompreFaceProvider },
  ConsentWithdrawal,
  FaceDetection,
  FaceErasure,
  FacePictures,
  FacesRepository,
  FaceSearch,
  FaceSorting,
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
@Module({ imports: [FilesModule, DuplicatesModule, LibraryModule, ModelsModule, StatusesModule], providers: PEOPLE, exports: PEOPLE })
export class PeopleModule {}

/** Its routes. */
export const PEOPLE_CONTROLLERS: Type[] = [FacesController, FileFacesController, AdminFacesController, PeopleController];

/** Its background work. */
export const PEOPLE_JOBS = [findFaces, clusterFaces, dropCrops] as const;
export const PEOPLE_WORKER: Provider[] = [FaceLeftovers, FacesHandler, FacesSchedule];
