import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { FormsModule } from '@atrium/forms';
import { JobsModule } from '@atrium/platform/messaging';
import { ContentLibrariesService } from './application/content-libraries.service';
import { ContentSchemasService } from './application/content-schemas.service';
import { ContentTypes } from './application/content-types';
import { DraftMigration } from './application/draft-migration';
import { LibraryReferences } from './application/library-references';
import { SchemaCompiler } from './application/schema-compiler';
import { SchemaEvolutions } from './application/schema-evolution';
import { SchemaPreviews } from './application/schema-previews';
import { StandardLibrary } from './application/standard-library';
import { ContentLibrariesController } from './http/content-libraries.controller';
import { ContentSchemasController } from './http/content-schemas.controller';
import { ContentLibrariesRepository } from './infrastructure/content-libraries.repository';
import { ContentSchemasRepository } from './infrastructure/content-schemas.repository';
import { SchemaDraftsRows } from './infrastructure/schema-drafts.rows';
import { ContentSchemasHandler } from './jobs/schemas.handler';
import { migrateDrafts } from './jobs/schemas.jobs';

const SCHEMAS: Provider[] = [
  ContentLibrariesRepository,
  ContentLibrariesService,
  ContentSchemasRepository,
  ContentSchemasService,
  ContentTypes,
  DraftMigration,
  LibraryReferences,
  SchemaCompiler,
  SchemaDraftsRows,
  SchemaEvolutions,
  SchemaPreviews,
  StandardLibrary,
];

/** Libraries of content schemas, and the schemas: what pages and blocks hold. */
@Module({ imports: [FilesModule, FormsModule], providers: SCHEMAS, exports: SCHEMAS })
export class ContentSchemasModule {}

/** Their routes. */
@Module({ imports: [ContentSchemasModule], controllers: [ContentLibrariesController, ContentSchemasController] })
export class ContentSchemasHttpModule {}

/** Their background work. */
@Module({ imports: [ContentSchemasModule, JobsModule.define([migrateDrafts])], providers: [ContentSchemasHandler] })
export class ContentSchemasWorkerModule {}
