import { Module, type Provider } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { ImportsModule } from '@atrium/imports';
import { JobsModule } from '@atrium/platform/messaging';
import { BasesModule } from '../bases/bases.module';
import { KnowledgeJobsModule } from '../work/work.module';
import { RecordsModule } from '../records/records.module';
import { BaseTables } from './application/base-tables';
import { ExportsService } from './application/exports.service';
import { ImportPreviews } from './application/import-preview.service';
import { ImportReadings } from './application/import-reading';
import { ImportRun } from './application/import-run';
import { ImportsService } from './application/imports.service';
import { RecordExport } from './application/record-export';
import { KnowledgeTransferController } from './http/transfer.controller';
import { RecordTargets } from './application/record-target';
import { ExportedRecordRows } from './infrastructure/exported-records.rows';
import { TransferHandler } from './jobs/transfer.handler';
import { exportRecords, importRecords } from './jobs/transfer.jobs';

const TRANSFER: Provider[] = [
  BaseTables,
  ExportedRecordRows,
  ExportsService,
  ImportPreviews,
  ImportReadings,
  ImportRun,
  ImportsService,
  RecordExport,
  RecordTargets,
];

/** Records as tables: what an import would read, imports and exports. */
@Module({ imports: [BasesModule, FormsModule, ImportsModule, KnowledgeJobsModule, RecordsModule], providers: TRANSFER, exports: TRANSFER })
export class TransferModule {}

@Module({ imports: [TransferModule, KnowledgeJobsModule], controllers: [KnowledgeTransferController] })
export class TransferHttpModule {}

@Module({ imports: [TransferModule, KnowledgeJobsModule, JobsModule.define([importRecords, exportRecords])], providers: [TransferHandler] })
export class TransferWorkerModule {}
