import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const PUBLIC_LENGTH = 12;
const SECRET_LENGTH = 43; // 43 of 62 signs: 256 random bits
const CHECK_LENGTH = 6;
const FORM = new RegExp(`^atk_([0-9A-Za-z]{${PUBLIC_LENGTH}})_([0-9A-Za-z]{${SECRET_LENGTH}})([0-9A-Za-z]{${CHECK_LENGTH}})$`);

const random = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECK_LENGTH; i++) {
    digits = ALPHABET[value % ALPHABET.length] + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits;
}

export interface MintedKey {
  readonly public_id: string;
  /** The full value; shown once, never stored. */
  readonly value: string;
  readonly hash: string;
}

/** A new key: `atk_<public id>_<secret><checksum>`; with a public id that is known, a new secret for it. */
export function mintKey(public_id = random(PUBLIC_LENGTH)): MintedKey {
  const body = `atk_${public_id}_${random(SECRET_LENGTH)}`;
  const value = body + checksum(body);
  return { public_id, value, hash: hashOf(value) };
}

/** The public id of a key whose form and checksum are right, else null: a mistyped key is refused without a look-up. */
export function publicIdOf(value: string): string | null {
  const [, publicId, , check] = FORM.exec(value) ?? [];
  if (!publicId || checksum(value.slice(0, -CHECK_LENGTH)) !== check) return null;
  return publicId;
}

export const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');
