import { Injectable } from '@nestjs/common';
import { PriceList } from '@atrium/governance';
import { ModelRegistry, type Model, type ModelKind } from '@atrium/models';

/** A model with what it costs. */
export interface PricedModel extends Omit<Model, 'model_default'> {
  readonly model_default: boolean;
  readonly model_configured: boolean;
  readonly model_active: boolean;
  /** Credits per token; null for models that are not charged by tokens. */
  readonly model_price_input: number | null;
  readonly model_price_output: number | null;
  readonly model_price_cached: number | null;
}

/** Kinds that something in this service asks. */
const ASKED: ReadonlySet<ModelKind> = new Set(['text', 'embedding']);

/** The models that a workspace can use, with the prices in force. */
@Injectable()
export class ModelCatalog {
  constructor(
    private readonly registry: ModelRegistry,
    private readonly prices: PriceList,
  ) {}

  async listModels(): Promise<PricedModel[]> {
    const [models, creditsOf] = await Promise.all([this.registry.listModels(), this.prices.readUnitPrices()]);
    return models.map((model) => {
      const { model_id, model_kind } = model;
      const isText = model_kind === 'text';
      return {
        ...model,
        model_configured: ASKED.has(model_kind),
        model_active: true,
        model_price_input: isText
          ? creditsOf('ai.input_tokens', model_id)
          : model_kind === 'embedding'
            ? creditsOf('ai.embedding_tokens', model_id)
            : null,
        model_price_output: isText ? creditsOf('ai.output_tokens', model_id) : null,
        model_price_cached: isText ? creditsOf('ai.cached_tokens', model_id) : null,
      };
    });
  }
}
