import { Module, type Provider, type Type } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { CarriersOfFiles } from './application/carriers-of-files';
import { CarriersOfLibrary } from './application/carriers-of-library';
import { DuplicateCarriers } from './application/duplicate-carriers';
import { DuplicateDetection } from './application/duplicate-detection';
import { DuplicateScan } from './application/duplicate-scan';
import { DuplicateViews } from './application/duplicate-views';
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
  DuplicateScan,
  DuplicateViews,
  Duplicates,
];

/** Copies of files: how they are found, and how people make one file of them. */
@Module({ imports: [FilesModule], providers: DUPLICATES, exports: DUPLICATES })
export class DuplicatesModule {}

/** Its routes. */
export const DUPLICATES_CONTROLLERS: Type[] = [DuplicatesController];

/** Its background work. */
export const DUPLICATES_JOBS = [findDuplicates] as const;
export const DUPLICATES_WORKER: Provider[] = [DuplicatesHandler];
