import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/**
 * Derives one key a purpose from the master key (HKDF-SHA-256) and seals secrets at rest (AES-256-GCM).
 * A sealed value names the key that sealed it, so that the master key can be rotated.
 */
export class Keyring {
  private readonly derived = new Map<string, Buffer>();
  private readonly master: Buffer;
  private readonly keyId: string;

  constructor(masterKey: string) {
    this.master = Buffer.from(masterKey, 'base64');
    this.keyId = Buffer.from(hkdfSync('sha256', this.master, '', 'atrium:key-id', 4)).toString('hex');
  }

  /** 32 bytes for one purpose, the same in every process that has the master key. */
  key(purpose: string): Buffer {
    const known = this.derived.get(purpose);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.master, '', `atrium:${purpose}`, 32));
    this.derived.set(purpose, key);
    return key;
  }

  seal(purpose: string, plain: string): string {
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key(purpose), iv);
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return ['v1', this.keyId, iv.toString('base64url'), cipher.getAuthTag().toString('base64url'), body.toString('base64url')].join('.');
  }

  open(purpose: string, sealed: string): string {
    const [version, keyId, iv, tag, body] = sealed.split('.');
    if (version !== 'v1' || !iv || !tag || body === undefined) throw new Error('Not a sealed value.');
    if (keyId !== this.keyId) throw new Error('The value was sealed with another master key.');
    const decipher = createDecipheriv('aes-256-gcm', this.key(purpose), Buffer.from(iv, 'base64url'));
    decipher.setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
  }
}
