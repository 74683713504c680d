import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { JobsModule } from '@atrium/platform/messaging';
import { CarriersOfFiles } from './application/carriers-of-files';
import { CarriersOfLibrary } from './application/carriers-of-library';
import { DuplicateCarriers } from './application/duplicate-carriers';
import { DuplicateDetection } from './application/duplicate-detection';
import { DuplicateScan } from './application/duplicate-scan';
import { Duplicates } from './application/duplicates.service';
import { DuplicatesController } from './http/duplicates.controller';
import { CarriedRows } from './infrastructure/carried-rows.repository';
import { DuplicateGroupsRepository } from './infrastructure/duplicate-groups.repository';
import { DuplicatesHandler } from './jobs/duplicates.handler';
import { findDuplicates } from './jobs/duplicates.jobs';

const DUPLICATES: Provider[] = [
  CarriedRows,
  CarriersOfFiles,
  CarriersOfLibrary,
  DuplicateCarriers,
  DuplicateDetection,
  DuplicateGroupsRepository,
  Duplicates,
  DuplicateScan,
];

/** Copies of files: how they are found, and how people make one file of them. */
@Module({ imports: [FilesModule], providers: DUPLICATES, exports: DUPLICATES })
export class DuplicatesModule {}

/** Its routes. */
@Module({ imports: [DuplicatesModule], controllers: [DuplicatesController] })
export class DuplicatesHttpModule {}

/** Its background work. */
@Module({ imports: [DuplicatesModule, JobsModule.define([findDuplicates])], providers: [DuplicatesHandler] })
export class DuplicatesWorkerModule {}
