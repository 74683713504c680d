import { Module } from '@nestjs/common';
<<<<<<< HEAD
import { EventsModule } from './events/events.module';
=======
import { AgentsHttpModule, AgentsModule } from './agents/agents.module';
import { MemoriesHttpModule, MemoriesModule, MemoriesWorkerModule } from './memories/memories.module';
import { PromptsHttpModule, PromptsModule } from './prompts/prompts.module';
>>>>>>> team4/a3
import { SharedModule } from './shared/shared.module';
import { ThreadsModule } from './threads/threads.module';

<<<<<<< HEAD
const AREAS = [SharedModule, EventsModule, ThreadsModule];
const ROUTES: never[] = [];
const WORK: never[] = [];
=======
const AREAS = [AgentsModule, MemoriesModule, PromptsModule, SharedModule];
const ROUTES = [AgentsHttpModule, MemoriesHttpModule, PromptsHttpModule];
const WORK = [MemoriesWorkerModule];
>>>>>>> team4/a3

/** Agents and conversations with them. */
@Module({ imports: AREAS, exports: AREAS })
export class AiModule {}

/** Its routes. */
@Module({ imports: [AiModule, ...ROUTES] })
export class AiHttpModule {}

/** Its background work. */
@Module({ imports: [AiModule, ...WORK] })
export class AiWorkerModule {}
