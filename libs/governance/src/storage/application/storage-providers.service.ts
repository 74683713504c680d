import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceStarts } from '@atrium/identity';
import { Audit, changesBetween } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database, requireScope, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, invalidState, notFound, pick, Problem } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { Credentials } from '@atrium/platform/outbound';
import type { S3Verdict } from '@atrium/platform/storage';
import { maskedKey, MAX_PROVIDERS, objectsThere, StorageProvider, type ProviderFacts } from '../domain/storage-provider';
import { StorageProvidersRepository, type ProviderDetail, type ProviderRow } from '../infrastructure/storage-providers.repository';
import { CREDENTIAL_USE, StorageProviderCheck, storageKeysIn, type StorageKeys } from './storage-provider-check';
import { STORAGE_AUDIT } from './storage.service';

export type { ProviderDetail, ProviderRow } from '../infrastructure/storage-providers.repository';

export type NewProvider = ProviderFacts &
  Required<Pick<ProviderFacts, 'sto_name' | 'sto_endpoint' | 'sto_bucket' | 'sto_access_key' | 'sto_secret'>>;

const SECRETS = ['sto_credential'];
const PLACE = ['sto_endpoint', 'sto_bucket', 'sto_prefix'] as const;
const VERDICT = ['sto_status', 'sto_checked_at', 'sto_error'] as const;
const VERIFIED = [...PLACE, 'sto_region', 'sto_path_style', 'sto_sse', 'sto_credential'] as const;
const CHANGED = [...VERIFIED, 'sto_name', 'sto_access_key', 'sto_active'] as const;

/**
 * The stores that a workspace may keep its bytes in. What is entered is tried out before it is kept; credentials are
 * stored sealed and are sent only to the provider they belong to.
 */
@Injectable()
export class StorageProviders implements OnModuleInit {
  private readonly platformKind: string;

  constructor(
    private readonly db: Database,
    private readonly providers: StorageProvidersRepository,
    private readonly check: StorageProviderCheck,
    private readonly credentials: Credentials,
    private readonly starts: WorkspaceStarts,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
    settings: Settings,
  ) {
    this.platformKind = settings.S3_ENDPOINT === '' ? 'disk' : 's3';
  }

  onModuleInit(): void {
    this.starts.register({ context: 'governance', setUpWorkspace: () => this.providers.ensurePlatform() });
  }

  list(query: ListParameters): Promise<Page<ProviderRow>> {
    return this.db.read(() => this.providers.listProviders(query, this.platformKind));
  }

  get(sto_id: string): Promise<ProviderDetail> {
    return this.db.read(() => this.read(sto_id));
  }

  async create(facts: NewProvider): Promise<ProviderDetail> {
    const provider = StorageProvider.blank({ sto_id: this.ids.next() }, this.clock.now());
    const keys = this.take(provider, facts, null);
    await this.tryOut(provider, keys);
    return this.db.write(async () => {
      const { count, twin } = await this.providers.summarizeSiblings(provider);
      if (twin) throw nameTaken();
      if (count >= MAX_PROVIDERS) throw new Problem('limit_reached', `A workspace can have at most ${MAX_PROVIDERS} storage providers.`);
      await this.providers.insert(provider);
      this.audit.record({
        type: STORAGE_AUDIT['storage_provider.created'],
        target: targetOf(provider),
        ...changesBetween(null, told(provider), SECRETS),
      });
      return this.read(provider.sto_id);
    });
  }

  async change(sto_id: string, facts: ProviderFacts, precondition?: Precondition): Promise<ProviderDetail> {
    const seen = await this.db.read(() => this.own(sto_id));
    const wanted = Object.assign(new StorageProvider(), seen);
    const keys = this.take(wanted, facts, seen);
    const moved = PLACE.some((name) => wanted[name] !== seen[name]);
    if (moved && (await this.db.read(() => this.providers.hasObjects(sto_id)))) throw objectsThere();
    const tried = VERIFIED.some((name) => wanted[name] !== seen[name]);
    if (tried) await this.tryOut(wanted, keys);
    return this.db.write(async () => {
      const provider = await this.providers.lock(sto_id, precondition, (row) => row.assertOwn());
      if (VERIFIED.some((name) => provider[name] !== seen[name]))
        throw invalidState('The provider has been changed since you read it; read it again.');
      if (moved && (await this.providers.hasObjects(sto_id))) throw objectsThere();
      const before = told(provider);
      if (wanted.sto_name !== provider.sto_name && (await this.providers.summarizeSiblings(wanted)).twin) throw nameTaken();
      if (provider.sto_default && !wanted.sto_active)
        throw invalidState('The default provider must stay active. Make another provider the default first.');
      const recovered = tried && provider.sto_status === 'failing';
      const names = [...CHANGED, ...(tried ? VERDICT : [])];
      Object.assign(provider, pick(wanted, names), { sto_updated: this.clock.now() });
      await this.providers.save(provider);
      if (recovered)
        this.outbox.emitEvent({ name: 'storage_provider.recovered', subject_id: sto_id, payload: { sto_name: provider.sto_name } });
      this.audit.record({
        type: STORAGE_AUDIT['storage_provider.updated'],
        target: targetOf(provider),
        ...changesBetween(before, told(provider), SECRETS),
      });
      return this.read(sto_id);
    });
  }

