import { Module } from '@nestjs/common';
import { ObjectRowsModule } from './objects/objects.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [ObjectRowsModule, SharedModule];
const ROUTES: never[] = [];
const WORK: never[] = [];

/** Objects of kinds that a workspace defines: their schemas, taxonomies, states and sources. */
@Module({ imports: AREAS, exports: AREAS })
export class ObjectsModule {}

/** Its routes. */
@Module({ imports: [ObjectsModule, ...ROUTES] })
export class ObjectsHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectsModule, ...WORK] })
export class ObjectsWorkerModule {}
