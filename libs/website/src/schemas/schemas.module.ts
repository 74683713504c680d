import { Module, type Provider } from '@nestjs/common';
import { LibraryReferences } from './application/library-references';
import { ContentLibrariesRepository } from './infrastructure/content-libraries.repository';

const SCHEMAS: Provider[] = [ContentLibrariesRepository, LibraryReferences];

/** Libraries of content schemas, and the schemas: what pages and blocks hold. */
@Module({ providers: SCHEMAS, exports: SCHEMAS })
export class ContentSchemasModule {}

/** Their routes. */
@Module({ imports: [ContentSchemasModule] })
export class ContentSchemasHttpModule {}

/** Their background work. */
@Module({ imports: [ContentSchemasModule] })
export class ContentSchemasWorkerModule {}
