import { Module } from '@nestjs/common';
import { BasesModule } from './bases/bases.module';
import { RecordsModule } from './records/records.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [BasesModule, RecordsModule, SharedModule];

/** Knowledge bases: their records, files and schemas, and how they are filled and searched. */
@Module({ imports: AREAS, exports: AREAS })
export class KnowledgeModule {}

/** Its routes. */
@Module({ imports: [KnowledgeModule] })
export class KnowledgeHttpModule {}

/** Its background work. */
@Module({ imports: [KnowledgeModule] })
export class KnowledgeWorkerModule {}
