import { hash } from 'node:crypto';
import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { Problem, isId, Clock, MINUTE } from '@atrium/platform/kernel';
import { currentScope, type CallScope, type PlainQuery } from '@atrium/platform/database';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';
import { CallerDirectory, type CallerFacts, type CallTrace, type Credential } from './caller-directory';
import type { Module } from './modules';
import { requireOperator } from './operator-gate';
import { PermissionSet } from './permissions';
import { assertHoldings, assertRecentProof, POLICY, type RateClass, type RoutePolicy } from './policy';
import type { Principal, PrincipalCarrier } from './principal';
import { announceRateStatus, rateClassOf, RateLimits, type RatedCaller } from './rate-limits';
import { ApiKeyStrategy, BearerStrategy } from './strategies';
import { noCredential, unauthenticated } from './unauthenticated';

const CACHED_CALLERS = 10_000;

type ProvenRequest = Request & PrincipalCarrier & { user?: Credential };

const forward = <T>(error: unknown, credential: T | false | null | undefined): T => {
  if (error instanceof Problem) throw error;
  if (error || !credential) throw unauthenticated();
  return credential;
};

/**
 * Proves a header by a strategy of this application. By its name passport would find it in a registry of the process: of two
 * applications in one process the later would answer for both. Where it takes a name it takes a strategy too, and keeps the state of
 * a request on it: each request gets a strategy of its own.
 */
class HeaderGuard extends AuthGuard() {
  constructor(strategy: ApiKeyStrategy | BearerStrategy) {
    super({
      get defaultStrategy() {
        return Object.create(strategy) as string;
      },
    });
  }

  override handleRequest<T>(error: unknown, credential: T | false | null): T {
    return forward(error, credential);
  }
}

/**
 * The one gate of every route, in this order: authenticate → tenant → rate limit → where from and how → license → permission. It decides on cached facts
 * and leaves a gate in the scope, so that the first message of the unit of work proves them fresh; when they are not,
 * they are loaded again and the same decision is taken once more before anything of the work counts (ADR 2).
 */
@Injectable()
export class AccessGuard implements CanActivate {
  private readonly cached = new LRUCache<string, CallerFacts>({ max: CACHED_CALLERS });
  private readonly proven = new LRUCache<string, Credential>({ max: CACHED_CALLERS, ttl: MINUTE });
  private readonly apiKey: HeaderGuard;
  private readonly bearer: HeaderGuard;

