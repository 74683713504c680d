import { Injectable } from '@nestjs/common';
import { requireScope } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { Credentials } from '@atrium/platform/outbound';
import { LOCAL_MODEL, localModel } from '../domain/local-model';
import { fitsWish, MODEL_KINDS, modelOf, type Model, type ModelAccess, type ModelWish } from '../domain/model';
import { ModelProvidersRepository, type ActiveProvider } from '../infrastructure/model-providers.repository';
import { EnvironmentModels } from './environment-models';
import { PROVIDER_CREDENTIAL } from './model-providers.service';

/** The setting that configures a model of a kind, for the error when there is none. */
const SETTING_OF = { vision: 'MODEL_VISION', text: 'MODEL_TEXT', embedding: 'MODEL_EMBEDDING' } as const;

/** The models that a workspace may use, and how they are reached: its own providers first, then those of the installation. */
@Injectable()
export class ModelRegistry {
  constructor(
    private readonly providers: ModelProvidersRepository,
    private readonly environment: EnvironmentModels,
    private readonly credentials: Credentials,
  ) {}

  /** Every model that can be asked. Of each kind, one is the default: the one that is found where none is named. */
  async listModels(): Promise<Model[]> {
    const all = await this.all();
    const defaults = new Set(MODEL_KINDS.map((model_kind) => chosen(all, { model_kind })?.model.model_id));
    return all.map(({ model }) => ({ ...model, model_default: defaults.has(model.model_id) }));
  }

  /** The model for the request: the named one, else the first default, else the first; null when there is none. */
  async findModel(wish: ModelWish): Promise<ModelAccess | null> {
    return chosen(await this.all(), wish);
  }

  /**
   * Whether the workspace has a text model of that name, for what is about to name it: in the same unit of work, its provider can be
   * neither changed nor removed.
   */
  async hasText(model_id: string): Promise<boolean> {
    await this.providers.lockProvider(model_id.slice(0, Math.max(0, model_id.indexOf('/'))));
    return (await this.findModel({ model_kind: 'text', model_id })) !== null;
  }

  /** The same, or the problem `not_configured`, naming the setting. */
  async resolveModel(wish: ModelWish): Promise<ModelAccess> {
    const found = await this.findModel(wish);
    if (found) return found;
    const setting =
      wish.capability === 'vision' ? SETTING_OF.vision : wish.model_kind === 'embedding' ? SETTING_OF.embedding : SETTING_OF.text;
    throw new Problem(
      'not_configured',
      `No model is configured for this. Ask the operator to set ${setting}, or add a model provider to the workspace.`,
    );
  }

  private async all(): Promise<readonly ModelAccess[]> {
    const own = (await this.providers.findActiveProviders()).flatMap((provider) => this.modelsOf(provider));
    return [...own, ...this.environment.listModels({ hasText: own.some(({ model }) => model.model_kind === 'text') })];
  }

  /** Models of a kind that the protocol has no adapter for cannot be asked. */
  private modelsOf({ mp_name, mp_type, mp_base_url, mp_models, mp_key_enc }: ActiveProvider): ModelAccess[] {
    const usable = mp_models.filter(({ model_active = true }) => model_active);
    if (mp_type === 'local') return usable.filter(({ model }) => model === LOCAL_MODEL).map((facts) => localModel(facts, mp_name));
    const asked = mp_type === 'anthropic' ? usable.filter(({ model_kind }) => model_kind === 'text') : usable;
    if (mp_base_url === null || asked.length === 0) return [];
    const { key = null, headers = {} } =
      mp_key_enc === null ? {} : this.credentials.open(requireScope().tenant_id, PROVIDER_CREDENTIAL, mp_key_enc);
    return asked.map((provided) => ({
      model: modelOf(mp_name, provided),
      name: provided.model,
      protocol: mp_type === 'anthropic' ? 'anthropic' : 'openai',
      ...(mp_type === 'openai' ? { dialect: 'openai' as const } : {}),
      base_url: mp_base_url,
      key: key as string | null,
      headers: headers as Record<string, string>,
    }));
  }
}

function chosen(all: readonly ModelAccess[], wish: ModelWish): ModelAccess | null {
  const fitting = all.filter(({ model }) => fitsWish(model, wish));
  return fitting.find(({ model }) => model.model_default) ?? fitting[0] ?? null;
}
