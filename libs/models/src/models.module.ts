import { Module, type OnModuleInit } from '@nestjs/common';
import { GovernanceModule } from '@atrium/governance';
import { IdentityModule, WorkspacePurgers } from '@atrium/identity';
import { EnvironmentModels } from './application/environment-models';
import { ModelProviders } from './application/model-providers.service';
import { ModelRegistry } from './application/model-registry';
import { ModelUsage } from './application/model-usage';
import { ModelUsers } from './application/model-users';
import { TextGeneration } from './application/text-generation';
import { TextModels } from './application/text-models';
import { VisionModel } from './application/vision-model';
import { ChatProtocol } from './infrastructure/chat-protocol';
import { LanguageModels } from './infrastructure/language-models';
import { MessagesProtocol } from './infrastructure/messages-protocol';
import { ModelHttp } from './infrastructure/model-http';
import { LearnedParameters } from './infrastructure/wire/learned-parameters';
import { ModelProvidersRepository } from './infrastructure/model-providers.repository';

/** Models of every kind: their providers, their protocols and their costs. */
@Module({
  imports: [IdentityModule, GovernanceModule],
  providers: [
    EnvironmentModels,
    ModelProvidersRepository,
    ModelProviders,
    ModelRegistry,
    ModelHttp,
    LearnedParameters,
    ChatProtocol,
    MessagesProtocol,
    LanguageModels,
    VisionModel,
    TextModels,
    TextGeneration,
    ModelUsage,
    ModelUsers,
  ],
  exports: [ModelProviders, ModelRegistry, ModelHttp, VisionModel, TextModels, TextGeneration, ModelUsage, ModelUsers],
})
export class ModelsModule implements OnModuleInit {
  constructor(private readonly purgers: WorkspacePurgers) {}

  onModuleInit(): void {
    this.purgers.register({ context: 'models', order: 700, tables: ['model_provider'] });
  }
}
