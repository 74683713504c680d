import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { runInScope, sql, SYSTEM_ACTOR, type CallScope, type PlainQuery, type Sql } from '@atrium/platform/database';
import { Clock, MINUTE, Problem } from '@atrium/platform/kernel';
import { AccessGuard } from './access.guard';
import { CallerDirectory, type AccountFacts, type CallerFacts, type CallTrace, type Credential } from './caller-directory';
import { PermissionSet, type Permission } from './permissions';
import { Operator, Policy, Public, self } from './policy';
import type { Principal } from './principal';
import { RateLimits, type RatedCaller, type RateStatus } from './rate-limits';
import type { ApiKeyStrategy, BearerStrategy } from './strategies';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';
const NOW = new Date('2026-05-01T12:00:00Z');
type Session = Extract<Credential, { kind: 'session' }>;

const KEY: Credential = { kind: 'key', public_id: 'k', hash: 'h' };
const session = (user_id: string, more: Partial<Session> = {}): Session => ({
  kind: 'session',
  user_id,
  session_id: `s-${user_id}`,
  auth_time: NOW,
  methods: ['pwd'],
  until: new Date(NOW.getTime() + MINUTE),
  ...more,
});

const facts = (more: Partial<CallerFacts> = {}): CallerFacts => ({
  stamp: 'one',
  kind: 'person',
  tenant_id: TENANT,
  user_id: 'ann',
  key_id: null,
  session_id: 's-ann',
  role_ids: [],
  space_ids: [],
  permissions: PermissionSet.of(['media:view']),
  licenses: [],
  expires_at: null,
  auth_time: null,
  methods: ['pwd'],
  key_rate_limit: null,
  refusal: () => null,
  ...more,
});
const granted = (...permissions: Permission[]): Partial<CallerFacts> => ({ permissions: PermissionSet.of(permissions) });
const licensed = (from: Date, until: Date | null): Partial<CallerFacts> => ({ licenses: [{ module: 'module-design', from, until }] });

const STAMP = sql`stamp()`;

/** Knows one answer for each credential, which a test may change in the meantime. */
class Directory extends CallerDirectory {
  person: CallerFacts | Problem = facts();
  key: CallerFacts | Problem = facts({ kind: 'service', key_id: 'k', session_id: null });
  account: AccountFacts | Problem = { user_id: 'ann', session_id: 's-ann', auth_time: NOW, methods: ['pwd'] };
  readonly asked: string[] = [];
  readonly admitted: CallerFacts[] = [];
  queriedBy: PlainQuery | undefined;

  override loadCaller(credential: Credential, tenant_id: string | null, query?: PlainQuery): Promise<CallerFacts | Problem> {
    this.asked.push(`${credential.kind} ${tenant_id}`);
    this.queriedBy = query;
    return Promise.resolve(credential.kind === 'key' ? this.key : this.person);
  }

  override loadAccount(): Promise<AccountFacts | Problem> {
    this.asked.push('account');
    return Promise.resolve(this.account);
  }

  override stampExpression = (): Sql => STAMP;
  override readKey = (): null => null;
  override recordUse = (loaded: CallerFacts): void => void this.admitted.push(loaded);
  override findVerificationKey = (): Promise<null> => Promise.resolve(null);
}

class Rates extends RateLimits {
  readonly counted: (readonly [RatedCaller, string])[] = [];
  exceeded = false;

  override countRequest(caller: RatedCaller, rl_class: string): RateStatus {
    this.counted.push([caller, rl_class]);
    return { rl_class, limit: 1, windowSeconds: 60, remaining: 0, resetSeconds: 9, exceeded: this.exceeded };
  }
}

class Noon extends Clock {
  time = NOW;
  override now(): Date {
    return this.time;
  }
}

/** Replaces both strategies: what a header holds is looked up, and what is not there is refused. */
class Strategy {
  proofs = 0;
  declare readonly success: (user: Credential) => void;
  declare readonly fail: (challenge: string) => void;

  constructor(
    private readonly header: string,
    private readonly known: Readonly<Record<string, Credential>>,
  ) {}

  readonly prove = (): number => ++this.proofs;

  authenticate(request: { headers: Record<string, string | undefined> }): void {
    this.prove();
    const credential = this.known[request.headers[this.header] ?? ''];
    if (credential) this.success(credential);
    else this.fail('unknown');
  }
}

const TWO_HOURS_OLD = session('old', { auth_time: new Date(NOW.getTime() - 120 * MINUTE) });

