import { Module } from '@nestjs/common';
import { AgentsHttpModule, AgentsModule } from './agents/agents.module';
import { AssistHttpModule, AssistModule } from './assist/assist.module';
import { MemoriesHttpModule, MemoriesModule, MemoriesWorkerModule } from './memories/memories.module';
import { ModelCatalogHttpModule, ModelCatalogModule } from './models/models.module';
import { PromptsHttpModule, PromptsModule } from './prompts/prompts.module';
import { SharedModule } from './shared/shared.module';

const AREAS = [AgentsModule, AssistModule, ModelCatalogModule, MemoriesModule, PromptsModule, SharedModule];
const ROUTES = [AgentsHttpModule, AssistHttpModule, ModelCatalogHttpModule, MemoriesHttpModule, PromptsHttpModule];
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
