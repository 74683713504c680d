import { Module, type Provider } from '@nestjs/common';
import { JobsModule } from '@atrium/platform/messaging';
import { RetrievalModule } from '@atrium/retrieval';
import { Memories } from './application/memories';
import { MemoriesService } from './application/memories.service';
import { MemoryVectors } from './application/memory-vectors';
import { MemoriesController } from './http/memories.controller';
import { MemoriesRepository } from './infrastructure/memories.repository';
import { MemoriesHandler } from './jobs/memories.handler';
import { indexMemory } from './jobs/memories.jobs';

const MEMORIES: Provider[] = [Memories, MemoriesRepository, MemoriesService, MemoryVectors];

/** What agents remember of each person. */
@Module({ imports: [RetrievalModule], providers: MEMORIES, exports: MEMORIES })
export class MemoriesModule {}

/** Their routes. */
@Module({ imports: [MemoriesModule], controllers: [MemoriesController] })
export class MemoriesHttpModule {}

/** Their background work. */
@Module({ imports: [MemoriesModule, JobsModule.define([indexMemory])], providers: [MemoriesHandler] })
export class MemoriesWorkerModule {}
