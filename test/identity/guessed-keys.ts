import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const random = (length: number): string => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join('');

function checksum(text: string): string {
  let digits = '';
  for (let value = crc32(text), i = 0; i < 6; i++, value = Math.floor(value / ALPHABET.length))
    digits = ALPHABET[value % ALPHABET.length] + digits;
  return digits;
}

/** A key of the right form that nobody made; with the public id of a real one, another secret of it. */
export function guessedKey(public_id = random(12)): string {
  const body = `atk_${public_id}_${random(43)}`;
  return body + checksum(body);
}
