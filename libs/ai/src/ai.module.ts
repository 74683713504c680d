import { Module } from '@nestjs/common';
import { AgentsHttpModule, AgentsModule } from './agents/agents.module';
import { AssistHttpModule, AssistModule } from './assist/assist.module';
import { EventsModule } from './events/events.module';
import { MemoriesHttpModule, MemoriesModule, MemoriesWorkerModule } from './memories/memories.module';
import { ModelCatalogHttpModule, ModelCatalogModule } from './models/models.module';
import { PromptsHttpModule, PromptsModule } from './prompts/prompts.module';
import { RunsHttpModule, RunsModule, RunsWorkerModule } from './runs/runs.module';
import { SharedModule } from './shared/shared.module';
import { SpacesHttpModule, SpacesModule, SpacesWorkerModule } from './spaces/spaces.module';
import { StreamHttpModule } from './stream/stream.module';
import { ThreadsHttpModule, ThreadsModule } from './threads/threads.module';

const AREAS = [
  AgentsModule,
  AssistModule,
  EventsModule,
  MemoriesModule,
  ModelCatalogModule,
  PromptsModule,
  RunsModule,
  SharedModule,
  SpacesModule,
  ThreadsModule,
];
const ROUTES = [
  AgentsHttpModule,
  AssistHttpModule,
  MemoriesHttpModule,
  ModelCatalogHttpModule,
  PromptsHttpModule,
  RunsHttpModule,
  SpacesHttpModule,
  StreamHttpModule,
  ThreadsHttpModule,
];
const WORK = [MemoriesWorkerModule, RunsWorkerModule, SpacesWorkerModule];

/** Agents and conversations with them. */
@Module({ imports: AREAS, exports: AREAS })
export class AiModule {}

/** Its routes. */
@Module({ imports: [AiModule, ...ROUTES] })
export class AiHttpModule {}

/** Its background work. */
@Module({ imports: [AiModule, ...WORK] })
export class AiWorkerModule {}
