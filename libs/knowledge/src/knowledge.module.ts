import { Module } from '@nestjs/common';
import { BasesModule } from './bases/bases.module';
import { CrawlsHttpModule, CrawlsModule, CrawlsWorkerModule } from './crawls/crawls.module';
import { FontsHttpModule } from './fonts/fonts.module';
import { KnowledgeJobsHttpModule, KnowledgeJobsModule, KnowledgeJobsWorkerModule } from './jobs/jobs.module';
import { RecordsModule } from './records/records.module';
import { SharedModule } from './shared/shared.module';
import { TransferHttpModule, TransferModule, TransferWorkerModule } from './transfer/transfer.module';

const AREAS = [BasesModule, CrawlsModule, KnowledgeJobsModule, RecordsModule, SharedModule, TransferModule];

/** Knowledge bases: their records, files and schemas, and how they are filled and searched. */
@Module({ imports: AREAS, exports: AREAS })
export class KnowledgeModule {}

/** Its routes. */
@Module({ imports: [KnowledgeModule, CrawlsHttpModule, FontsHttpModule, KnowledgeJobsHttpModule, TransferHttpModule] })
export class KnowledgeHttpModule {}

/** Its background work. */
@Module({ imports: [KnowledgeModule, CrawlsWorkerModule, KnowledgeJobsWorkerModule, TransferWorkerModule] })
export class KnowledgeWorkerModule {}
