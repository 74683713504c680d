export { ModelProviders } from './application/model-providers.service';
export { ModelRegistry } from './application/model-registry';
export { countInTurns, loadTokenCount, reservedTokens, type TokenCount } from './infrastructure/token-count';
export { ModelUsage, type MadeCall, type MadeStep, type MeteredLines, type MeteredWork } from './application/model-usage';
export { ModelUsers, type ModelUserSource, type UsersOfModels } from './application/model-users';
export { TextGeneration, type TextAnswer, type TextRequest } from './application/text-generation';
export { TextModels } from './application/text-models';
export { VisionModel, type VisionAnswer, type VisionRequest } from './application/vision-model';
export { carriedOptions, type Carried } from './domain/carried';
export { ModelRefusal, namesAlone, namesInReason, reasonIn } from './domain/model-refusal';
export { carriedIn, lateThoughts } from './infrastructure/provider-model';
export { NotAsked } from './domain/not-asked';
export {
  MODEL_CAPABILITIES,
  MODEL_KINDS,
  type Model,
  type ModelAccess,
  type ModelKind,
  type ModelWish,
  type ProvidedModel,
} from './domain/model';
export { jsonOf } from './domain/json-answer';
export { JsonSchema } from './domain/json-schema';
export { jsonSchemaAt } from './infrastructure/answer-schema';
export { sentencesOf, type Sentence } from './domain/extract/sentences';
export { loadReader, segmentsOf, wordsOf, type Reader } from './domain/extract/words';
export { fillSchema, type Filled } from './domain/extract/filled-schema';
export { standaloneQuestion } from './domain/extract/question';
export { LOCAL_MODEL, LOCAL_PROVIDER } from './domain/local-model';
export { textOfPrompt } from './infrastructure/prompt-text';
export { groundingOf, groundingOptions, type Grounding, type ModelSource } from './domain/grounding';
export { type TextModel, type TextModelOptions } from './domain/text-model';
export { addTokens, NO_TOKENS, tokenUsageOf, type TokenUsage } from './domain/token-usage';
export { type ShownProvider } from './application/managed-providers';
export { ModelProvider, PROVIDER_TYPES, type ProviderFacts, type ProviderType } from './domain/model-provider';
export { ModelHttp, type ModelRequest } from './infrastructure/model-http';
export { ModelsModule } from './models.module';
