import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { ImportsModule } from '@atrium/imports';
import { JobsModule } from '@atrium/platform/messaging';
import { ObjectRowsModule } from '../objects/objects.module';
import { ImportPreviews } from './application/import-preview.service';
import { ImportReadings } from './application/import-reading';
import { ImportRun } from './application/import-run';
import { ObjectTargets } from './application/object-target';
import { ImportsService } from './application/imports.service';
import { ObjectImportController } from './http/import.controller';
import { ImportsOfJobs } from './infrastructure/imports.rows';
import { ImportHandler } from './jobs/import.handler';
import { importObjects } from './jobs/import.jobs';

const TRANSFER: Provider[] = [ImportPreviews, ImportReadings, ImportRun, ImportsOfJobs, ImportsService, ObjectTargets];

/** Objects that come from tables. */
@Module({ imports: [FormsModule, ImportsModule, ObjectRowsModule], providers: TRANSFER, exports: TRANSFER })
export class ObjectTransferModule {}

/** Its routes. */
@Module({ imports: [ObjectTransferModule], controllers: [ObjectImportController] })
export class ObjectTransferHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectTransferModule, JobsModule.define([importObjects])], providers: [ImportHandler] })
export class ObjectTransferWorkerModule {}
