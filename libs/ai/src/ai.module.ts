import { Module } from '@nestjs/common';
import { AgentsHttpModule, AgentsModule } from './agents/agents.module';
import { EventsModule } from './events/events.module';
import { MemoriesHttpModule, MemoriesModule, MemoriesWorkerModule } from './memories/memories.module';
import { PromptsHttpModule, PromptsModule } from './prompts/prompts.module';
import { RunsHttpModule, RunsModule, RunsWorkerModule } from './runs/runs.module';
import { SharedModule } from './shared/shared.module';
import { ThreadsModule } from './threads/threads.module';

const AREAS = [AgentsModule, EventsModule, MemoriesModule, PromptsModule, RunsModule, SharedModule, ThreadsModule];
const ROUTES = [AgentsHttpModule, MemoriesHttpModule, PromptsHttpModule, RunsHttpModule];
const WORK = [MemoriesWorkerModule, RunsWorkerModule];

/** Agents and conversations with them. */
@Module({ imports: AREAS, exports: AREAS })
export class AiModule {}

/** Its routes. */
@Module({ imports: [AiModule, ...ROUTES] })
export class AiHttpModule {}

/** Its background work. */
@Module({ imports: [AiModule, ...WORK] })
export class AiWorkerModule {}
