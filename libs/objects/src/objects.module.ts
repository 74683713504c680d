import { Module } from '@nestjs/common';
import { FlowsHttpModule, FlowsModule, FlowsWorkerModule } from './flows/flows.module';
import { ObjectRowsHttpModule, ObjectRowsModule } from './objects/objects.module';
import { ObjectSchemasHttpModule, ObjectSchemasModule } from './schemas/schemas.module';
import { SourcesHttpModule, SourcesModule, SourcesWorkerModule } from './sources/sources.module';
import { SharedModule } from './shared/shared.module';
import { TaxonomiesHttpModule, TaxonomiesModule, TaxonomiesWorkerModule } from './taxonomies/taxonomies.module';
import { ObjectTransferHttpModule, ObjectTransferModule, ObjectTransferWorkerModule } from './transfer/transfer.module';

const AREAS = [FlowsModule, ObjectRowsModule, ObjectSchemasModule, ObjectTransferModule, SharedModule, SourcesModule, TaxonomiesModule];
const ROUTES = [
  FlowsHttpModule,
  ObjectRowsHttpModule,
  ObjectSchemasHttpModule,
  ObjectTransferHttpModule,
  SourcesHttpModule,
  TaxonomiesHttpModule,
];
const WORK = [FlowsWorkerModule, ObjectTransferWorkerModule, SourcesWorkerModule, TaxonomiesWorkerModule];

/** Objects of kinds that a workspace defines: their schemas, taxonomies, states and sources. */
@Module({ imports: AREAS, exports: AREAS })
export class ObjectsModule {}

/** Its routes. */
@Module({ imports: [ObjectsModule, ...ROUTES] })
export class ObjectsHttpModule {}

/** Its background work. */
@Module({ imports: [ObjectsModule, ...WORK] })
export class ObjectsWorkerModule {}
