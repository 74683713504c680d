import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, requireScope, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidState, notFound, pick, Problem, type JsonObject } from '@atrium/platform/kernel';
import { Credentials, GuardedHttp } from '@atrium/platform/outbound';
import { ModelProvider, type ProviderFacts } from '../domain/model-provider';
import { ModelProvidersRepository } from '../infrastructure/model-providers.repository';
import { EnvironmentModels } from './environment-models';
import { managedProviders, type ShownProvider } from './managed-providers';
import { ModelUsers, type UsersOfModels } from './model-users';

/** Audit of changes to model providers. */
const MODELS_AUDIT = defineAuditTypes({
  'model_provider.created': 'A model provider was added.',
  'model_provider.updated': 'A model provider was changed.',
  'model_provider.deleted': 'A model provider was removed.',
});

/** Purpose of the sealed credential of a provider. */
export const PROVIDER_CREDENTIAL = 'model-provider';

const MOST_PROVIDERS = 100;
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
    private readonly users: ModelUsers,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Those of the workspace, newest first, then those of the installation; a workspace has few. */
  async list(): Promise<ShownProvider[]> {
    const own = await this.db.read(() => this.providers.listProviders());
    return [...own.map((row) => ({ ...row, mp_managed: false })), ...this.managed()];
  }

  async get(mp_id: string): Promise<ShownProvider & { row_version: number }> {
    const managed = this.managed().find((provider) => provider.mp_id === mp_id);
    return managed ? { ...managed, row_version: 1 } : this.db.read(() => this.read(mp_id));
  }

  async create(facts: ProviderFacts & Required<Pick<ProviderFacts, 'mp_name' | 'mp_type'>>): Promise<ShownProvider> {
    const provider = ModelProvider.blank({ mp_id: this.ids.next() }, this.clock.now());
    await this.reach(facts);
    return this.db.write(async () => {
      if ((await this.providers.countForAddition()) >= MOST_PROVIDERS)
        throw new Problem('limit_reached', `A workspace can have at most ${MOST_PROVIDERS} model providers. Remove one first.`);
      await this.take(provider, facts);
      await this.providers.insert(provider);
      this.audit.record({
        type: MODELS_AUDIT['model_provider.created'],
        target: targetOf(provider),
        ...changesBetween(null, told(provider), SECRETS),
      });
      return this.read(provider.mp_id);
    });
  }

  async change(mp_id: string, facts: ProviderFacts, precondition?: Precondition): Promise<ShownProvider> {
    this.assertOwn(mp_id);
    await this.reach(facts);
    return this.db.write(async () => {
      const provider = await this.providers.lock(mp_id, precondition);
      const before = told(provider);
      await this.take(provider, facts);
      if (await this.providers.save(provider))
        this.audit.record({
          type: MODELS_AUDIT['model_provider.updated'],
          target: targetOf(provider),
          ...changesBetween(before, told(provider), SECRETS),
        });
      return this.read(mp_id);
    });
  }

  /** Not while something active names one of its models; its key goes with it. */
  async remove(caller: Principal, mp_id: string, precondition?: Precondition): Promise<void> {
    this.assertOwn(mp_id);
    await this.db.write(async () => {
      const provider = await this.providers.lock(mp_id, precondition);
      const users = await this.users.findUsers(provider.mp_name, caller);
      if (users.length > 0) throw inUse(users);
      await this.providers.remove(provider);
      this.audit.record({
        type: MODELS_AUDIT['model_provider.deleted'],
        target: targetOf(provider),
        ...changesBetween(told(provider), null, SECRETS),
      });
    });
  }

  private managed(): ShownProvider[] {
    return managedProviders(this.environment.listProviders());
  }

  private assertOwn(mp_id: string): void {
    if (this.managed().some((provider) => provider.mp_id === mp_id))
      throw invalidState('This model provider belongs to the installation. Its operator can change it with the settings MODEL_*.');
  }

  private async reach({ mp_base_url }: ProviderFacts): Promise<void> {
    if (mp_base_url) await this.http.checkAddress(mp_base_url);
  }

  private async take(provider: ModelProvider, facts: ProviderFacts): Promise<void> {
    provider.take(facts, this.clock);
    if (this.environment.isName(provider.mp_name) || (await this.providers.hasName(provider.mp_name, provider.mp_id))) {
      throw alreadyExists('mp_name', `A model provider named ${provider.mp_name} already exists. Choose another name.`);
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

  private async read(mp_id: string): Promise<ShownProvider & { row_version: number }> {
    const row = await this.providers.findProviderRow(mp_id);
    if (!row) throw notFound('model provider');
    return { ...row, mp_managed: false };
  }
}

function inUse(users: readonly (UsersOfModels & { readonly kind: string })[]): Problem {
  const names = users
    .flatMap(({ kind, named, others }) => [
      ...named.map(({ name }) => `${kind} "${name}"`),
      ...(others === 0 ? [] : [`${others} ${named.length > 0 ? 'other ' : ''}${kind}${others === 1 ? '' : 's'}`]),
    ])
    .join(', ');
  return new Problem('in_use', `Models of this provider are used by ${names}. Choose another model there first.`);
}

const told = (provider: ModelProvider): Partial<ModelProvider> => pick(provider, TOLD);
const targetOf = ({ mp_id, mp_name }: ModelProvider) => ({ type: 'model_provider', id: mp_id, name: mp_name });
