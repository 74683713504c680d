import { Module } from '@nestjs/common';

/** Synchronization of sites with content management systems. */
@Module({})
export class CmsSyncModule {}

/** Their routes. */
@Module({ imports: [CmsSyncModule] })
export class CmsSyncHttpModule {}

/** Their background work. */
@Module({ imports: [CmsSyncModule] })
export class CmsSyncWorkerModule {}
