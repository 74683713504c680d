import { Module } from '@nestjs/common';
import { ObjectRowsHttpModule, ObjectRowsModule } from './objects/objects.module';
import { ObjectSchemasHttpModule, ObjectSchemasModule } from './schemas/schemas.module';
import { SourcesHttpModule, SourcesModule, SourcesWorkerModule } from './sources/sources.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [ObjectRowsModule, ObjectSchemasModule, SharedModule, SourcesModule];
const ROUTES = [ObjectRowsHttpModule, ObjectSchemasHttpModule, SourcesHttpModule];
const WORK = [SourcesWorkerModule];

/** Objects of kinds that a workspace defines: their schemas, taxonomies, states and sources. */
@Module({ imports: AREAS, exports: AREAS })
export class ObjectsModule {}

/** Its routes. */
@Module({ imports: [ObjectsModule, ...ROUTES] })
export class ObjectsHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectsModule, ...WORK] })
export class ObjectsWorkerModule {}