  constructor(
    private readonly reflector: Reflector,
    private readonly directory: CallerDirectory,
    private readonly clock: Clock,
    private readonly rates: RateLimits,
    apiKey: ApiKeyStrategy,
    bearer: BearerStrategy,
  ) {
    this.apiKey = new HeaderGuard(apiKey);
    this.bearer = new HeaderGuard(bearer);
  }

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const policy = this.reflector.get<RoutePolicy | undefined>(POLICY, context.getHandler());
    if (!policy) throw new Error('A route without a policy was reached.');
    const request = context.switchToHttp().getRequest<ProvenRequest>();
    if (policy.kind === 'public') return this.enterUnknown(request, policy);
    if (policy.kind === 'operator') return requireOperator();
    const credential = await this.authenticate(request, context);
    const tenant = policy.tenantless ? null : tenantOf(request);
    const scope = currentScope();
    if (!scope) throw new Error('The request has no scope.');
    if (tenant === null && credential.kind === 'session') await this.enterAlone(request, scope, policy, credential);
    else await this.enter(request, scope, policy, credential, tenant);
    return true;
  }

  /** No caller is known: where the route asks for it, the address is counted. */
  private async enterUnknown(request: ProvenRequest, { rate }: RoutePolicy): Promise<true> {
    if (rate) await this.limit(request, { address: request.ip ?? '' }, rate);
    return true;
  }

  private async limit(request: ProvenRequest, caller: RatedCaller, rateClass: RateClass): Promise<void> {
    const counted = this.rates.countRequest(caller, rateClass);
    if (request.res) announceRateStatus(request.res, counted instanceof Promise ? await counted : counted);
  }

  private async authenticate(request: ProvenRequest, context: ExecutionContext): Promise<Credential> {
    const hasKey = request.headers['x-api-key'] !== undefined;
    const hasBearer = request.headers.authorization !== undefined;
    const misplaced = noCredential(request.headers);
    if (misplaced) throw misplaced;
    const byKey = hasKey ? await this.prove('x-api-key', request, context) : null;
    const byBearer = hasBearer ? await this.prove('authorization', request, context) : null;
    if (byKey && byBearer) await this.assertSameCaller(byKey, byBearer);
    return (byKey ?? byBearer) as Credential;
  }

  /** What a header proves depends on the header alone until it expires; so one that was proven is not proven again. */
  private async prove(header: 'x-api-key' | 'authorization', request: ProvenRequest, context: ExecutionContext): Promise<Credential> {
    const name = hash('sha256', `${header}: ${String(request.headers[header])}`, 'base64');
    const known = this.proven.get(name);
    if (known && (known.kind === 'key' || known.until > this.clock.now())) return known;
    await (header === 'x-api-key' ? this.apiKey : this.bearer).canActivate(context);
    if (!request.user) throw unauthenticated();
    this.proven.set(name, request.user);
    return request.user;
  }

  /** With both given, the narrower rights of the key apply; both must be valid and belong to the same person. */
  private async assertSameCaller(byKey: Credential, byBearer: Credential): Promise<void> {
    const owner = await this.directory.loadCaller(byKey, null);
    if (owner instanceof Problem || byBearer.kind !== 'session' || owner.user_id !== byBearer.user_id) throw unauthenticated();
    if ((await this.directory.loadCaller(byBearer, owner.tenant_id)) instanceof Problem) throw unauthenticated();
  }

  /** A session on a route without a workspace: no role and no licence counts, so nothing is kept and nothing can be stale. */
  private async enterAlone(
    request: ProvenRequest,
    scope: CallScope,
    policy: RoutePolicy,
    credential: Extract<Credential, { kind: 'session' }>,
  ): Promise<void> {
    await this.limit(request, { address: request.ip ?? '' }, 'auth');
    const account = await this.directory.loadAccount(credential);
    if (account instanceof Problem) throw account;
    request.principal = {
      kind: 'person',
      key_id: null,
      tenant_id: '',
      role_ids: [],
      space_ids: [],
      permissions: PermissionSet.NONE,
      modules: new Set(),
      key_rate_limit: null,
      ...account,
    };
    scope.actor = { kind: 'person', user_id: account.user_id, key_id: null };
    assertHoldings(policy, request.principal);
    assertRecentProof(policy, request.principal, this.clock.now());
  }

  private async enter(
    request: ProvenRequest,
    scope: CallScope,
    policy: RoutePolicy,
    credential: Credential,
    tenant: string | null,
  ): Promise<void> {
    const cacheKey = `${credential.kind === 'key' ? `${credential.public_id}.${credential.hash}` : `${credential.session_id}.${credential.user_id}`}.${tenant ?? ''}`;
    const reload = async (query?: PlainQuery): Promise<CallerFacts> => {
      const loaded = await this.directory.loadCaller(credential, tenant, query);
      if (loaded instanceof Problem) {
        this.cached.delete(cacheKey);
        throw loaded;
      }
      this.cached.set(cacheKey, loaded);
      return loaded;
    };
    const admit = (facts: CallerFacts): CallerFacts => {
      const principal = this.principalOf(facts, credential);
      // The handler may hold the principal by now: what is renewed is renewed in its hands.
      request.principal = request.principal ? Object.assign(request.principal, principal) : principal;
      scope.tenant_id = facts.tenant_id;
      scope.actor = { kind: principal.kind, user_id: principal.user_id, key_id: principal.key_id };
      const refusal = facts.refusal(new IncomingCall(scope, policy.enrolling ?? false, this.clock.now()));
      if (refusal) throw refusal;
      // Known by now, so that the access log shows refusals too.
      assertHoldings(policy, principal);
      assertRecentProof(policy, principal, this.clock.now());
      this.directory.recordUse(facts);
      return facts;
    };
    const known = this.cached.get(cacheKey);
    let facts = known ?? (await reload());
    await this.limit(
      request,
      {
        tenant_id: facts.tenant_id,
        caller: facts.key_id ?? facts.user_id,
        user_id: facts.user_id,
        key_rate_limit: facts.key_rate_limit,
      },
      rateClassOf(policy, request.method),
    );
    try {
      facts = admit(facts);
    } catch (error) {
      // A refusal on old facts is not final: what was missing may have been granted since.
      if (!known) throw error;
      facts = admit(await reload());
    }
    scope.gate = {
      expression: this.directory.stampExpression(facts),
      expectedStamp: () => facts.stamp,
      renewStamp: async (query) => {
        facts = admit(await reload(query));
      },
    };
  }

  private principalOf(facts: CallerFacts, credential: Credential): Principal {
    const now = this.clock.now();
    if (facts.expires_at && facts.expires_at <= now) throw unauthenticated();
    const modules = new Set<Module>(
      facts.licenses.filter(({ from, until }) => from <= now && (!until || until > now)).map(({ module }) => module),
    );
    const { kind, tenant_id, user_id, key_id, session_id, role_ids, space_ids, permissions, methods, key_rate_limit } = facts;
    const auth_time = credential.kind === 'session' ? credential.auth_time : facts.auth_time;
    const expires_at = credential.kind === 'session' ? earlier(credential.until, facts.expires_at) : facts.expires_at;
    return {
      kind,
      tenant_id,
      user_id,
      key_id,
      session_id,
      role_ids,
      space_ids,
      permissions,
      modules,
      auth_time,
      methods,
      key_rate_limit,
      expires_at,
    };
  }
}

const earlier = (a: Date, b: Date | null): Date => (b && b < a ? b : a);

/** The address is worked out from the proxies only where a rule asks for it. */
class IncomingCall implements CallTrace {
  constructor(
    private readonly scope: CallScope,
    readonly enrolling: boolean,
    readonly now: Date,
  ) {}

  get address(): string | undefined {
    return this.scope.address?.();
  }
}

function tenantOf(request: Request): string {
  const header = request.headers['x-tenant-id'];
  if (!isId(header)) throw new Problem('tenant_required', 'Send the id of the workspace in the header X-Tenant-Id.');
  return header.toLowerCase();
}
