import { withoutEnd } from '@atrium/platform/kernel';
import { Injectable } from '@nestjs/common';
import { Settings } from '@atrium/platform/config';
import { LOCAL_PROVIDER, localModel } from '../domain/local-model';
import { modelOf, type ModelAccess, type ProvidedModel } from '../domain/model';

/** The models that the environment describes; every workspace may use them, and only the operator changes them. */
@Injectable()
export class EnvironmentModels {
  private readonly models: readonly ModelAccess[];
  private readonly provider: string;

  constructor(settings: Settings) {
    this.provider = settings.MODEL_PROVIDER;
    const base_url = withoutEnd(settings.MODEL_BASE_URL, /\//);
    const embeddings = withoutEnd(settings.MODEL_EMBEDDING_BASE_URL || settings.MODEL_BASE_URL, /\//);
    const access = (at: string, protocol: ModelAccess['protocol'], model: ProvidedModel): ModelAccess[] =>
      at === '' || model.model === ''
        ? []
        : [
            {
              model: modelOf(this.provider, model),
              name: model.model,
              protocol,
              base_url: at,
              key: settings.MODEL_API_KEY || null,
              headers: {},
            },
          ];
    const { MODEL_TEXT: text, MODEL_VISION: vision } = settings;
    this.models = [
      ...access(base_url, 'openai', {
        model: text,
        model_kind: 'text',
        model_default: true,
        model_capabilities: text === vision ? ['vision', 'tools', 'streaming'] : ['tools', 'streaming'],
      }),
      ...(vision === text ? [] : access(base_url, 'openai', { model: vision, model_kind: 'text', model_capabilities: ['vision'] })),
      ...access(embeddings, settings.MODEL_EMBEDDING_PROTOCOL, {
        model: settings.MODEL_EMBEDDING,
        model_kind: 'embedding',
        model_default: true,
      }),
    ];
  }

  /** Those of the settings, then the built-in model; it is the default where no other is configured to write text. */
  listModels({ hasText }: { readonly hasText: boolean }): readonly ModelAccess[] {
    const isConfigured = hasText || this.models.some(({ model }) => model.model_kind === 'text' && model.model_default);
    return [...this.models, localModel({ model_default: !isConfigured })];
  }

  /** The same as providers: they are shown with those of a workspace, and only the operator changes them. */
  listProviders(): readonly { readonly name: string; readonly access: readonly ModelAccess[] }[] {
    return [
      ...(this.models.length > 0 ? [{ name: this.provider, access: this.models }] : []),
      { name: LOCAL_PROVIDER, access: [localModel()] },
    ];
  }

  /** Whether the name is reserved, so that a workspace cannot give it to a provider. */
  isName(name: string): boolean {
    return name === this.provider || name === LOCAL_PROVIDER;
  }
}
