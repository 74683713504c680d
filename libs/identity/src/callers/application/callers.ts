import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CallerDirectory, unauthenticated, type AccountFacts, type CallerFacts, type Credential } from '@atrium/platform/access';
import { currentScope, Database, sql, type PlainQuery, type Sql } from '@atrium/platform/database';
import { Clock, MINUTE, type Problem } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { hashOf, publicIdOf } from '../../keys/domain/api-key';
import { refusalByAddress } from '../domain/call-rules';
import { CallerRows } from '../infrastructure/caller.rows';
import {
  endOfSecret,
  endOfSession,
  factsOf,
  tenantForbidden,
  isLive,
  isSignedOut,
  refusalOf,
  refusalOfSession,
  sessionEnded,
} from './caller-facts';
import { SignInThrottle } from '../../throttle/sign-in-throttle';
import { SigningKeys } from './signing-keys';

type KeyCredential = Extract<Credential, { kind: 'key' }>;
type SessionCredential = Extract<Credential, { kind: 'session' }>;

/** Knows callers by key or session; one statement loads all that decides what they may do. */
@Injectable()
export class Callers extends CallerDirectory implements OnApplicationShutdown {
  private readonly seenLately = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE });
  private readonly touching = new Set<Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly rows: CallerRows,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
    private readonly throttle: SignInThrottle,
  ) {
    super();
  }

  readKey(value: string): Credential | null {
    const public_id = publicIdOf(value);
    return public_id ? { kind: 'key', public_id, hash: hashOf(value) } : null;
  }

  findVerificationKey(kid: string): Promise<string | null> {
    return this.keys.findPublicKey(kid);
  }

  stampExpression({ tenant_id, user_id }: CallerFacts): Sql {
    return sql`auth_enter(${tenant_id}, ${user_id})`;
  }

  loadCaller(credential: Credential, tenant_id: string | null, query?: PlainQuery): Promise<CallerFacts | Problem> {
    if (query) return this.loadBy(query, credential, tenant_id);
    return this.db.acrossTenants((tx) => this.loadBy((text, values) => tx.query(text, values), credential, tenant_id));
  }

  async loadAccount(credential: SessionCredential): Promise<AccountFacts | Problem> {
    const row = await this.rows.findAccountSession(credential.session_id);
    if (!isLive(row, credential) || new Date(row.ses_expires_at) <= this.clock.now()) return sessionEnded();
    if (row.acc_status !== 'active') return unauthenticated();
    return { user_id: row.acc_id, session_id: row.ses_id, auth_time: credential.auth_time, methods: row.ses_methods };
  }

  /** Notes the use of a key or membership, off the request's path and at most once a minute. */
  override recordUse(facts: CallerFacts): void {
    const name = facts.key_id ?? `${facts.tenant_id}.${facts.session_id}`;
    if (this.seenLately.has(name)) return;
    this.seenLately.set(name, true);
    const address = currentScope()?.address?.() ?? null;
    this.inBackground(this.rows.recordUse(facts, address));
  }

  /** Off the request's path; waited for at the end, and never a reason to fail. */
  private inBackground(work: Promise<unknown>): void {
    const tracked: Promise<unknown> = work.catch(() => undefined).finally(() => this.touching.delete(tracked));
    this.touching.add(tracked);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.touching);
  }

  private loadBy(query: PlainQuery, credential: Credential, tenant_id: string | null): Promise<CallerFacts | Problem> {
    return credential.kind === 'key' ? this.byKey(query, credential, tenant_id) : this.bySession(query, credential, tenant_id);
  }

  private async byKey(query: PlainQuery, credential: KeyCredential, tenant_id: string | null): Promise<CallerFacts | Problem> {
    const row = await this.rows.findKey(query, credential.public_id);
    const ends = row ? endOfSecret(row, credential.hash) : 'unknown';
    if (!row || ends === 'unknown') return this.guessed();
    if (row.key_revoked_at) return unauthenticated();
    if (ends && ends <= this.clock.now()) return unauthenticated('The API key has expired.');
    if (tenant_id !== null && tenant_id !== row.tenant_id) return tenantForbidden();
    const { facts } = row;
    if (!facts || facts.user_status !== 'active') return unauthenticated();
    const refusal = refusalOf(facts);
    if (refusal) return refusal;
    return {
      ...factsOf(facts, row.key_scopes),
      tenant_id: row.tenant_id,
      user_id: row.key_user,
      key_id: row.key_id,
      key_rate_limit: row.key_rate_limit,
      session_id: null,
      expires_at: ends,
      auth_time: null,
      methods: [],
      refusal: (call) => refusalByAddress(call, facts.security.ip_allow, row.key_ip_allow),
    };
  }

  /**
   * A key that is none: too many of them from one address are refused as guessing, whatever their public ids. A right
   * key is never held up by them, since nobody guesses one, and others may call from the same address.
   */
  private guessed(): Problem {
    const address = currentScope()?.address?.();
    if (address === undefined) return unauthenticated();
    const refusal = this.throttle.findRefusal(address);
    if (refusal) return refusal;
    this.inBackground(this.throttle.recordFailure(address));
    return unauthenticated();
  }

  private async bySession(query: PlainQuery, credential: SessionCredential, tenant_id: string | null): Promise<CallerFacts | Problem> {
    const row = await this.rows.findSession(query, credential.session_id, tenant_id);
    if (!isLive(row, credential)) return sessionEnded();
    if (row.ses_tenant !== null && row.ses_tenant !== tenant_id) return tenantForbidden();
    const { facts } = row;
    if (!facts || tenant_id === null) return tenantForbidden();
    const refusal = refusalOf(facts);
    if (refusal) return refusal;
    if (isSignedOut(row, facts)) return sessionEnded();
    return {
      ...factsOf(facts, null),
      tenant_id,
      user_id: row.acc_id,
      key_id: null,
      key_rate_limit: null,
      session_id: row.ses_id,
      expires_at: endOfSession(row, facts),
      auth_time: credential.auth_time,
      methods: row.ses_methods,
      refusal: refusalOfSession(row, facts),
    };
  }
}
