import { Injectable } from '@nestjs/common';
import { Audit, changes } from '@atrium/platform/access';
import { Database, requireScope, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Credentials, GuardedHttp } from '@atrium/platform/outbound';
import { ModelProvider, type ProviderFacts } from '../domain/model-provider';
import { ModelProvidersRepository, type ProviderRow } from '../infrastructure/model-providers.repository';
import { EnvironmentModels } from './environment-models';
import { MODELS_AUDIT } from './models.audit';

/** Purpose of the sealed credential of a provider. */
export const PROVIDER_CREDENTIAL = 'model-provider';

const SECRETS = ['mp_key_enc'];
const TOLD = ['mp_name', 'mp_type', 'mp_base_url', 'mp_models', 'mp_headers', 'mp_active', 'mp_key_enc'] as const;

/** Model providers that a workspace adds to those of the installation. A URL in a private network is rejected when it is entered. */
@Injectable()
export class ModelProviders {
  constructor(
    private readonly db: Database,
    private readonly providers: ModelProvidersRepository,
    private readonly environment: EnvironmentModels,
    private readonly credentials: Credentials,
    private readonly http: GuardedHttp,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(query: ListParameters): Promise<Page<ProviderRow>> {
    return this.db.read(() => this.providers.page(query));
  }

  one(mp_id: string): Promise<ProviderRow & { row_version: number }> {
    return this.db.read(() => this.read(mp_id));
  }

  async create(facts: ProviderFacts & Required<Pick<ProviderFacts, 'mp_name' | 'mp_type'>>): Promise<ProviderRow> {
    const provider = Object.assign(new ModelProvider(), {
      mp_id: this.ids.next(),
      mp_base_url: null,
      mp_models: [],
      mp_headers: [],
      mp_active: true,
      mp_key_enc: null,
      mp_key_id: null,
      mp_created: this.clock.now(),
    });
    await this.reach(facts);
    return this.db.write(async () => {
      await this.take(provider, facts);
      await this.providers.insert(provider);
      this.audit.record({
        type: MODELS_AUDIT['model_provider.created'],
        target: targetOf(provider),
        ...changes(null, told(provider), SECRETS),
      });
      return this.read(provider.mp_id);
    });
  }

  async change(mp_id: string, facts: ProviderFacts, precondition?: Precondition): Promise<ProviderRow> {
    await this.reach(facts);
    return this.db.write(async () => {
      const provider = await this.providers.lock(mp_id, precondition);
      const before = told(provider);
      await this.take(provider, facts);
      if (await this.providers.save(provider))
        this.audit.record({
          type: MODELS_AUDIT['model_provider.updated'],
          target: targetOf(provider),
          ...changes(before, told(provider), SECRETS),
        });
      return this.read(mp_id);
    });
  }

  remove(mp_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const provider = await this.providers.lock(mp_id, precondition);
      await this.providers.remove(provider);
      this.audit.record({
        type: MODELS_AUDIT['model_provider.deleted'],
        target: targetOf(provider),
        ...changes(told(provider), null, SECRETS),
      });
    });
  }

  private async reach({ mp_base_url }: ProviderFacts): Promise<void> {
    if (mp_base_url) await this.http.check(mp_base_url);
  }

  private async take(provider: ModelProvider, facts: ProviderFacts): Promise<void> {
    provider.take(facts, this.clock);
    if (this.environment.isName(provider.mp_name) || (await this.providers.hasName(provider.mp_name, provider.mp_id))) {
      throw new Problem('already_exists', `A model provider named ${provider.mp_name} already exists. Choose another name.`);
    }
    if (facts.mp_key === undefined && facts.mp_headers === undefined) return;
    const { tenant_id } = requireScope();
    const known = provider.mp_key_enc === null ? {} : this.credentials.open(tenant_id, PROVIDER_CREDENTIAL, provider.mp_key_enc);
    const secret: JsonObject = {
      ...known,
      ...(facts.mp_key === undefined ? {} : { key: facts.mp_key }),
      ...(facts.mp_headers === undefined ? {} : { headers: { ...facts.mp_headers } }),
    };
    provider.mp_key_enc = this.credentials.seal(tenant_id, PROVIDER_CREDENTIAL, secret);
    provider.mp_key_id = secret.key === null || secret.key === undefined ? null : (provider.mp_key_enc.split('.')[1] ?? null);
  }

  private async read(mp_id: string): Promise<ProviderRow & { row_version: number }> {
    const row = await this.providers.one(mp_id);
    if (!row) throw notFound('model provider');
    return row;
  }
}

const told = (provider: ModelProvider): Partial<ModelProvider> => Object.fromEntries(TOLD.map((name) => [name, provider[name]]));
const targetOf = ({ mp_id, mp_name }: ModelProvider) => ({ type: 'model_provider', id: mp_id, name: mp_name });
