import { Choice, Flag, Id, Json, Resource, Stamp, TenantRow, Text, type TextForm, TextList } from '@atrium/platform/database';
import { invalidField, type Clock, withoutEnd } from '@atrium/platform/kernel';
import { LOCAL_MODEL } from './local-model';
import { MODEL_CAPABILITIES, MODEL_KINDS, type ProvidedModel } from './model';

export const PROVIDER_TYPES = ['openai', 'anthropic', 'openai-compatible', 'local'] as const;
export type ProviderType = (typeof PROVIDER_TYPES)[number];

const NAME: TextForm = {
  pattern: /^[a-z][a-z0-9-]{0,39}$/,
  words: 'a name of lowercase letters, digits and hyphens that begins with a letter',
};
/** Maximum length of a detail of a usage entry; the id of a model is one. */
const MODEL = /^[A-Za-z0-9._:@/+-]{1,150}$/;
const HEADER = /^[A-Za-z][A-Za-z0-9-]{0,63}$/;
const MOST_MODELS = 200;
const MOST_HEADERS = 20;

/** What a workspace sets for a provider. */
export interface ProviderFacts {
  readonly mp_name?: string;
  readonly mp_type?: ProviderType;
  readonly mp_base_url?: string | null;
  readonly mp_models?: readonly ProvidedModel[];
  readonly mp_active?: boolean;
  /** Write-only; null removes it. */
  readonly mp_key?: string | null;
  /** Write-only values by name. */
  readonly mp_headers?: Readonly<Record<string, string>>;
}

/** A model provider of one workspace. Its key and the values of its headers are stored sealed and never shown. */
@Resource({ table: 'model_provider', sort: '-mp_created' })
export class ModelProvider extends TenantRow {
  @Id({ about: 'Id of the provider.' }) readonly mp_id!: string;
  @Text({ min: 1, max: 40, form: NAME, about: 'Name of the provider; the first part of the ids of its models.', example: 'openai' })
  mp_name!: string;
  @Choice(PROVIDER_TYPES, { about: 'Protocol of the provider.', example: 'openai-compatible' }) mp_type!: ProviderType;
  @Text({ optional: true, max: 2_000, format: 'uri', about: 'Base URL, including the version.', example: 'https://api.openai.com/v1' })
  mp_base_url!: string | null;
  @Json({ about: 'Models of the provider.' }) mp_models!: readonly ProvidedModel[];
  @TextList({ max: MOST_HEADERS, about: 'Names of the headers sent with each request.' }) mp_headers!: readonly string[];
  @Flag({ about: 'Whether the models of the provider can be used.' }) mp_active!: boolean;
  @Stamp({ about: 'When the provider was added.', sort: true }) mp_created!: Date;
  @Stamp({ about: 'When the provider was last changed.' }) mp_updated!: Date;

  @Text({ internal: true, optional: true }) mp_key_enc!: string | null;
  @Text({ internal: true, optional: true }) mp_key_id!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<ModelProvider, 'mp_id'>, now: Date): ModelProvider {
    return Object.assign(new ModelProvider(), {
      mp_base_url: null,
      mp_models: [],
      mp_headers: [],
      mp_active: true,
      mp_key_enc: null,
      mp_key_id: null,
      mp_created: now,
      ...facts,
    });
  }

  /** Validates and applies the changes. The caller seals key and headers. */
  take(facts: ProviderFacts, clock: Clock): void {
    const { mp_name, mp_type, mp_base_url, mp_models, mp_active, mp_headers } = facts;
    if (mp_name !== undefined && !NAME.pattern.test(mp_name)) throw invalidField('mp_name', `must be ${NAME.words}`, 'pattern');
    this.mp_name = mp_name ?? this.mp_name;
    this.mp_type = mp_type ?? this.mp_type;
    if (mp_base_url !== undefined) this.moveTo(mp_base_url && withoutEnd(mp_base_url, /\//), facts);
    if (this.mp_type !== 'local' && !this.mp_base_url) throw invalidField('mp_base_url', 'is required for this type', 'required');
    if (mp_models !== undefined) this.mp_models = checkedModels(mp_models);
    checkedForType(this);
    if (mp_headers !== undefined) this.mp_headers = checkedHeaders(mp_headers);
    this.mp_active = mp_active ?? this.mp_active;
    this.mp_updated = clock.now();
  }

  /** Secrets are for the host that they were entered for: who changes it has to know them, or remove them. */
  private moveTo(mp_base_url: string | null, { mp_key, mp_headers }: ProviderFacts): void {
    if (mp_base_url !== null && originOf(mp_base_url) !== originOf(this.mp_base_url)) {
      if (this.mp_key_id !== null && mp_key === undefined)
        throw invalidField(
          'mp_key',
          'is required when mp_base_url moves to another host: send the key for it, or null to remove the key',
          'required',
        );
      if (this.mp_headers.length > 0 && mp_headers === undefined)
        throw invalidField(
          'mp_headers',
          'is required when mp_base_url moves to another host: send the headers with their values, or {} to remove them',
          'required',
        );
    }
    this.mp_base_url = mp_base_url;
  }
}

/** Null where there is none; two that cannot be read count as different. */
const originOf = (url: string | null): string | null => (url !== null && URL.canParse(url) ? new URL(url).origin : url);

/** A provider of the built-in model has no other. */
function checkedForType({ mp_type, mp_models }: Pick<ModelProvider, 'mp_type' | 'mp_models'>): void {
  const other = mp_type === 'local' ? mp_models.findIndex(({ model, model_kind }) => model !== LOCAL_MODEL || model_kind !== 'text') : -1;
  if (other >= 0) throw invalidField(`mp_models[${other}].model`, `must be ${LOCAL_MODEL}, of the kind text, for the type local`, 'choice');
}

function checkedModels(models: readonly ProvidedModel[]): readonly ProvidedModel[] {
  if (models.length > MOST_MODELS) throw invalidField('mp_models', `must have at most ${MOST_MODELS} items`, 'too_many');
  models.forEach((one, at) => {
    if (typeof one.model !== 'string' || !MODEL.test(one.model))
      throw invalidField(`mp_models[${at}].model`, 'must be the name of a model', 'pattern');
    if (!MODEL_KINDS.includes(one.model_kind))
      throw invalidField(`mp_models[${at}].model_kind`, `must be one of ${MODEL_KINDS.join(', ')}`, 'choice');
    if (one.model_capabilities?.some((word) => !MODEL_CAPABILITIES.includes(word)))
      throw invalidField(`mp_models[${at}].model_capabilities`, `must contain only ${MODEL_CAPABILITIES.join(', ')}`, 'choice');
    if (models.findIndex(({ model }) => model === one.model) !== at)
      throw invalidField(`mp_models[${at}].model`, 'is listed twice', 'duplicate');
  });
  return models;
}

function checkedHeaders(headers: Readonly<Record<string, string>>): string[] {
  const names = Object.keys(headers);
  if (names.length > MOST_HEADERS) throw invalidField('mp_headers', `must have at most ${MOST_HEADERS} items`, 'too_many');
  for (const name of names) {
    const value: unknown = headers[name];
    if (!HEADER.test(name) || typeof value !== 'string' || !/^[\x20-\x7e]{0,2000}$/.test(value))
      throw invalidField(`mp_headers.${name}`, 'must be a valid header name that is allowed here', 'pattern');
  }
  return names;
}