let directory: Directory;
let rates: Rates;
let clock: Noon;
let keys: Strategy;
let bearers: Strategy;
let guard: AccessGuard;
beforeEach(() => {
  directory = new Directory();
  rates = new Rates();
  clock = new Noon();
  keys = new Strategy('x-api-key', { atk_good: KEY });
  bearers = new Strategy('authorization', { 'Bearer ann': session('ann'), 'Bearer ben': session('ben'), 'Bearer old': TWO_HOURS_OLD });
  guard = new AccessGuard(
    new Reflector(),
    directory,
    clock,
    rates,
    keys as unknown as ApiKeyStrategy,
    bearers as unknown as BearerStrategy,
  );
});

const ANN = { authorization: 'Bearer ann', 'x-tenant-id': TENANT };
const BY_KEY = { 'x-api-key': 'atk_good', 'x-tenant-id': TENANT };
const VIEWING = Policy({ any: ['media:view'] });
const EDITING = Policy({ any: ['media:edit'] });
const DESIGNING = Policy({ any: ['design:edit'] }, { license: 'module-design' });

interface Call {
  readonly answer: string;
  readonly principal: Principal | undefined;
  readonly scope: CallScope;
}

async function call(
  policy: MethodDecorator | null,
  headers: Record<string, string>,
  { method = 'GET', actor = SYSTEM_ACTOR }: { method?: string; actor?: CallScope['actor'] } = {},
): Promise<Call> {
  const handler = (): void => undefined;
  policy?.({}, 'handler', { value: handler });
  const res = { setHeader: () => undefined };
  const request: { principal?: Principal } & Record<string, unknown> = { headers, method, ip: '192.0.2.1', res };
  const http = { getRequest: () => request, getResponse: () => res };
  const context = { getHandler: () => handler, switchToHttp: () => http } as unknown as ExecutionContext;
  const scope: CallScope = { tenant_id: null, actor, request_id: 'r' };
  const answer = await runInScope(scope, () => guard.canActivate(context)).then(String, (error: unknown) =>
    error instanceof Problem ? error.code : String(error),
  );
  return { answer, principal: request.principal, scope };
}
const answerOf = async (...asked: Parameters<typeof call>): Promise<string> => (await call(...asked)).answer;

describe('the gate of every route', () => {
  it('asks one after the other: who, which workspace, how often, how they come in, the licence, the permission, how lately', async () => {
    const all = Policy({ any: ['design:edit'] }, { license: 'module-design', stepUp: true });
    directory.person = facts({ refusal: () => new Problem('tenant_forbidden', 'from there') });
    rates.exceeded = true;
    const answers = [await answerOf(all, { authorization: 'Bearer nobody' }), await answerOf(all, { authorization: 'Bearer old' })];
    const next = async (change: () => void): Promise<void> => {
      change();
      answers.push(await answerOf(all, { authorization: 'Bearer old', 'x-tenant-id': TENANT }));
    };
    await next(() => undefined);
    await next(() => (rates.exceeded = false));
    await next(() => (directory.person = facts()));
    await next(() => (directory.person = facts(licensed(NOW, null))));
    await next(() => (directory.person = facts({ ...licensed(NOW, null), ...granted('design:edit') })));
    expect(answers).toEqual([
      'unauthenticated',
      'tenant_required',
      'rate_limited',
      'tenant_forbidden',
      'license_required',
      'permission_denied',
      'unauthenticated',
    ]);
    expect(directory.admitted).toEqual([]);
  });

  it('lets a member in and says who they are, in which workspace', async () => {
    const { answer, principal, scope } = await call(VIEWING, { ...ANN, 'x-tenant-id': TENANT.toUpperCase() });
    expect(answer).toBe('true');
    expect(principal).toMatchObject({ kind: 'person', tenant_id: TENANT, user_id: 'ann', auth_time: NOW });
    expect(scope).toMatchObject({
      tenant_id: TENANT,
      actor: { kind: 'person', user_id: 'ann', key_id: null },
      gate: { expression: STAMP },
    });
    expect(scope.gate?.expectedStamp()).toBe('one');
    expect(directory.asked).toEqual([`session ${TENANT}`]);
    expect(directory.admitted).toHaveLength(1);
  });

  it('is there on every route: one without a policy is an error, not open', async () => {
    expect(await answerOf(null, ANN)).toContain('A route without a policy');
  });

  it.each(['', 'acme', `${TENANT}, ${TENANT}`])('takes %j for no workspace', async (tenant) => {
    expect(await answerOf(VIEWING, { ...ANN, 'x-tenant-id': tenant })).toBe('tenant_required');
    expect(directory.asked).toEqual([]);
  });

  it('asks nobody who they are on a public route, and counts the address only where the route says so', async () => {
    expect(await answerOf(Public('a window'), { authorization: 'Bearer nobody' })).toBe('true');
    expect(rates.counted).toEqual([]);
    rates.exceeded = true;
    expect(await answerOf(Public('a door', { rate: 'auth' }), {})).toBe('rate_limited');
    expect(rates.counted).toEqual([[{ address: '192.0.2.1' }, 'auth']]);
  });

  it('shows operators’ routes to nobody else, members with every permission included', async () => {
    directory.person = facts({ permissions: PermissionSet.ALL });
    expect(await answerOf(Operator(), ANN)).toBe('not_found');
    expect(await answerOf(Operator(), {}, { actor: { kind: 'operator', user_id: null, key_id: null } })).toBe('true');
  });

  it('asks of a route for oneself nothing but membership', async () => {
    directory.person = facts(granted());
    expect(await answerOf(Policy(self), ANN)).toBe('true');
    directory.person = new Problem('tenant_forbidden', 'not a member');
    expect(await answerOf(Policy(self), { ...ANN, authorization: 'Bearer ben' })).toBe('tenant_forbidden');
  });

  it.each([
    ['begins now', NOW, null, 'true'],
    ['begins later', new Date(NOW.getTime() + 1), null, 'license_required'],
    ['ends now', new Date(0), NOW, 'license_required'],
    ['ends later', new Date(0), new Date(NOW.getTime() + 1), 'true'],
  ])('counts a licence that %s', async (_, from, until, answer) => {
    directory.person = facts({ ...granted('design:edit'), ...licensed(from, until) });
    expect(await answerOf(DESIGNING, ANN)).toBe(answer);
  });

  it.each([
    ['GET', VIEWING, 'read'],
    ['HEAD', VIEWING, 'read'],
    ['POST', VIEWING, 'write'],
    ['DELETE', VIEWING, 'write'],
    ['GET', Policy({ any: ['media:view'] }, { rate: 'search' }), 'search'],
  ])('counts %s for the caller, refused or not', async (method, policy, rateClass) => {
    directory.person = facts(granted());
    expect(await answerOf(policy, ANN, { method })).toBe('permission_denied');
    expect(rates.counted).toEqual([[{ tenant_id: TENANT, caller: 'ann', user_id: 'ann', key_rate_limit: null }, rateClass]]);
  });
});

