import { Module } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { BasesModule } from '../bases/bases.module';
import { RecordsModule } from '../records/records.module';
import { SchemasService } from './application/schemas.service';
import { SchemaForksController, SchemasController } from './http/schemas.controller';

/** Record schemas, their standard templates, and how a base comes to a schema of its own. */
@Module({ imports: [FormsModule, BasesModule, RecordsModule], providers: [SchemasService], exports: [SchemasService] })
export class SchemasModule {}

/** Their routes. */
@Module({ imports: [SchemasModule], controllers: [SchemasController, SchemaForksController] })
export class SchemasHttpModule {}
