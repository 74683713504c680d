import { Module } from '@nestjs/common';

/** The draft of a site: its tree of pages, folders and links, their contents and versions. */
@Module({})
export class NodesModule {}

/** Their routes. */
@Module({ imports: [NodesModule] })
export class NodesHttpModule {}

/** Their background work. */
@Module({ imports: [NodesModule] })
export class NodesWorkerModule {}
