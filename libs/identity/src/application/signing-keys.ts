import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { Ids } from '@atrium/platform/kernel';
import { exportJWK, importSPKI, type JWK } from 'jose';

const PURPOSE = 'signing-keys';
const ALGORITHM = 'ES256';

interface StoredKey {
  readonly sk_id: string;
  readonly sk_public: string;
  readonly sk_private_sealed: string;
  readonly sk_state: 'active' | 'retired';
}

/** The keys that sign access tokens: the first process to need one makes it, the private part is sealed at rest. */
@Injectable()
export class SigningKeys {
  private known = new Map<string, StoredKey>();
  private signer: { readonly kid: string; readonly key: KeyObject } | undefined;

  constructor(
    private readonly db: Database,
    private readonly keyring: Keyring,
    private readonly ids: Ids,
  ) {}

  async active(): Promise<{ readonly kid: string; readonly key: KeyObject }> {
    if (this.signer) return this.signer;
    await this.refresh();
    const stored = [...this.known.values()].find((key) => key.sk_state === 'active') ?? (await this.create());
    this.signer = { kid: stored.sk_id, key: createPrivateKey(this.keyring.open(PURPOSE, stored.sk_private_sealed)) };
    return this.signer;
  }

  /** The public key of a `kid`, as PEM, or null. */
  async publicKey(kid: string): Promise<string | null> {
    if (!this.known.has(kid)) await this.refresh();
    return this.known.get(kid)?.sk_public ?? null;
  }

  /** The public keys as a JWK set. */
  async jwks(): Promise<{ keys: JWK[] }> {
    await this.active();
    return {
      keys: await Promise.all([...this.known.values()].map(async ({ sk_id, sk_public }) => ({ ...(await exportJWK(await importSPKI(sk_public, ALGORITHM))), kid: sk_id, use: 'sig', alg: ALGORITHM }))),
    };
  }

  private async refresh(): Promise<void> {
    const keys = await this.db.acrossTenants((tx) => tx.query<StoredKey>('SELECT * FROM auth_signing_keys()'));
    this.known = new Map(keys.map((key) => [key.sk_id, key]));
  }

  private async create(): Promise<StoredKey> {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256', publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: { type: 'pkcs8', format: 'pem' } });
    const [active] = await this.db.acrossTenants((tx) =>
      tx.query<StoredKey>('SELECT * FROM auth_add_signing_key($1, $2, $3)', [this.ids.next(), publicKey, this.keyring.seal(PURPOSE, privateKey)]),
    );
    if (!active) throw new Error('No signing key is active.');
    this.known.set(active.sk_id, active);
    return active;
  }
}
