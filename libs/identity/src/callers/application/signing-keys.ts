import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Ids, SECOND } from '@atrium/platform/kernel';
import { exportJWK, importSPKI, type JWK } from 'jose';
import { SigningKeyRows, type NewSigningKey, type SigningKeyState, type StoredSigningKey } from '../infrastructure/signing-key.rows';

const PURPOSE = 'signing-keys';
const ALGORITHM = 'ES256';
/** So old the keys in memory may be: a process signs with a key for so long after it has retired. */
const FRESH_MS = 30 * SECOND;
/** A `kid` nobody knows makes a process look again at most so often. */
const LOOK_AGAIN_MS = SECOND;

/**
 * The keys that sign access tokens. One signs; the next is shown before it does, so that clients that cache our keys know
 * it by then; retired ones verify until no token of theirs can be alive, and are swept then. The private parts are sealed at rest.
 */
@Injectable()
export class SigningKeys {
  private known: ReadonlyMap<string, StoredSigningKey> = new Map();
  private readAt = -Infinity;
  private signer: { readonly kid: string; readonly key: KeyObject } | undefined;

  constructor(
    private readonly rows: SigningKeyRows,
    private readonly keyring: Keyring,
    private readonly ids: Ids,
  ) {}

  async getActiveKey(): Promise<{ readonly kid: string; readonly key: KeyObject }> {
    const stored = (await this.fresh()).find(({ sk_state }) => sk_state === 'active') ?? (await this.begin());
    if (this.signer?.kid !== stored.sk_id)
      this.signer = { kid: stored.sk_id, key: createPrivateKey(this.keyring.open(PURPOSE, stored.sk_private_sealed)) };
    return this.signer;
  }

  /** The public key of a `kid`, as PEM, or null. */
  async findPublicKey(kid: string): Promise<string | null> {
    await this.fresh();
    if (!this.known.has(kid)) await this.fresh(LOOK_AGAIN_MS);
    return this.known.get(kid)?.sk_public ?? null;
  }

  /** The public keys as a JWK set. */
  async getPublicKeySet(): Promise<{ keys: JWK[] }> {
    await this.getActiveKey();
    return {
      keys: await Promise.all(
        [...this.known.values()].map(async ({ sk_id, sk_public }) => ({
          ...(await exportJWK(await importSPKI(sk_public, ALGORITHM))),
          kid: sk_id,
          use: 'sig',
          alg: ALGORITHM,
        })),
      ),
    };
  }

  /** The next key signs from now on; the ids of all keys by what they are for. */
  async rotateKeys(): Promise<{ active: string; next: string | null; retired: string[] }> {
    await this.begin();
    const keys = this.remember(await this.rows.rotateSigningKeys(this.made()));
    const idsOf = (state: SigningKeyState): string[] => keys.filter(({ sk_state }) => sk_state === state).map(({ sk_id }) => sk_id);
    return { active: idsOf('active')[0] ?? '', next: idsOf('next')[0] ?? null, retired: idsOf('retired') };
  }

  private async fresh(withinMs = FRESH_MS): Promise<StoredSigningKey[]> {
    if (performance.now() - this.readAt < withinMs) return [...this.known.values()];
    return this.remember(await this.rows.listSigningKeys());
  }

  /** The first process to come makes the first key and the one after it; the others use these. */
  private async begin(): Promise<StoredSigningKey> {
    for (const state of ['active', 'next'] as const) this.remember(await this.rows.addSigningKey(this.made(), state));
    const active = [...this.known.values()].find(({ sk_state }) => sk_state === 'active');
    if (!active) throw new Error('No signing key is active.');
    return active;
  }

  private remember(keys: StoredSigningKey[]): StoredSigningKey[] {
    this.known = new Map(keys.map((key) => [key.sk_id, key]));
    this.readAt = performance.now();
    return keys;
  }

  private made(): NewSigningKey {
    const { publicKey, privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    return { sk_id: this.ids.next(), sk_public: publicKey, sk_private_sealed: this.keyring.seal(PURPOSE, privateKey) };
  }
}