describe('a key at the gate', () => {
  it('is counted and named as itself', async () => {
    directory.key = facts({ kind: 'service', key_id: 'k', session_id: null, key_rate_limit: 5 });
    const { scope } = await call(VIEWING, BY_KEY);
    expect(scope.actor).toEqual({ kind: 'service', user_id: 'ann', key_id: 'k' });
    expect(rates.counted).toEqual([[{ tenant_id: TENANT, caller: 'k', user_id: 'ann', key_rate_limit: 5 }, 'read']]);
  });

  it('is refused where only the person decides, whatever it may do, and needs more where the route says so', async () => {
    directory.key = facts({ kind: 'service', key_id: 'k', permissions: PermissionSet.ALL });
    expect(await answerOf(Policy(self, { byKey: 'refused' }), BY_KEY)).toBe('permission_denied');
    expect(await answerOf(Policy(self, { byKey: 'refused' }), ANN)).toBe('true');
    directory.key = facts({ kind: 'service', key_id: 'k', stamp: 'two' });
    expect(await answerOf(Policy(self, { byKey: ['admin:users'] }), { ...BY_KEY, 'x-tenant-id': TENANT.replace('0', '1') })).toBe(
      'permission_denied',
    );
  });

  it('needs no recent sign-in, and ends when it ends', async () => {
    expect(await answerOf(Policy({ any: ['media:view'] }, { stepUp: true }), BY_KEY)).toBe('true');
    directory.key = facts({ kind: 'service', key_id: 'k', expires_at: new Date(NOW.getTime() + MINUTE) });
    const tenant = { ...BY_KEY, 'x-tenant-id': TENANT.replace('0', '1') };
    expect(await answerOf(VIEWING, tenant)).toBe('true');
    clock.time = new Date(NOW.getTime() + MINUTE);
    expect(await answerOf(VIEWING, tenant)).toBe('unauthenticated');
  });

  it('names its own workspace where a route takes none', async () => {
    const { answer, scope } = await call(Policy(self, { tenantless: true }), { 'x-api-key': 'atk_good' });
    expect([answer, scope.tenant_id, directory.asked]).toEqual(['true', TENANT, ['key null']]);
  });
});

