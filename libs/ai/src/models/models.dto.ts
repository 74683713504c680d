import { MODEL_CAPABILITIES, MODEL_KINDS, ModelProvider, type ModelKind, type ProvidedModel } from '@atrium/models';
import { Choice, Decimal, Flag, Json, NestedList, Text, TextList, Whole } from '@atrium/platform/database';
import { Accepts, Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';

type Capability = (typeof MODEL_CAPABILITIES)[number];

const PRICE = 'Credits per token; null for a model that is not charged by tokens.';
const MOST_MODELS = 200;

@Answer()
export class ModelView {
  @Text({ max: 191, about: 'Id, `provider/model`.', example: 'openai/gpt-5-mini', sort: 'model_id' }) model_id!: string;
  @Text({ max: 150, about: 'Name.', example: 'GPT-5 mini', filter: 'contains', sort: true }) model_name!: string;
  @Choice(MODEL_KINDS, { about: 'What it makes.', example: 'text', filter: 'equals' }) model_kind!: ModelKind;
  @TextList({ about: 'What it can do: tools, vision, json, reasoning, streaming.', example: ['tools', 'streaming'] })
  model_capabilities!: readonly Capability[];
  @Whole({ optional: true, about: 'Tokens that it can read and write in one call; null: not known.', example: 128_000 })
  model_context!: number | null;
  @Whole({ optional: true, about: 'Tokens that it can write in one answer; null: not known.', example: 16_384 })
  model_max_output!: number | null;
  @Text({ about: 'Name of its provider.', example: 'openai' }) model_provider!: string;
  @Flag({ about: 'Whether something in the service can use it.', filter: 'equals' }) model_configured!: boolean;
  @Flag({ about: 'Whether it is used where none is named.' }) model_default!: boolean;
  @Flag({ about: 'Whether it can be chosen.' }) model_active!: boolean;
  @Decimal({ optional: true, about: `Price of a token that it reads. ${PRICE}`, example: 0.00002 }) model_price_input!: number | null;
  @Decimal({ optional: true, about: `Price of a token that it writes. ${PRICE}`, example: 0.00006 }) model_price_output!: number | null;
  @Decimal({ optional: true, about: `Price of a token that it reads from its cache. ${PRICE}`, example: 0.000005 })
  model_price_cached!: number | null;
}

export class ModelPage extends PageOf(ModelView) {}

export class ListModels extends ListQuery(ModelView, { whole: true }) {}

/** A model of a provider as clients write it. */
@Accepts()
class ProvidedModelBody implements ProvidedModel {
  @Text({ min: 1, max: 150, about: "The provider's own name of the model; it may contain `/`.", example: 'gpt-5-mini' }) model!: string;
  @Text({ omittable: true, min: 1, max: 150, about: 'Name for people; the name above when absent.', example: 'GPT-5 mini' })
  model_name?: string;
  @Choice(MODEL_KINDS, { about: 'What it makes.', example: 'text' }) model_kind!: ModelKind;
  @TextList({
    omittable: true,
    max: MODEL_CAPABILITIES.length,
    about: 'What it can do: tools, vision, json (answers by a schema), reasoning, streaming.',
    example: ['tools', 'json', 'streaming'],
  })
  model_capabilities?: Capability[];
  @Whole({
    optional: true,
    min: 1,
    max: 100_000_000,
    about: 'Tokens that it can read and write in one call; null: not known.',
    example: 128_000,
  })
  model_context?: number | null;
  @Whole({ optional: true, min: 1, max: 10_000_000, about: 'Tokens that it can write in one answer; null: not known.', example: 16_384 })
  model_max_output?: number | null;
  @Flag({ omittable: true, about: 'False: it cannot be used.' }) model_active?: boolean;
  @Flag({ omittable: true, about: 'True: it is used where no model of its kind is named.' }) model_default?: boolean;
}

@Accepts()
/** What a body says of a provider in a form of its own: its models, and the secrets that no answer shows. */
class ProviderModelsAndSecrets {
  @NestedList(() => ProvidedModelBody, { omittable: true, max: MOST_MODELS, about: 'Its models.' }) mp_models?: ProvidedModelBody[];
  @Text({
    secret: true,
    optional: true,
    max: 2_000,
    about: 'API key. It is stored encrypted and never shown; null removes it.',
    example: 'sk-…',
  })
  mp_key?: string | null;
  @Json({
    secret: true,
    omittable: true,
    max: 64 * 1024,
    about: 'Headers that are sent with each request. Values are stored encrypted and never shown; the object replaces all of them.',
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
  @Text({ about: "The provider's own name of the model.", example: 'gpt-5-mini' }) model!: string;
  @Text({ omittable: true, about: 'Name for people.', example: 'GPT-5 mini' }) model_name?: string;
  @Choice(MODEL_KINDS, { about: 'What it makes.', example: 'text' }) model_kind!: ModelKind;
  @TextList({ omittable: true, about: 'What it can do.' }) model_capabilities?: readonly Capability[];
  @Whole({ optional: true, omittable: true, about: 'Tokens that it can read and write in one call.' }) model_context?: number | null;
  @Whole({ optional: true, omittable: true, about: 'Tokens that it can write in one answer.' }) model_max_output?: number | null;
  @Flag({ omittable: true, about: 'False: it cannot be used.' }) model_active?: boolean;
  @Flag({ omittable: true, about: 'True: it is used where no model of its kind is named.' }) model_default?: boolean;
}

@Answer()
export class ModelProviderView extends View(ModelProvider, { without: ['mp_models'] }) {
  @NestedList(() => ProvidedModelView, { about: 'Its models.' }) mp_models!: ProvidedModelView[];
  @Flag({ about: 'Whether it has an API key.' }) mp_key_set!: boolean;
  @Flag({ about: 'True: it belongs to the installation and is read only.' }) mp_managed!: boolean;
}

export class ModelProviderPage extends PageOf(ModelProviderView) {}

export class ListModelProviders extends ListQuery(ModelProviderView, { whole: true }) {}
