import { Injectable } from '@nestjs/common';
import { Clock, invalidField, newId, Problem, type JsonObject } from '@atrium/platform/kernel';
import { GuardedHttp } from '@atrium/platform/outbound';
import { bucketAddress, openS3Verification, type S3Candidate, type S3Verdict } from '@atrium/platform/storage';
import { requireScope } from '@atrium/platform/database';
import type { StorageProvider } from '../domain/storage-provider';

/** What a provider is known by there. */
export interface StorageKeys {
  readonly access_key: string;
  readonly secret: string;
}

/** The keys in a credential that was opened. */
export const storageKeysIn = ({ access_key, secret }: JsonObject): StorageKeys => ({
  access_key: typeof access_key === 'string' ? access_key : '',
  secret: typeof secret === 'string' ? secret : '',
});

export type Location = Pick<StorageProvider, 'sto_endpoint' | 'sto_region' | 'sto_bucket' | 'sto_prefix' | 'sto_path_style' | 'sto_sse'>;

/** What the credentials of providers are sealed for. */
export const CREDENTIAL_USE = 'storage-provider';

export const DEFAULT_REGION = 'us-east-1';

/**
 * Looks at buckets that workspaces name, through the guard that keeps the network behind the service out of reach: a
 * forbidden address is reported as a fault of the field, a failing bucket by the step at which it fails.
 */
@Injectable()
export class StorageProviderCheck {
  constructor(
    private readonly http: GuardedHttp,
    private readonly clock: Clock,
  ) {}

  /** Refuses an address that is none, leads where it must not, or sends elsewhere. */
  async assertAddress(location: Location): Promise<void> {
    const address = addressOf(location);
    try {
      await this.http.checkAddress(address);
    } catch (error) {
      if (error instanceof Problem && error.code === 'unprocessable_content')
        throw invalidField('sto_endpoint', lowered(error.detail), 'address');
      throw error;
    }
    const answer = await this.http.sendRequest(address, { timeouts: { total: 15_000 } }).catch(() => null);
    if (answer && answer.status >= 300 && answer.status < 400 && answer.headers.location)
      throw invalidField('sto_endpoint', 'redirects to another address; use that one', 'redirect');
  }

  /** Every step on probe objects under the provider's prefix. */
  async verifyLocation(location: Location, keys: StorageKeys): Promise<S3Verdict> {
    const verification = await openS3Verification(this.candidate(location, keys));
    const below = location.sto_prefix ? `${location.sto_prefix}/` : '';
    return verification.verifyStore(`${below}t/${requireScope().tenant_id}/probe/${newId()}`);
  }

  async listBuckets(location: Location, keys: StorageKeys): Promise<{ readonly bucket: string; readonly created: Date }[]> {
    await this.http.checkAddress(addressOf(location));
    return (await openS3Verification(this.candidate(location, keys))).listBuckets();
  }

  private candidate(location: Location, { access_key, secret }: StorageKeys): S3Candidate {
    const { sto_region, sto_sse } = location;
    return {
      ...placeOf(location),
      credentials: { accessKey: access_key, secretKey: secret, region: sto_region ?? DEFAULT_REGION },
      encryption: sto_sse === 'none' ? undefined : sto_sse,
      lookup: this.http.lookup,
      send: (url, request) => this.http.sendRequest(url, { ...request, timeouts: { total: 15_000 } }),
      clock: this.clock,
    };
  }
}

/** Where a provider is, in a form that clients take. */
export function placeOf({ sto_endpoint, sto_bucket, sto_path_style }: Location): Pick<S3Candidate, 'endpoint' | 'bucket' | 'pathStyle'> {
  if (sto_endpoint === null || sto_bucket === null) throw invalidField('sto_endpoint', 'is required, and so is the bucket', 'required');
  if (!URL.canParse(sto_endpoint)) throw invalidField('sto_endpoint', 'must be a URL', 'url');
  const { pathname, search, hash, protocol } = new URL(sto_endpoint);
  if (protocol !== 'https:' && protocol !== 'http:') throw invalidField('sto_endpoint', 'must start with https://', 'url');
  if (pathname !== '/' || search !== '' || hash !== '')
    throw invalidField('sto_endpoint', 'must not contain a path, query or fragment', 'url');
  return { endpoint: sto_endpoint, bucket: sto_bucket, pathStyle: sto_path_style };
}

const addressOf = (location: Location): string => bucketAddress(placeOf(location));

const lowered = (sentence: string): string => sentence.replace(/^The address /, '').replace(/\.$/, '');
