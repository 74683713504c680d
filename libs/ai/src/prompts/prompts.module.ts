import { Module, type Provider } from '@nestjs/common';
import { FilesModule } from '@atrium/files';
import { KnowledgeModule } from '@atrium/knowledge';
import { MediaModule } from '@atrium/media';
import { AgentsModule } from '../agents/agents.module';
import { SharedModule } from '../shared/shared.module';
import { PromptAccess } from './application/prompt-access';
import { PromptCategoriesService } from './application/prompt-categories.service';
import { PromptTexts } from './application/prompt-texts';
import { PromptsElsewhere } from './application/prompts-elsewhere';
import { PromptsService } from './application/prompts.service';
import { WildcardsService } from './application/wildcards.service';
import { PromptCategoriesController } from './http/prompt-categories.controller';
import { PromptsController } from './http/prompts.controller';
import { WildcardsController } from './http/wildcards.controller';
import { PromptCategoriesRepository } from './infrastructure/prompt-categories.repository';
import { PromptsRepository } from './infrastructure/prompts.repository';
import { WildcardsRepository } from './infrastructure/wildcards.repository';

const PROMPTS: Provider[] = [
  PromptAccess,
  PromptCategoriesRepository,
  PromptCategoriesService,
  PromptTexts,
  PromptsElsewhere,
  PromptsRepository,
  PromptsService,
  WildcardsRepository,
  WildcardsService,
];

/** Prompts, the categories they are found by, and the wildcards that ask for what they leave open. */
@Module({ imports: [AgentsModule, FilesModule, KnowledgeModule, MediaModule, SharedModule], providers: PROMPTS, exports: PROMPTS })
export class PromptsModule {}

/** Their routes. */
@Module({ imports: [PromptsModule], controllers: [PromptsController, PromptCategoriesController, WildcardsController] })
export class PromptsHttpModule {}
