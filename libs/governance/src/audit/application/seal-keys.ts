import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { PublishedKeys } from '@atrium/identity';
import { Keyring } from '@atrium/platform/config';
import { Ids, SECOND } from '@atrium/platform/kernel';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SealKeyRows, type StoredSealKey } from '../infrastructure/seal-keys.rows';

const PURPOSE = 'seal-keys';
const FRESH_MS = 30 * SECOND;

const encoded = (text: string): string => Buffer.from(text).toString('base64url');

/**
 * The Ed25519 keys of seals. The newest whose private part can be opened signs; all verify for ever and are published
 * with the keys of access tokens, because a seal outlives every rotation.
 */
@Injectable()
export class SealKeys implements OnModuleInit {
  private known: readonly StoredSealKey[] = [];
  private readAt = -Infinity;
  private signer: { readonly kid: string; readonly key: KeyObject } | undefined;

  constructor(
    private readonly rows: SealKeyRows,
    private readonly keyring: Keyring,
    private readonly ids: Ids,
    private readonly published: PublishedKeys,
  ) {}

  onModuleInit(): void {
    this.published.register(async () =>
      (await this.fresh()).map(({ sk_id, sk_public }) => ({
        ...createPublicKey(sk_public).export({ format: 'jwk' }),
        kid: sk_id,
        use: 'sig',
        alg: 'EdDSA',
      })),
    );
  }

  /** A JWS over the text, its payload detached. */
  async signSeal(text: string): Promise<string> {
    const { kid, key } = (this.signer ??= await this.active());
    const header = encoded(JSON.stringify({ alg: 'EdDSA', kid }));
    return `${header}..${sign(null, Buffer.from(`${header}.${encoded(text)}`), key).toString('base64url')}`;
  }

  /** The public keys by their ids, for `isSigned`. */
  async findPublicKeys(): Promise<ReadonlyMap<string, KeyObject>> {
    return new Map((await this.fresh(0)).map(({ sk_id, sk_public }) => [sk_id, createPublicKey(sk_public)]));
  }

  private async fresh(withinMs = FRESH_MS): Promise<readonly StoredSealKey[]> {
    if (performance.now() - this.readAt < withinMs) return this.known;
    this.known = await this.rows.listKeys();
    this.readAt = performance.now();
    return this.known;
  }

  /** Of processes that make a key at once, one wins and the others use its key. */
  private async active(): Promise<{ readonly kid: string; readonly key: KeyObject }> {
    const [newest] = await this.fresh(0);
    const opened = newest && this.opened(newest);
    if (opened) return opened;
    const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const sealed = this.keyring.seal(PURPOSE, privateKey);
    await this.rows.addKey({ sk_id: this.ids.next(), sk_public: publicKey, sk_private_sealed: sealed }, newest?.sk_id ?? null);
    const made = (await this.fresh(0))[0];
    const key = made && this.opened(made);
    if (!key) throw new Error('No key for seals can be opened with the master key.');
    return key;
  }

  /** Undefined for what another master key has sealed. */
  private opened({ sk_id, sk_private_sealed }: StoredSealKey): { readonly kid: string; readonly key: KeyObject } | undefined {
    try {
      return { kid: sk_id, key: createPrivateKey(this.keyring.open(PURPOSE, sk_private_sealed)) };
    } catch {
      return undefined;
    }
  }
}

/** Whether the JWS was made over the text by one of the keys. */
export function isSigned(text: string, jws: string, keys: ReadonlyMap<string, KeyObject>): boolean {
  const [header = '', payload, signature = ''] = jws.split('.');
  const key = keys.get(kidOf(header));
  return (
    payload === '' && key !== undefined && verify(null, Buffer.from(`${header}.${encoded(text)}`), key, Buffer.from(signature, 'base64url'))
  );
}

function kidOf(header: string): string {
  try {
    const { alg, kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: unknown; kid?: unknown };
    return alg === 'EdDSA' && typeof kid === 'string' ? kid : '';
  } catch {
    return '';
  }
}