  remove(sto_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const provider = await this.providers.lock(sto_id, precondition, (row) => row.assertRemovable());
      if (await this.providers.hasObjects(sto_id)) throw objectsThere();
      await this.providers.remove(provider);
      this.audit.record({
        type: STORAGE_AUDIT['storage_provider.deleted'],
        target: targetOf(provider),
        ...changesBetween(told(provider), null, SECRETS),
      });
    });
  }

  /** Tries everything out once more, and keeps what it found. */
  async verify(sto_id: string): Promise<{ readonly sto_status: string; readonly steps: S3Verdict['steps'] }> {
    const seen = await this.db.read(() => this.own(sto_id));
    await this.check.assertAddress(seen);
    const verdict = await this.check.verifyLocation(seen, this.keysOf(seen));
    return this.db.write(async () => {
      const provider = await this.providers.lock(sto_id);
      const before = provider.verified(verdict, this.clock);
      await this.providers.save(provider);
      const name =
        provider.sto_status === 'failing' ? 'storage_provider.failing' : before === 'failing' ? 'storage_provider.recovered' : null;
      if (before && name)
        this.outbox.emitEvent({ name, subject_id: sto_id, payload: { sto_name: provider.sto_name, step: verdict.failed?.step ?? null } });
      return { sto_status: provider.sto_status, steps: verdict.steps };
    });
  }

  makeDefault(sto_id: string): Promise<ProviderDetail> {
    return this.db.write(async () => {
      const provider = await this.providers.lock(sto_id);
      if (!provider.sto_default) {
        provider.becomeDefault();
        const before = await this.providers.dropDefault();
        provider.sto_updated = this.clock.now();
        await this.providers.save(provider);
        this.audit.record({
          type: STORAGE_AUDIT['storage_provider.default_changed'],
          target: targetOf(provider),
          before: { default_provider: before },
          after: { default_provider: sto_id },
        });
      }
      return this.read(sto_id);
    });
  }

  async listBuckets(sto_id: string): Promise<{ readonly bucket: string; readonly created: Date }[]> {
    const provider = await this.db.read(() => this.own(sto_id));
    return this.check.listBuckets(provider, this.keysOf(provider));
  }

  private async read(sto_id: string): Promise<ProviderDetail> {
    const row = await this.providers.findProviderDetail(sto_id, this.platformKind);
    if (!row) throw notFound('storage provider');
    return row;
  }

  private async own(sto_id: string): Promise<StorageProvider> {
    const provider = await this.providers.findRow(sto_id);
    if (!provider) throw notFound('storage provider');
    provider.assertOwn();
    return provider;
  }

  /** Takes over what was said, credentials sealed; answers the keys in use. */
  private take(
    provider: StorageProvider,
    { sto_secret, sto_access_key, ...facts }: ProviderFacts,
    before: StorageProvider | null,
  ): StorageKeys {
    if (facts.sto_kind === 'disk') throw invalidField('sto_kind', 'disk is reserved for the platform', 'choice');
    Object.assign(provider, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)), {
      sto_updated: this.clock.now(),
    });
    if (provider.sto_prefix === '') provider.sto_prefix = null;
    const known = before ? this.keysOf(before) : { access_key: '', secret: '' };
    const keys = { access_key: sto_access_key ?? known.access_key, secret: sto_secret ?? known.secret };
    if (keys.access_key !== known.access_key || keys.secret !== known.secret) {
      provider.sto_access_key = maskedKey(keys.access_key);
      provider.sto_credential = this.credentials.seal(requireScope().tenant_id, CREDENTIAL_USE, { ...keys });
    }
    return keys;
  }

  private keysOf({ sto_credential }: StorageProvider): StorageKeys {
    return storageKeysIn(this.credentials.open(requireScope().tenant_id, CREDENTIAL_USE, sto_credential ?? ''));
  }

  private async tryOut(provider: StorageProvider, keys: StorageKeys): Promise<void> {
    await this.check.assertAddress(provider);
    const verdict = await this.check.verifyLocation(provider, keys);
    const { failed } = verdict;
    if (failed)
      throw new Problem('unprocessable_content', `The storage test failed at the step ${failed.step}: ${failed.detail}`, {
        errors: [{ path: failed.step, code: 'verification', message: failed.detail }],
      });
    provider.verified(verdict, this.clock);
  }
}

const nameTaken = (): Problem => alreadyExists('sto_name', 'A storage provider with this name already exists.');

const targetOf = ({ sto_id, sto_name }: StorageProvider): { type: string; id: string; name: string } => ({
  type: 'storage_provider',
  id: sto_id,
  name: sto_name,
});

/** What the audit trail records; of the sealed credential only whether it changed. */
const told = (provider: StorageProvider): object => {
  const {
    sto_name,
    sto_endpoint,
    sto_region,
    sto_bucket,
    sto_prefix,
    sto_path_style,
    sto_sse,
    sto_access_key,
    sto_active,
    sto_status,
    sto_credential,
  } = provider;
  return {
    sto_name,
    sto_endpoint,
    sto_region,
    sto_bucket,
    sto_prefix,
    sto_path_style,
    sto_sse,
    sto_access_key,
    sto_active,
    sto_status,
    sto_credential,
  };
};
