import { MODEL_CAPABILITIES, MODEL_KINDS, ModelProvider, type ModelKind, type ProvidedModel } from '@atrium/models';
import { Choice, Decimal, Flag, Json, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';

type Capability = (typeof MODEL_CAPABILITIES)[number];

const PRICE = 'Credits per token; null if the model is not charged by tokens.';
const MOST_MODELS = 200;

@Answer()
export class ModelView {
  @Text({ max: 191, about: 'Id of the model, `provider/model`.', example: 'openai/gpt-5-mini', sort: 'model_id' }) model_id!: string;
  @Text({ max: 150, about: 'Name.', example: 'GPT-5 mini', filter: 'contains', sort: true }) model_name!: string;
  @Choice(MODEL_KINDS, { about: 'Kind of output.', example: 'text', filter: 'equals' }) model_kind!: ModelKind;
  @TextList({ about: 'Capabilities: tools, vision, json, reasoning, streaming.', example: ['tools', 'streaming'] })
  model_capabilities!: readonly Capability[];
  @Whole({ optional: true, about: 'Context length: maximum number of input and output tokens; null if unknown.', example: 128_000 })
  model_context!: number | null;
  @Whole({ optional: true, about: 'Maximum number of output tokens; null if unknown.', example: 16_384 })
  model_max_output!: number | null;
  @Text({ about: 'Name of the provider.', example: 'openai' }) model_provider!: string;
  @Flag({ about: 'Whether the model can be used in this service.', filter: 'equals' }) model_configured!: boolean;
  @Flag({ about: 'Whether the model is the default of its kind.' }) model_default!: boolean;
  @Flag({ about: 'Whether the model can be selected.' }) model_active!: boolean;
  @Decimal({ optional: true, about: `Price of input tokens. ${PRICE}`, example: 0.00002 }) model_price_input!: number | null;
  @Decimal({ optional: true, about: `Price of output tokens. ${PRICE}`, example: 0.00006 }) model_price_output!: number | null;
  @Decimal({ optional: true, about: `Price of input tokens read from the model's cache. ${PRICE}`, example: 0.000005 })
  model_price_cached!: number | null;
}

export class ModelPage extends PageOf(ModelView) {}

export class ListModels extends ListQuery(ModelView, { whole: true }) {}

/** A model of a provider in a request. */
@Accepts()
class ProvidedModelBody implements ProvidedModel {
  @Text({ min: 1, max: 150, about: "Provider's name of the model; can contain `/`.", example: 'gpt-5-mini' }) model!: string;
  @Text({
    omittable: true,
    min: 1,
    max: 150,
    about: "Display name; when omitted, the provider's name of the model.",
    example: 'GPT-5 mini',
  })
  model_name?: string;
  @Choice(MODEL_KINDS, { about: 'Kind of output.', example: 'text' }) model_kind!: ModelKind;
  @TextList({
    omittable: true,
    max: MODEL_CAPABILITIES.length,
    about: 'Capabilities: tools, vision, json (answers that follow a schema), reasoning, streaming.',
    example: ['tools', 'json', 'streaming'],
  })
  model_capabilities?: Capability[];
  @Whole({
    optional: true,
    min: 1,
    max: 100_000_000,
    about: 'Context length: maximum number of input and output tokens; null if unknown.',
    example: 128_000,
  })
  model_context?: number | null;
  @Whole({ optional: true, min: 1, max: 10_000_000, about: 'Maximum number of output tokens; null if unknown.', example: 16_384 })
  model_max_output?: number | null;
  @Flag({ omittable: true, about: 'Whether the model can be used.' }) model_active?: boolean;
  @Flag({ omittable: true, about: 'Whether the model is the default of its kind.' }) model_default?: boolean;
}

@Accepts()
/** What a body says of a provider in a form of its own: its models, and the secrets that no answer shows. */
class ProviderModelsAndSecrets {
  @NestedList(() => ProvidedModelBody, { omittable: true, max: MOST_MODELS, about: 'Models of the provider.' })
  mp_models?: ProvidedModelBody[];
  @Text({
    secret: true,
    optional: true,
    max: 2_000,
    about: 'API key. Stored encrypted and never returned; null removes it.',
    example: 'sk-…',
  })
  mp_key?: string | null;
  @Json({
    secret: true,
    omittable: true,
    max: 64 * 1024,
    about: 'Headers sent with each request. Values are stored encrypted and never returned; the object replaces all headers.',
    example: { 'X-Project': 'atrium' },
  })
  mp_headers?: Record<string, string>;
}

export class CreateModelProvider extends Body(ModelProvider, {
  required: ['mp_name', 'mp_type'],
  optional: ['mp_base_url', 'mp_active'],
  with: ProviderModelsAndSecrets,
}) {}

export class ChangeModelProvider extends Body(ModelProvider, {
  optional: ['mp_name', 'mp_type', 'mp_base_url', 'mp_active'],
  with: ProviderModelsAndSecrets,
}) {}

@Answer()
export class ProvidedModelView {
  @Text({ about: "Provider's name of the model.", example: 'gpt-5-mini' }) model!: string;
  @Text({ omittable: true, about: 'Display name.', example: 'GPT-5 mini' }) model_name?: string;
  @Choice(MODEL_KINDS, { about: 'Kind of output.', example: 'text' }) model_kind!: ModelKind;
  @TextList({ omittable: true, about: 'Capabilities.' }) model_capabilities?: readonly Capability[];
  @Whole({ optional: true, omittable: true, about: 'Context length: maximum number of input and output tokens.' }) model_context?:
    number | null;
  @Whole({ optional: true, omittable: true, about: 'Maximum number of output tokens.' }) model_max_output?: number | null;
  @Flag({ omittable: true, about: 'Whether the model can be used.' }) model_active?: boolean;
  @Flag({ omittable: true, about: 'Whether the model is the default of its kind.' }) model_default?: boolean;
}

@Answer()
export class ModelProviderView extends View(ModelProvider, { without: ['mp_models'] }) {
  @NestedList(() => ProvidedModelView, { about: 'Models of the provider.' }) mp_models!: ProvidedModelView[];
  @Flag({ about: 'Whether the provider has an API key.' }) mp_key_set!: boolean;
  @Flag({ about: 'Whether the provider belongs to the installation. Such providers are read-only.' }) mp_managed!: boolean;
}

export class ModelProviderPage extends PageOf(ModelProviderView) {}

export class ListModelProviders extends ListQuery(ModelProviderView, { whole: true }) {}
