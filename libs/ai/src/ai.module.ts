import { Module } from '@nestjs/common';
import { AgentsHttpModule, AgentsModule } from './agents/agents.module';
import { MemoriesHttpModule, MemoriesModule, MemoriesWorkerModule } from './memories/memories.module';
import { PromptsHttpModule, PromptsModule } from './prompts/prompts.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [AgentsModule, MemoriesModule, PromptsModule, SharedModule];
const ROUTES = [AgentsHttpModule, MemoriesHttpModule, PromptsHttpModule];
const WORK = [MemoriesWorkerModule];

/** Agents and conversations with them. */
@Module({ imports: AREAS, exports: AREAS })
export class AiModule {}

/** Its routes. */
@Module({ imports: [AiModule, ...ROUTES] })
export class AiHttpModule {}

/** Its background work. */
@Module({ imports: [AiModule, ...WORK] })
export class AiWorkerModule {}
