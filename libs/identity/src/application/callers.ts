import { timingSafeEqual } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { CallerDirectory, isModule, PermissionSet, unauthenticated, type CallerFacts, type Credential } from '@atrium/platform/access';
import { currentScope, Database, type PlainQuery } from '@atrium/platform/database';
import { Clock, isId, MINUTE, Problem } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { hashOf, publicIdOf } from '../domain/api-key';
import { SigningKeys } from './signing-keys';

/** What `auth_facts` answers about one member of one workspace. */
interface MemberFacts {
  readonly stamp: string;
  readonly ws_status: string;
  readonly user_kind: CallerFacts['kind'];
  readonly user_status: string;
  readonly acc_status: string | null;
  readonly role_ids: readonly string[];
  readonly grants: readonly string[];
  readonly licenses: readonly { readonly module: string; readonly from: string; readonly until: string | null }[];
}

interface KeyRow {
  readonly tenant_id: string;
  readonly key_id: string;
  readonly key_hash: string;
  readonly key_user: string;
  readonly key_scopes: readonly string[] | null;
  readonly key_expires_at: string | null;
  readonly key_revoked_at: string | null;
  readonly facts: MemberFacts | null;
}

interface SessionRow {
  readonly ses_id: string;
  readonly acc_id: string;
  readonly ses_expires_at: string;
  readonly ses_ended_at: string | null;
  readonly facts: MemberFacts | null;
}

const forbidden = (): Problem => new Problem('tenant_forbidden', 'This workspace does not exist, or you are not a member of it.');

/** Knows callers by key or session; one statement loads all that decides what they may do. */
@Injectable()
export class Callers extends CallerDirectory implements OnApplicationShutdown {
  private readonly seenLately = new LRUCache<string, true>({ max: 20_000, ttl: MINUTE });
  private readonly touching = new Set<Promise<unknown>>();

  constructor(
    private readonly db: Database,
    private readonly keys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super();
  }

  readKey(value: string): Credential | null {
    const public_id = publicIdOf(value);
    return public_id ? { kind: 'key', public_id, hash: hashOf(value) } : null;
  }

  verificationKey(kid: string): Promise<string | null> {
    return this.keys.publicKey(kid);
  }

  stampExpression({ tenant_id, user_id }: CallerFacts): string {
    if (!isId(tenant_id) || !isId(user_id)) throw new Error('Facts hold an id that is no uuid.');
    return `auth_enter('${tenant_id}','${user_id}')`;
  }

  load(credential: Credential, tenant_id: string | null, query?: PlainQuery): Promise<CallerFacts | Problem> {
    if (query) return this.loadBy(query, credential, tenant_id);
    return this.db.acrossTenants((tx) => this.loadBy((text, values) => tx.query(text, values), credential, tenant_id));
  }

  /** Notes the use of a key or membership, off the request's path and at most once a minute. */
  override seen(facts: CallerFacts): void {
    const name = facts.key_id ?? `${facts.tenant_id}.${facts.session_id}`;
    if (this.seenLately.has(name)) return;
    this.seenLately.set(name, true);
    const address = currentScope()?.address?.() ?? null;
    const touch: Promise<unknown> = this.db
      .acrossTenants((tx) => tx.query('SELECT auth_touch($1, $2, $3, $4, $5)', [facts.tenant_id, facts.user_id, facts.key_id, facts.session_id, address]))
      .catch(() => undefined)
      .finally(() => this.touching.delete(touch));
    this.touching.add(touch);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.touching);
  }

  private loadBy(query: PlainQuery, credential: Credential, tenant_id: string | null): Promise<CallerFacts | Problem> {
    return credential.kind === 'key' ? this.byKey(query, credential, tenant_id) : this.bySession(query, credential, tenant_id);
  }

  private async byKey(query: PlainQuery, credential: Extract<Credential, { kind: 'key' }>, tenant_id: string | null): Promise<CallerFacts | Problem> {
    const [row] = (await query('SELECT k.*, auth_facts(k.tenant_id, k.key_user) AS facts FROM auth_find_key($1) k', [credential.public_id])) as unknown as KeyRow[];
    if (!row || !sameHash(row.key_hash, credential.hash) || row.key_revoked_at) return unauthenticated();
    if (row.key_expires_at && new Date(row.key_expires_at) <= this.clock.now()) return unauthenticated('The key has expired.');
    if (tenant_id !== null && tenant_id !== row.tenant_id) return forbidden();
    if (!row.facts || row.facts.user_status !== 'active') return unauthenticated();
    const refusal = refusalOf(row.facts);
    if (refusal) return refusal;
    return {
      ...factsOf(row.facts, row.key_scopes),
      tenant_id: row.tenant_id,
      user_id: row.key_user,
      key_id: row.key_id,
      session_id: null,
      expires_at: row.key_expires_at ? new Date(row.key_expires_at) : null,
      auth_time: null,
      methods: [],
    };
  }

  private async bySession(query: PlainQuery, credential: Extract<Credential, { kind: 'session' }>, tenant_id: string | null): Promise<CallerFacts | Problem> {
    const [row] = (await query('SELECT s.*, auth_facts($2::uuid, s.acc_id) AS facts FROM auth_find_session($1) s', [credential.session_id, tenant_id])) as unknown as SessionRow[];
    if (!row || row.ses_ended_at || row.acc_id !== credential.user_id) return unauthenticated('The session has ended; sign in again.');
    if (!row.facts || tenant_id === null) return forbidden();
    const refusal = refusalOf(row.facts);
    if (refusal) return refusal;
    return {
      ...factsOf(row.facts, null),
      tenant_id,
      user_id: row.acc_id,
      key_id: null,
      session_id: row.ses_id,
      expires_at: new Date(row.ses_expires_at),
      auth_time: credential.auth_time,
      methods: credential.methods,
    };
  }
}

/** Members only, and only while member, account and workspace are active. */
function refusalOf(facts: MemberFacts): Problem | null {
  if (facts.acc_status !== null && facts.acc_status !== 'active') return unauthenticated();
  if (facts.user_status !== 'active') return forbidden();
  if (facts.ws_status !== 'active') return new Problem('tenant_forbidden', 'The workspace is suspended.');
  return null;
}

function factsOf(facts: MemberFacts, scopes: readonly string[] | null): Pick<CallerFacts, 'stamp' | 'kind' | 'role_ids' | 'space_ids' | 'permissions' | 'licenses'> {
  const granted = PermissionSet.of(facts.grants);
  return {
    stamp: facts.stamp,
    kind: facts.user_kind,
    role_ids: facts.role_ids,
    space_ids: [],
    permissions: scopes === null ? granted : granted.and(PermissionSet.of(scopes)),
    licenses: facts.licenses.flatMap(({ module, from, until }) => (isModule(module) ? [{ module, from: new Date(from), until: until ? new Date(until) : null }] : [])),
  };
}

const sameHash = (a: string, b: string): boolean => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
