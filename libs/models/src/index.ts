export { ModelProviders } from './application/model-providers.service';
export { ModelRegistry } from './application/model-registry';
export { ModelUsage, type MadeCall, type MeteredWork } from './application/model-usage';
export { VisionModel, type VisionAnswer, type VisionRequest } from './application/vision-model';
export { ModelRefusal } from './domain/model-refusal';
export { MODEL_KINDS, type Model, type ModelAccess, type ModelKind, type ModelWish, type ProvidedModel } from './domain/model';
export { type ProviderFacts, type ProviderType } from './domain/model-provider';
export { ModelHttp, type ModelRequest } from './infrastructure/model-http';
export { ModelsModule } from './models.module';
