import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Keyring } from '@atrium/platform/config';
import { Clock } from '@atrium/platform/kernel';
import { Secret, TOTP } from 'otpauth';

const PURPOSE = 'totp';
const RECOVERY_PURPOSE = 'recovery-codes';
const PERIOD_SECONDS = 30;
const WINDOW = 1;
const SECRET_BYTES = 20;
const SIX_DIGITS = /^\d{6}$/;
/** Without signs that are taken for each other. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const RECOVERY_CODES = 10;
const RECOVERY_LENGTH = 10;

/** A code as somebody typed it: a step of the authenticator that it belongs to, or the hash of a recovery code; neither when it is wrong. */
export interface ReadCode {
  readonly step: number | null;
  readonly recovery: string | null;
}

export interface NewSecret {
  /** Sealed, as it is stored. */
  readonly sealed: string;
  /** Base32, for typing in. */
  readonly secret: string;
  /** For a QR code. */
  readonly otpauth_uri: string;
}

/** Codes of authenticators (SHA-1, 30 seconds, one step of tolerance) and recovery codes. Secrets are sealed, recovery codes kept as keyed hashes. */
@Injectable()
export class OneTimeCodes {
  constructor(
    private readonly keyring: Keyring,
    private readonly clock: Clock,
  ) {}

  newSecret(label: string): NewSecret {
    const secret = new Secret({ size: SECRET_BYTES });
    return {
      sealed: this.keyring.seal(PURPOSE, secret.base32),
      secret: secret.base32,
      otpauth_uri: authenticator(secret, label).toString(),
    };
  }

  /** Reads a code against a sealed secret; a step is accepted once, which the database sees to. */
  matchCode(code: string, sealed: string): ReadCode {
    const plain = code.replace(/[\s-]/g, '').toUpperCase();
    if (!SIX_DIGITS.test(plain)) return { step: null, recovery: this.hashOf(plain) };
    const now = this.clock.now().getTime();
    const delta = authenticator(Secret.fromBase32(this.keyring.open(PURPOSE, sealed))).validate({
      token: plain,
      timestamp: now,
      window: WINDOW,
    });
    return { step: delta === null ? null : Math.floor(now / 1_000 / PERIOD_SECONDS) + delta, recovery: null };
  }

  /** Ten new recovery codes, and their hashes in the same order. */
  newRecoveryCodes(): { readonly codes: string[]; readonly hashes: string[] } {
    const plain = Array.from({ length: RECOVERY_CODES }, () =>
      Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
    );
    return { codes: plain.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), hashes: plain.map((code) => this.hashOf(code)) };
  }

  private hashOf(code: string): string {
    return createHmac('sha256', this.keyring.key(RECOVERY_PURPOSE)).update(code).digest('hex');
  }
}

const authenticator = (secret: Secret, label = ''): TOTP =>
  new TOTP({ issuer: 'Atrium', label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
