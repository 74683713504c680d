export const MODEL_KINDS = ['text', 'embedding', 'image', 'speech', 'transcription'] as const;
export type ModelKind = (typeof MODEL_KINDS)[number];

export const MODEL_CAPABILITIES = ['tools', 'vision', 'json', 'reasoning', 'streaming'] as const;
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

/** A model as a provider's row names it: without the provider. */
export interface ProvidedModel {
  /** The provider's own name of it; may contain `/`. */
  readonly model: string;
  readonly model_name?: string;
  readonly model_kind: ModelKind;
  readonly model_capabilities?: readonly ModelCapability[];
  readonly model_context?: number | null;
  readonly model_max_output?: number | null;
  readonly model_active?: boolean;
  readonly model_default?: boolean;
}

/** A model of the catalog: what it can do and who provides it. */
export interface Model {
  /** `provider/model`. */
  readonly model_id: string;
  readonly model_name: string;
  readonly model_kind: ModelKind;
  readonly model_capabilities: readonly ModelCapability[];
  readonly model_context: number | null;
  readonly model_max_output: number | null;
  readonly model_provider: string;
  readonly model_default: boolean;
}

/** The kind of model that is needed. */
export interface ModelWish {
  readonly model_kind: ModelKind;
  readonly capability?: ModelCapability;
  /** A certain one; else the default of its kind. */
  readonly model_id?: string;
}

/** Where a model is asked and with what. */
export interface ModelAccess {
  readonly model: Model;
  /** The provider's own name of the model. */
  readonly name: string;
  readonly protocol: 'openai' | 'anthropic' | 'ollama' | 'local';
  /** `openai`: the provider is OpenAI itself, which names some parameters otherwise than those that are compatible with it. */
  readonly dialect?: 'openai' | undefined;
  readonly base_url: string;
  readonly key: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

export const modelOf = (provider: string, { model, ...facts }: ProvidedModel): Model => ({
  model_id: `${provider}/${model}`,
  model_name: facts.model_name ?? model,
  model_kind: facts.model_kind,
  model_capabilities: facts.model_capabilities ?? [],
  model_context: facts.model_context ?? null,
  model_max_output: facts.model_max_output ?? null,
  model_provider: provider,
  model_default: facts.model_default ?? false,
});

export const fitsWish = (model: Model, { model_kind, capability, model_id }: ModelWish): boolean =>
  model.model_kind === model_kind &&
  (capability === undefined || model.model_capabilities.includes(capability)) &&
  (model_id === undefined || model.model_id === model_id);
