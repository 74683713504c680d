/*
 * UUIDv7 (RFC 9562, method 1: a 12-bit counter after the milliseconds) made here because the kernel imports
 * nothing; ids made in one process sort in the order they were made.
 */
let lastMillisecond = 0;
let counter = 0;

/** Random bytes are drawn many at a time: a draw costs far more than an id. */
const RANDOM = 10;
const pool = new Uint8Array(RANDOM * 400);
let used = pool.length;

function randomBytes(): Uint8Array {
  if (used >= pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  used += RANDOM;
  return pool.subarray(used - RANDOM, used);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));
const hex = (byte = 0): string => HEX[byte] ?? '00';

/** A new UUIDv7: time-ordered, unique, lower case. */
export function newId(): string {
  const random = randomBytes();
  const now = Date.now();
  if (now > lastMillisecond) {
    lastMillisecond = now;
    counter = ((random[8] ?? 0) << 2) & 0x3ff;
  } else if (++counter > 0xfff) {
    lastMillisecond += 1;
    counter = 0;
  }
  const time = lastMillisecond.toString(16).padStart(12, '0');
  const sequence = counter.toString(16).padStart(3, '0');
  const tail =
    hex(((random[0] ?? 0) & 0x3f) | 0x80) +
    hex(random[1]) +
    hex(random[2]) +
    hex(random[3]) +
    hex(random[4]) +
    hex(random[5]) +
    hex(random[6]) +
    hex(random[7]);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence}-${tail.slice(0, 4)}-${tail.slice(4)}`;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id that nothing has: represents "none" where an id is required. */
export const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** Whether the value is a uuid in its plain form (no braces, any case). */
export const isId = (value: unknown): value is string => typeof value === 'string' && UUID.test(value);

/** The part of a service that makes ids, so that tests can foresee them. */
export abstract class Ids {
  abstract next(): string;
}

export class TimeOrderedIds extends Ids {
  next(): string {
    return newId();
  }
}
