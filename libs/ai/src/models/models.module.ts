import { Module } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { ModelsModule } from '@atrium/models';
import { ModelCatalog } from './model-catalog.service';
import { ModelProvidersController, ModelsController } from './models.controller';

/** The catalog of models and its providers; both lie in the context below. */
@Module({ imports: [GovernanceModule, ModelsModule], providers: [ModelCatalog], exports: [ModelCatalog] })
export class ModelCatalogModule {}

/** Their routes. */
@Module({ imports: [ModelCatalogModule, ModelsModule], controllers: [ModelsController, ModelProvidersController] })
export class ModelCatalogHttpModule {}
