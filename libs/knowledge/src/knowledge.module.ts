import { Module } from '@nestjs/common';
import { BasesHttpModule, BasesModule, BasesWorkerModule } from './bases/bases.module';
import { CrawlsHttpModule, CrawlsModule, CrawlsWorkerModule } from './crawls/crawls.module';
import { BaseFilesHttpModule, BaseFilesModule } from './files/files.module';
import { FontsHttpModule } from './fonts/fonts.module';
import { KnowledgeJobsHttpModule, KnowledgeJobsModule, KnowledgeJobsWorkerModule } from './work/work.module';
import { RecordsHttpModule, RecordsModule } from './records/records.module';
import { SchemasHttpModule, SchemasModule } from './schemas/schemas.module';
import { BaseSearchHttpModule, BaseSearchModule } from './search/search.module';
import { SharedModule } from './shared/shared.module';
import { TransferHttpModule, TransferModule, TransferWorkerModule } from './transfer/transfer.module';

const AREAS = [
  BaseFilesModule,
  BaseSearchModule,
  BasesModule,
  CrawlsModule,
  KnowledgeJobsModule,
  RecordsModule,
  SchemasModule,
  SharedModule,
  TransferModule,
];
const ROUTES = [
  BaseFilesHttpModule,
  BaseSearchHttpModule,
  BasesHttpModule,
  CrawlsHttpModule,
  FontsHttpModule,
  KnowledgeJobsHttpModule,
  RecordsHttpModule,
  SchemasHttpModule,
  TransferHttpModule,
];

/** Knowledge bases: their records, files and schemas, and how they are filled and searched. */
@Module({ imports: AREAS, exports: AREAS })
export class KnowledgeModule {}

/** Its routes. */
@Module({ imports: [KnowledgeModule, ...ROUTES] })
export class KnowledgeHttpModule {}

/** Its background work. */
@Module({ imports: [KnowledgeModule, BasesWorkerModule, CrawlsWorkerModule, KnowledgeJobsWorkerModule, TransferWorkerModule] })
export class KnowledgeWorkerModule {}
