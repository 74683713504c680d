import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Database, requireScope } from '@atrium/platform/database';
import { Clock, SECOND } from '@atrium/platform/kernel';
import { Credentials, GuardedHttp } from '@atrium/platform/outbound';
import { openS3Store, type ForeignStore } from '@atrium/platform/storage';
import { LRUCache } from 'lru-cache';
import type { StorageProvider } from '../domain/storage-provider';
import { StorageProvidersRepository } from '../infrastructure/storage-providers.repository';
import { CREDENTIAL_USE, DEFAULT_REGION, placeOf, storageKeysIn } from './storage-provider-check';

const KEPT_MS = 10 * SECOND;
const MOST_KEPT = 500;

/**
 * The stores that workspaces bring, opened: each with its own credentials, for its own workspace only, and behind the guard
 * that keeps the network behind the service out of reach. New credentials are in use some seconds later.
 */
@Injectable()
export class WorkspaceStores {
  private readonly kept = new LRUCache<string, ForeignStore>({ max: MOST_KEPT, ttl: KEPT_MS });

  constructor(
    private readonly db: Database,
    private readonly providers: StorageProvidersRepository,
    private readonly credentials: Credentials,
    private readonly http: GuardedHttp,
    private readonly clock: Clock,
  ) {}

  /** The provider that new bytes of the workspace go to, in the open unit of work; null: the platform's own. */
  findHomeProvider(): Promise<string | null> {
    return this.providers.findOwnDefaultProvider();
  }

  /** All that the workspace at hand brought. */
  listOwnProviders(): Promise<string[]> {
    return this.db.read(() => this.providers.findOwnProviders());
  }

  /** Null: the workspace has no such provider any more. */
  async openStore(sto_id: string): Promise<ForeignStore | null> {
    const name = `${requireScope().tenant_id}:${sto_id}`;
    const known = this.kept.get(name);
    if (known) return known;
    const provider = await this.db.read(() => this.providers.findRow(sto_id));
    if (!provider || provider.sto_managed_by !== 'workspace') return null;
    const store = await this.connect(provider);
    this.kept.set(name, store);
    return store;
  }

  private async connect(provider: StorageProvider): Promise<ForeignStore> {
    const place = placeOf(provider);
    const host = new URL(place.endpoint).hostname.replace(/^\[|\]$/g, '');
    // A name is judged when it is looked up; an address is never looked up.
    if (isIP(host) !== 0) await this.http.checkAddress(place.endpoint);
    const sealed = provider.sto_credential ?? '';
    const { access_key, secret } = storageKeysIn(this.credentials.open(requireScope().tenant_id, CREDENTIAL_USE, sealed));
    const store = await openS3Store({
      ...place,
      credentials: { accessKey: access_key, secretKey: secret, region: provider.sto_region ?? DEFAULT_REGION },
      clock: this.clock,
      lookup: this.http.lookup,
      ...(provider.sto_sse === 'none' ? {} : { encryption: provider.sto_sse }),
    });
    return { store, prefix: provider.sto_prefix ? `${provider.sto_prefix}/` : '' };
  }
}
