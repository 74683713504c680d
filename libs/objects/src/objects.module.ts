import { Module } from '@nestjs/common';
import { ObjectRowsHttpModule, ObjectRowsModule } from './objects/objects.module';
import { ObjectSchemasHttpModule, ObjectSchemasModule } from './schemas/schemas.module';
import { SharedModule } from './shared/shared.module';
import { TaxonomiesHttpModule, TaxonomiesModule, TaxonomiesWorkerModule } from './taxonomies/taxonomies.module';
import { ObjectTransferHttpModule, ObjectTransferModule, ObjectTransferWorkerModule } from './transfer/transfer.module';

const AREAS = [ObjectRowsModule, ObjectSchemasModule, ObjectTransferModule, SharedModule, TaxonomiesModule];
const ROUTES = [ObjectRowsHttpModule, ObjectSchemasHttpModule, ObjectTransferHttpModule, TaxonomiesHttpModule];
const WORK = [ObjectTransferWorkerModule, TaxonomiesWorkerModule];

/** Objects of kinds that a workspace defines: their schemas, taxonomies, states and sources. */
@Module({ imports: AREAS, exports: AREAS })
export class ObjectsModule {}

/** Its routes. */
@Module({ imports: [ObjectsModule, ...ROUTES] })
export class ObjectsHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectsModule, ...WORK] })
export class ObjectsWorkerModule {}
