import { Module, type Provider } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { JobsModule } from '@atrium/platform/messaging';
import { RetrievalModule } from '@atrium/retrieval';
import { Memories } from './application/memories';
import { MemoriesService } from './application/memories.service';
import { EventsModule } from '../events/events.module';
import { MemoryForgetting } from './application/memory-forgetting';
import { MemoryVectors } from './application/memory-vectors';
import { MemoriesController } from './http/memories.controller';
import { MemoriesRepository } from './infrastructure/memories.repository';
import { ForgottenMemories } from './infrastructure/forgotten-memories.rows';
import { MemoryCopies } from './infrastructure/memory-copies.rows';
import { MemoriesHandler } from './jobs/memories.handler';
import { forgetCopies, holdsReleased, indexMemory } from './jobs/memories.jobs';

const MEMORIES: Provider[] = [
  ForgottenMemories,
  Memories,
  MemoriesRepository,
  MemoriesService,
  MemoryCopies,
  MemoryForgetting,
  MemoryVectors,
];

/** What agents remember of each person. */
@Module({ imports: [EventsModule, GovernanceModule, RetrievalModule], providers: MEMORIES, exports: MEMORIES })
export class MemoriesModule {}

/** Their routes. */
@Module({ imports: [MemoriesModule], controllers: [MemoriesController] })
export class MemoriesHttpModule {}

/** Their background work. */
@Module({ imports: [MemoriesModule, JobsModule.define([indexMemory, forgetCopies, holdsReleased])], providers: [MemoriesHandler] })
export class MemoriesWorkerModule {}
