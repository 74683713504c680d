import { Module } from '@nestjs/common';
import { FlowsHttpModule, FlowsModule, FlowsWorkerModule } from './flows/flows.module';
import { ObjectRowsHttpModule, ObjectRowsModule } from './objects/objects.module';
import { ObjectSchemasHttpModule, ObjectSchemasModule } from './schemas/schemas.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [FlowsModule, ObjectRowsModule, ObjectSchemasModule, SharedModule];
const ROUTES = [FlowsHttpModule, ObjectRowsHttpModule, ObjectSchemasHttpModule];
const WORK = [FlowsWorkerModule];

/** Objects of kinds that a workspace defines: their schemas, taxonomies, states and sources. */
@Module({ imports: AREAS, exports: AREAS })
export class ObjectsModule {}

/** Its routes. */
@Module({ imports: [ObjectsModule, ...ROUTES] })
export class ObjectsHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectsModule, ...WORK] })
export class ObjectsWorkerModule {}