describe('a key and a session together', () => {
  const both = { ...ANN, ...BY_KEY };

  it('of one person count as the key, with its narrower rights', async () => {
    directory.person = facts({ permissions: PermissionSet.ALL });
    const { answer, principal } = await call(VIEWING, both);
    expect([answer, principal?.key_id]).toEqual(['true', 'k']);
    expect(await answerOf(EDITING, both)).toBe('permission_denied');
  });

  it.each<[string, Record<string, string>, () => void]>([
    ['of different people', { ...both, authorization: 'Bearer ben' }, () => undefined],
    ['of which the session is no longer good', both, () => (directory.person = new Problem('unauthenticated', 'ended'))],
    ['of which the key is no longer good', both, () => (directory.key = new Problem('unauthenticated', 'revoked'))],
    ['of which the key is unknown', { ...both, 'x-api-key': 'atk_bad' }, () => undefined],
    ['of which the session is unknown', { ...both, authorization: 'Bearer nobody' }, () => undefined],
  ])('%s are refused', async (_, headers, change) => {
    change();
    expect(await answerOf(VIEWING, headers)).toBe('unauthenticated');
    expect(directory.admitted).toEqual([]);
  });
});

describe('a session at the gate', () => {
  it('must be recent where the route asks for that, and for nothing else', async () => {
    const lately = Policy({ any: ['media:view'] }, { stepUp: true });
    const old = { ...ANN, authorization: 'Bearer old' };
    expect([await answerOf(lately, ANN), await answerOf(lately, old), await answerOf(VIEWING, old)]).toEqual([
      'true',
      'unauthenticated',
      'true',
    ]);
  });

  it('that the workspace does not take as it was made is let in where a second factor is enrolled, and there alone', async () => {
    directory.person = facts({
      refusal: ({ enrolling }: CallTrace) => (enrolling ? null : new Problem('tenant_forbidden', 'a second factor')),
    });
    expect(await answerOf(VIEWING, ANN)).toBe('tenant_forbidden');
    expect(await answerOf(Policy(self, { enrolling: true }), ANN)).toBe('true');
  });

  it('needs no workspace where a route takes none: then it has no permission, no module, no gate', async () => {
    const { answer, principal, scope } = await call(Policy(self, { tenantless: true }), { authorization: 'Bearer ann' });
    expect(answer).toBe('true');
    expect(principal).toMatchObject({ user_id: 'ann', tenant_id: '', permissions: PermissionSet.NONE });
    expect([scope.tenant_id, scope.gate]).toEqual([null, undefined]);
    expect(rates.counted).toEqual([[{ address: '192.0.2.1' }, 'auth']]);
    directory.account = new Problem('unauthenticated', 'ended');
    expect(await answerOf(Policy(self, { tenantless: true }), { authorization: 'Bearer ann' })).toBe('unauthenticated');
  });

  it('is proven once until it ends, and never longer', async () => {
    await call(VIEWING, ANN);
    await call(VIEWING, ANN);
    expect(bearers.proofs).toBe(1);
    clock.time = new Date(NOW.getTime() + MINUTE);
    await call(VIEWING, ANN);
    expect(bearers.proofs).toBe(2);
  });
});

describe('what is known of a caller', () => {
  it('serves their next request, in that workspace alone', async () => {
    await call(VIEWING, ANN);
    await call(VIEWING, ANN);
    expect(directory.asked).toHaveLength(1);
    await call(VIEWING, { ...ANN, 'x-tenant-id': TENANT.replace('0', '1') });
    await call(VIEWING, { ...ANN, authorization: 'Bearer ben' });
    expect(directory.asked).toHaveLength(3);
  });

  it('refuses nobody before it was looked at again', async () => {
    expect(await answerOf(EDITING, ANN)).toBe('permission_denied');
    directory.person = facts({ ...granted('media:edit'), stamp: 'two' });
    const { answer, scope } = await call(EDITING, ANN);
    expect([answer, scope.gate?.expectedStamp()]).toEqual(['true', 'two']);
  });

  it('that proves old is decided again: the same handler goes on with what the caller may do now', async () => {
    const { principal, scope } = await call(VIEWING, ANN);
    directory.person = facts({ ...granted('media:view', 'media:edit'), stamp: 'two' });
    const query: PlainQuery = () => Promise.resolve([]);
    await scope.gate?.renewStamp(query);
    expect(principal?.permissions.has('media:edit')).toBe(true);
    expect(scope.gate?.expectedStamp()).toBe('two');
    expect(directory.queriedBy).toBe(query);
  });

  it.each<[string, () => CallerFacts | Problem, string]>([
    ['who lost the permission', () => facts(granted()), 'permission_denied'],
    ['who is refused from there now', () => facts({ refusal: () => new Problem('tenant_forbidden', 'from there') }), 'tenant_forbidden'],
    ['who is no member any more', () => new Problem('tenant_forbidden', 'gone'), 'tenant_forbidden'],
  ])('that proves old ends the request of somebody %s', async (_, now, code) => {
    const { scope } = await call(VIEWING, ANN);
    directory.person = now();
    await expect(scope.gate?.renewStamp(() => Promise.resolve([]))).rejects.toMatchObject({ code });
    // Nothing old is left that would let them in.
    expect(await answerOf(VIEWING, ANN)).toBe(code);
  });
});
