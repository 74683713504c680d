import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Clock, isId, type JsonValue } from '@atrium/platform/kernel';
import { Credentials } from '@atrium/platform/outbound';

/** What unlocked a link: good for this link, password and terms alone. */
export interface AccessClaims {
  readonly share: string;
  readonly rev: number;
  /** Digest of the terms that were accepted. */
  readonly terms: string;
  readonly name: string | null;
  readonly email: string | null;
}

/** A device that was activated as a kiosk; guests stand before it one after the other. */
export interface DeviceClaims {
  readonly share: string;
  readonly rev: number;
  readonly device: string;
  readonly since: number;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;
const PUBLIC_ID = /^[A-Za-z0-9_-]{22}$/;
const VISIT = /^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}$/;
const DAY_LENGTH = 10;

/**
 * Everything secret about share links: tokens, public ids of files, what proves that a visitor may see a
 * link or go on with an upload. Nothing of it is kept but hashes and sealed texts.
 */
@Injectable()
export class ShareSecrets {
  constructor(
    private readonly keyring: Keyring,
    private readonly credentials: Credentials,
    private readonly clock: Clock,
  ) {}

  /** A new token: 256 random bits. */
  mintToken(tenant_id: string): { readonly token: string; readonly hash: string; readonly sealed: string } {
    const token = randomBytes(32).toString('base64url');
    return { token, hash: this.hashOf(token), sealed: this.credentials.seal(tenant_id, 'share-link', { token }) };
  }

  openToken(tenant_id: string, sealed: string): string {
    const { token } = this.credentials.open(tenant_id, 'share-link', sealed);
    if (typeof token !== 'string') throw new Error('A sealed link holds its token.');
    return token;
  }

  isToken(text: string): boolean {
    return TOKEN.test(text);
  }

  hashOf(token: string): string {
    return createHash('sha256').update(token).digest('hex');
  }

  isSame(a: string, b: string): boolean {
    return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
  }

  /**
   * The public id of a file in one link: a keyed permutation of its id, so that it is found again without a search
   * however many files there are, says nothing of the id, and is another one in every link.
   */
  publicId(share_id: string, file_id: string): string {
    return this.permuted(share_id, file_id).toString('base64url');
  }

  /** The id behind it; null when it cannot be any file's. */
  fileId(share_id: string, public_id: string): string | null {
    return PUBLIC_ID.test(public_id) ? this.restored(share_id, Buffer.from(public_id, 'base64url')) : null;
  }

  /** The same in the form of an id, for uploads and albums. */
  outsideId(share_id: string, id: string): string {
    return idOf(this.permuted(share_id, id));
  }

  /** The id behind it; null for whatever is none. */
  insideId(share_id: string, outside: string): string | null {
    return isId(outside) ? this.restored(share_id, bytesOf(outside)) : null;
  }

  signAccess(claims: AccessClaims, seconds: number): string {
    return this.signed('share-access', { ...claims }, seconds);
  }

  readAccess(token: string): AccessClaims | null {
    return this.read<AccessClaims>('share-access', token);
  }

  signDevice(claims: DeviceClaims, seconds: number): string {
    return this.signed('share-device', { ...claims }, seconds);
  }

  readDevice(token: string): DeviceClaims | null {
    return this.read<DeviceClaims>('share-device', token);
  }

  /** A new visit, in which somebody sees what they have sent. */
  mintVisit(share_id: string): string {
    const name = randomBytes(16).toString('base64url');
    return `${name}.${this.mac('share-visit', `${share_id}.${name}`)}`;
  }

  /** The name under which rows know a visit; null when it is none of this link. */
  visitName(share_id: string, visit: string): string | null {
    if (!VISIT.test(visit)) return null;
    const [name = '', mac = ''] = visit.split('.');
    return this.isSame(mac, this.mac('share-visit', `${share_id}.${name}`)) ? name : null;
  }

  /** Distinguishes visitors for a day. */
  visitorDigest(share_id: string, address: string, agent: string): string {
    const day = this.clock.now().toISOString().slice(0, DAY_LENGTH);
    return this.mac(`share-visitor:${day}`, `${share_id} ${address} ${agent}`).slice(0, 22);
  }

  /** A text that only the service can read again: positions in lists, which would tell ids. */
  sealValue(use: string, value: JsonValue): string {
    return Buffer.from(this.keyring.seal(use, JSON.stringify(value))).toString('base64url');
  }

  openValue(use: string, sealed: string): JsonValue | undefined {
    try {
      return JSON.parse(this.keyring.open(use, Buffer.from(sealed, 'base64url').toString())) as JsonValue;
    } catch {
      return undefined;
    }
  }

  digestText(text: string | null): string {
    return text === null ? '' : createHash('sha256').update(text).digest('base64url').slice(0, 22);
  }

  private permuted(share_id: string, id: string): Buffer {
    const cipher = createCipheriv('aes-256-ecb', this.fileKey(share_id), null).setAutoPadding(false);
    return Buffer.concat([cipher.update(bytesOf(id)), cipher.final()]);
  }

  private restored(share_id: string, bytes: Buffer): string | null {
    const decipher = createDecipheriv('aes-256-ecb', this.fileKey(share_id), null).setAutoPadding(false);
    const id = idOf(Buffer.concat([decipher.update(bytes), decipher.final()]));
    return isId(id) ? id : null;
  }

  private fileKey(share_id: string): Buffer {
    return createHmac('sha256', this.keyring.key('share-files')).update(share_id).digest();
  }

  private mac(use: string, text: string): string {
    return createHmac('sha256', this.keyring.key(use)).update(text).digest('base64url');
  }

  private signed(use: string, claims: object, seconds: number): string {
    const body = Buffer.from(JSON.stringify({ ...claims, until: this.clock.now().getTime() + seconds * 1_000 })).toString('base64url');
    return `${body}.${this.mac(use, body)}`;
  }

  private read<T extends object>(use: string, token: string): T | null {
    const [body = '', mac = '', ...rest] = token.split('.');
    if (rest.length > 0 || !this.isSame(mac, this.mac(use, body))) return null;
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as T & { until?: number };
    const { until = 0 } = claims;
    delete claims.until;
    return until > this.clock.now().getTime() ? claims : null;
  }
}

const bytesOf = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const idOf = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
