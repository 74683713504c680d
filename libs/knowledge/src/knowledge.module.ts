import { Module } from '@nestjs/common';
import { BasesHttpModule, BasesModule, BasesWorkerModule } from './bases/bases.module';
import { BaseFilesHttpModule, BaseFilesModule } from './files/files.module';
import { RecordsHttpModule, RecordsModule } from './records/records.module';
import { SchemasHttpModule, SchemasModule } from './schemas/schemas.module';
import { BaseSearchHttpModule, BaseSearchModule } from './search/search.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [BaseFilesModule, BaseSearchModule, BasesModule, RecordsModule, SchemasModule, SharedModule];

/** Knowledge bases: their records, files and schemas, and how they are filled and searched. */
@Module({ imports: AREAS, exports: AREAS })
export class KnowledgeModule {}

/** Its routes. */
@Module({
  imports: [KnowledgeModule, BasesHttpModule, RecordsHttpModule, SchemasHttpModule, BaseFilesHttpModule, BaseSearchHttpModule],
})
export class KnowledgeHttpModule {}

/** Its background work. */
@Module({ imports: [KnowledgeModule, BasesWorkerModule] })
export class KnowledgeWorkerModule {}
