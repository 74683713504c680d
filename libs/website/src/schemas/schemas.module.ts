import { Module } from '@nestjs/common';

/** Libraries of content schemas, and the schemas: what pages and blocks hold. */
@Module({})
export class ContentSchemasModule {}

/** Their routes. */
@Module({ imports: [ContentSchemasModule] })
export class ContentSchemasHttpModule {}

/** Their background work. */
@Module({ imports: [ContentSchemasModule] })
export class ContentSchemasWorkerModule {}
