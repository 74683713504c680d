import { Module } from '@nestjs/common';

/** What is live of a site, when it goes live, and where its former addresses lead. */
@Module({})
export class PublishingModule {}

/** Their routes. */
@Module({ imports: [PublishingModule] })
export class PublishingHttpModule {}

/** Their background work. */
@Module({ imports: [PublishingModule] })
export class PublishingWorkerModule {}
