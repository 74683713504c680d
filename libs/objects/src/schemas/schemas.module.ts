import { Module } from '@nestjs/common';
import { FormsModule } from '@atrium/forms';
import { ObjectRowsModule } from '../objects/objects.module';
import { ObjectSchemasService } from './application/object-schemas.service';
import { ObjectSchemasController } from './http/object-schemas.controller';

/** Object schemas: what objects of a kind hold. */
@Module({ imports: [FormsModule, ObjectRowsModule], providers: [ObjectSchemasService], exports: [ObjectSchemasService] })
export class ObjectSchemasModule {}

/** Their routes. */
@Module({ imports: [ObjectSchemasModule], controllers: [ObjectSchemasController] })
export class ObjectSchemasHttpModule {}
