import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { listOf, Settings } from '@atrium/platform/config';
import { currentScope, type Actor } from '@atrium/platform/database';
import { MINUTE, Problem, SECOND } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { unauthenticated } from './unauthenticated';

/** Every operation of an operator is under this prefix, outside the API of workspaces. */
export const OPERATOR_PREFIX = 'operator/v1';

const ENTRY = /^([a-z][a-z0-9-]{0,39}):([0-9a-f]{64})$/;
const BEARER = /^Bearer (aop_([a-z][a-z0-9-]{0,39})_[0-9A-Za-z]{1,128})$/i;
const MAX_FAILURES = 10;
const WATCHED_ADDRESSES = 10_000;
const NOBODY = Buffer.alloc(32);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** What OPERATOR_TOKENS holds for a token: the SHA-256 of the whole of it, in hex. */
export const operatorTokenHash = (token: string): string => sha256(token).toString('hex');

/**
 * Who operates the installation. Without a configured token the operator API does not exist; with one, a call is
 * admitted by its token alone, compared in constant time, and an address that fails too often is rejected for a while.
 */
@Injectable()
export class OperatorGate {
  private readonly log = new Logger(OperatorGate.name);
  private readonly hashes: ReadonlyMap<string, Buffer>;
  private readonly failures = new LRUCache<string, number>({ max: WATCHED_ADDRESSES, ttl: MINUTE, noUpdateTTL: true });

  constructor(settings: Settings) {
    this.hashes = new Map(listOf(settings.OPERATOR_TOKENS).map(readEntry));
  }

  /** Lets the call in as its operator, or throws why not. */
  admitOperator(authorization: string | undefined, address: string): Actor {
    if (this.hashes.size === 0) throw nothingHere();
    if ((this.failures.get(address) ?? 0) > MAX_FAILURES) throw this.turnedAway(address);
    const [, token = '', name = ''] = BEARER.exec(authorization ?? '') ?? [];
    const right = timingSafeEqual(sha256(token), this.hashes.get(name) ?? NOBODY);
    if (right) return { kind: 'operator', user_id: null, key_id: null, name: `operator:${name}` };
    const count = (this.failures.get(address) ?? 0) + 1;
    this.failures.set(address, count);
    this.log.warn({ msg: 'an operator token was refused', address, count });
    throw count > MAX_FAILURES ? this.turnedAway(address) : unauthenticated('Send a valid operator token: Authorization: Bearer aop_….');
  }

  private turnedAway(address: string): Problem {
    const seconds = Math.max(1, Math.ceil(this.failures.getRemainingTTL(address) / SECOND));
    return new Problem('rate_limited', 'Too many invalid operator tokens from this address. Try again later.', {
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** The answer where the operator API is not offered. */
export const nothingHere = (): Problem => new Problem('not_found', 'There is nothing at this path.');

/** Whether the running call was let in at the gate; a route for operators is reached in no other way. */
export function requireOperator(): true {
  if (currentScope()?.actor.kind !== 'operator') throw nothingHere();
  return true;
}

function readEntry(entry: string): [string, Buffer] {
  const [, name, hash] = ENTRY.exec(entry) ?? [];
  if (!name || !hash)
    throw new Error(
      'The configuration is not valid:\n  OPERATOR_TOKENS: must be comma-separated name:sha256 pairs (atrium operator-token create prints one)',
    );
  return [name, Buffer.from(hash, 'hex')];
}
