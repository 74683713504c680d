import { Module } from '@nestjs/common';
import { RetrievalModule } from '@atrium/retrieval';
import { BasesModule } from '../bases/bases.module';
import { BaseSearchController } from './base-search.controller';
import { BaseSearch } from './base-search.service';

/** The search within a base. */
@Module({ imports: [RetrievalModule, BasesModule], providers: [BaseSearch], exports: [BaseSearch] })
export class BaseSearchModule {}

/** Its route. */
@Module({ imports: [BaseSearchModule], controllers: [BaseSearchController] })
export class BaseSearchHttpModule {}
