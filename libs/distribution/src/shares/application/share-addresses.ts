import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RenditionName } from '@atrium/files';
import { Keyring, publicOrigin, Settings } from '@atrium/platform/config';
import { Clock, HOUR, MINUTE } from '@atrium/platform/kernel';
import type { ShareLink } from '../domain/share-link';
import { ShareSecrets } from './share-secrets';

/** What one address leads to. */
export type GuestBytesOf =
  | { readonly what: 'thumb' | 'picture' | 'taken'; readonly file_id: string; readonly size: RenditionName }
  | { readonly what: 'original'; readonly file_id: string }
  | { readonly what: 'archive'; readonly job_id: string }
  | { readonly what: 'logo'; readonly file_id: string }
  | { readonly what: 'upload'; readonly upl_id: string; readonly part: number | null };

/** An address as it was opened: for which link, and what of the link it depends on. */
export interface GuestGrant {
  readonly tenant_id: string;
  readonly share_id: string;
  readonly stamp: string;
  readonly bytes: GuestBytesOf;
}

export const BYTES_PATH = '/s/-/bytes/';

const USE = 'share-address';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ADDRESS = /^[A-Za-z0-9_-]{40,2000}$/;
/** An address is good for this long at least, and for twice as long at most: within a window it is the same, so that browsers keep the picture. */
const WINDOW_MS: Readonly<Record<GuestBytesOf['what'], number>> = {
  thumb: 5 * MINUTE,
  picture: 5 * MINUTE,
  taken: 5 * MINUTE,
  original: 5 * MINUTE,
  archive: HOUR,
  logo: HOUR,
  upload: 15 * MINUTE,
};

/**
 * Addresses at which guests fetch and send bytes. They are sealed: nothing of the workspace, its files or storage can be
 * read from one, none can be forged, and each is good for one thing for a short time. What it leads to is decided
 * again whenever it is used.
 */
@Injectable()
export class ShareAddresses {
  private readonly origin: string;

  constructor(
    private readonly keyring: Keyring,
    private readonly secrets: ShareSecrets,
    private readonly clock: Clock,
    settings: Settings,
  ) {
    this.origin = publicOrigin(settings);
  }

  sealAddress(link: ShareLink, bytes: GuestBytesOf): string {
    const window = WINDOW_MS[bytes.what];
    const until = Math.ceil(this.clock.now().getTime() / window) * window + window;
    return `${this.origin}${BYTES_PATH}${this.seal(JSON.stringify([until, link.tenant_id, link.share_id, this.linkStamp(link), bytes]))}`;
  }

  /** Null for whatever is no address of ours, or none any more. */
  openAddress(address: string): GuestGrant | null {
    const sealed = Buffer.from(address, 'base64url');
    const text = ADDRESS.test(address) && sealed.toString('base64url') === address ? this.unseal(sealed) : null;
    if (text === null) return null;
    const [until, tenant_id, share_id, stamp, bytes] = JSON.parse(text) as [number, string, string, string, GuestBytesOf];
    return until > this.clock.now().getTime() ? { tenant_id, share_id, stamp, bytes } : null;
  }

  /** Changes with the token, the password and the terms of a link: addresses from before are none any more. */
  linkStamp({ share_token_hash, share_password_rev, options: { terms } }: ShareLink): string {
    return this.secrets.digestText(`${share_token_hash} ${share_password_rev} ${terms ?? ''}`);
  }

  /** The nonce is drawn from the text itself, so equal texts make equal addresses and different ones never share a nonce. */
  private seal(text: string): string {
    const nonce = createHmac('sha256', this.keyring.key(`${USE}-nonce`))
      .update(text)
      .digest()
      .subarray(0, NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.keyring.key(USE), nonce);
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
  }

  private unseal(sealed: Buffer): string | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.keyring.key(USE), sealed.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    } catch {
      return null;
    }
  }
}
