import type { Provider, Type } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { SECOND } from '@atrium/platform/kernel';
import { ByteCopies } from './application/byte-copies';
import { Bytes } from './application/bytes';
import { FileCopies } from './application/file-copies';
import { FileEgress } from './application/file-egress';
import { FileHold } from './application/file-hold.service';
import { FileImports } from './application/file-imports';
import { FileJobKinds } from './application/file-job-kinds';
import { FileJobRunner } from './application/file-job-runner';
import { FileJobs } from './application/file-jobs.service';
import { FileMoves } from './application/file-moves';
import { OwnedFiles } from './application/owned-files';
import { Quarantine } from './application/quarantine';
import { QuarantineRelease } from './application/quarantine-release';
import { QuarantineNotices } from './application/quarantine-notices';
import { ReindexRun } from './application/reindex-run';
import { ReindexSteps } from './application/reindex-steps';
import { Reindexing } from './application/reindexing';
import { ReleasedFiles } from './application/released-files';
import { ReservedBytes } from './application/reserved-bytes';
import { StorageVerification } from './application/storage-verification';
import { TrashEmptying } from './application/trash-emptying';
import { UrlImports } from './application/url-imports';
import { MalwareScanner, NoScanner } from './domain/malware-scanner';
import { FileHoldsController } from './http/file-holds.controller';
import { FileJobsController } from './http/file-jobs.controller';
import { FileMovesController } from './http/file-moves.controller';
import { ImportsController } from './http/imports.controller';
import { QuarantineController } from './http/quarantine.controller';
import { ReindexController } from './http/reindex.controller';
import { clamdAt, ClamdScanner } from './infrastructure/clamd-scanner';
import { FileJobsRepository } from './infrastructure/file-jobs.repository';
import { BulkHandler } from './jobs/bulk.handler';
import { VerifyHandler } from './jobs/verify.handler';

/** Bytes are scanned when a scanner is named. */
const SCANNER: Provider = {
  provide: MalwareScanner,
  inject: [Settings],
  useFactory: ({ CLAMD_ADDRESS, CLAMD_TIMEOUT_SECONDS }: Settings): MalwareScanner =>
    CLAMD_ADDRESS ? new ClamdScanner(clamdAt(CLAMD_ADDRESS, CLAMD_TIMEOUT_SECONDS * SECOND)) : new NoScanner(),
};

/** What files go through besides being uploaded and read, in every host: work on many, moves, copies, imports, quarantine. */
export const FILE_LIFE_CORE: Provider[] = [
  ByteCopies,
  Bytes,
  FileCopies,
  FileEgress,
  FileHold,
  FileImports,
  FileJobKinds,
  FileJobs,
  FileJobsRepository,
  FileMoves,
  OwnedFiles,
  Quarantine,
  QuarantineNotices,
  QuarantineRelease,
  Reindexing,
  ReindexSteps,
  ReleasedFiles,
  ReservedBytes,
  SCANNER,
  TrashEmptying,
  UrlImports,
];

/** Its routes. */
export const FILE_LIFE_CONTROLLERS: Type[] = [
  FileJobsController,
  FileMovesController,
  ReindexController,
  FileHoldsController,
  QuarantineController,
  ImportsController,
];

/** Its background work. */
export const FILE_LIFE_WORKER: Provider[] = [BulkHandler, FileJobRunner, ReindexRun, StorageVerification, VerifyHandler];
