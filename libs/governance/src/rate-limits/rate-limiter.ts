import { Inject, Injectable } from '@nestjs/common';
import {
  Audit,
  defineAuditTypes,
  networkOf,
  RateLimits,
  type Principal,
  type RateClass,
  type RatedCaller,
  type RateStatus,
  RATE_CLASSES,
} from '@atrium/platform/access';
import { Database, enterWorkspace, inWorkspace } from '@atrium/platform/database';
import { notFound, SECOND } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { RateCounters, type RateCount } from './rate-counters';
import { RateLimitRows, type RateOverride } from './rate-limits.rows';
import { RATE_WINDOW_SECONDS, shareOfOne, type RateAllowances, type RateKind } from './rate-policy';

export const RATE_ALLOWANCES = Symbol('rate-allowances');

const KNOWN_WORKSPACES = 10_000;
const OVERRIDES_LIVE_MS = 30 * SECOND;

type Overrides = Partial<Record<RateKind, number>>;

const AUDITED = defineAuditTypes({ 'rate_limits.updated': 'An operator changed the rate limits of the workspace.' });

/** What a caller may do, and how far it has got. */
export interface RatePolicyRow {
  readonly rl_class: RateKind;
  readonly rl_limit: number;
  readonly rl_window_seconds: number;
  readonly rl_scope: 'caller' | 'workspace' | 'address';
  readonly rl_remaining: number;
  readonly rl_reset_seconds: number;
}

interface Counter {
  readonly key: string;
  readonly kind: RateKind;
  readonly scope: RatePolicyRow['rl_scope'];
  readonly limit: number;
}

/** Counts requests against the allowances of their caller and workspace; what an operator grants one workspace comes first. */
@Injectable()
export class RateLimiter extends RateLimits {
  private readonly overrides: LRUCache<string, Overrides>;

  constructor(
    private readonly db: Database,
    private readonly rows: RateLimitRows,
    private readonly counters: RateCounters,
    private readonly audit: Audit,
    @Inject(RATE_ALLOWANCES) private readonly usual: RateAllowances,
  ) {
    super();
    this.overrides = new LRUCache<string, Overrides>({
      max: KNOWN_WORKSPACES,
      ttl: OVERRIDES_LIVE_MS,
      allowStale: true,
      noDeleteOnFetchRejection: true,
      fetchMethod: (tenant_id) => this.load(tenant_id),
    });
  }

  countRequest(caller: RatedCaller, rateClass: RateClass): RateStatus | Promise<RateStatus> {
    if ('address' in caller)
      return this.judge([
        { key: `address:${networkOf(caller.address)}:${rateClass}`, kind: rateClass, scope: 'address', limit: this.usual[rateClass] },
      ]);
    const granted = this.granted(caller.tenant_id);
    return this.judge(countersOf(caller, rateClass, { ...this.usual, ...granted }));
  }

  /** Every current allowance of the caller. */
  async listAllowances(caller: Principal): Promise<RatePolicyRow[]> {
    const allowances = { ...this.usual, ...(await this.overrides.fetch(caller.tenant_id)) };
    const { tenant_id, user_id, key_id, key_rate_limit } = caller;
    const rated = { tenant_id, caller: key_id ?? user_id, user_id, key_rate_limit };
    const counters = [
      ...RATE_CLASSES.filter((name) => name !== 'auth').map((name) => ownCounter(rated, name, allowances)),
      personCounter(rated, allowances),
      sharedCounter(rated, allowances),
    ];
    const counts = await this.counters.readCounters(counters.map(({ key }) => key));
    return counters.map((counter, i) => rowOf(counter, counts[i] ?? NONE));
  }

  /** What an operator grants one workspace, as a whole. */
  async replaceOverrides(tenant_id: string, limits: Overrides): Promise<Overrides> {
    await enterWorkspace(tenant_id, () =>
      this.db.write(async () => {
        if (!(await this.rows.hasWorkspace())) throw notFound('workspace');
        const before = await this.rows.deleteOverrides();
        await this.rows.insertOverrides(limits);
        this.audit.record({
          type: AUDITED['rate_limits.updated'],
          target: { type: 'workspace', id: tenant_id },
          before: { ...byClass(before) },
          after: { ...limits },
        });
      }),
    );
    this.overrides.delete(tenant_id);
    return limits;
  }

  /** At once from memory; what is not known yet or has aged is asked for in the background. */
  private granted(tenant_id: string): Overrides {
    const known = this.overrides.get(tenant_id, { allowStale: true });
    if (known === undefined || this.overrides.getRemainingTTL(tenant_id) <= 0) void this.overrides.fetch(tenant_id).catch(() => undefined);
    return known ?? {};
  }

  private async load(tenant_id: string): Promise<Overrides> {
    const rows = await inWorkspace(tenant_id, () => this.db.read(() => this.rows.findOverrides()));
    return byClass(rows);
  }

  private judge(counters: readonly Counter[]): RateStatus | Promise<RateStatus> {
    const counted = this.counters.incrementCounters(counters.map(({ key }) => key));
    return counted instanceof Promise ? counted.then((counts) => this.standingOf(counters, counts)) : this.standingOf(counters, counted);
  }

  /** A request that is refused counts only where it was one too many: who asks too much uses up nothing of the others'. */
  private standingOf(counters: readonly Counter[], counts: readonly RateCount[]): RateStatus {
    const standing = narrowest(counters, counts);
    if (standing.exceeded) {
      const within = counters.filter(({ limit }, i) => (counts[i] ?? NONE).count <= limit);
      if (within.length > 0) this.counters.undoHits(within.map(({ key }) => key));
    }
    return standing;
  }
}

const byClass = (rows: readonly RateOverride[]): Overrides =>
  Object.fromEntries(rows.map(({ rl_class, rl_limit }) => [rl_class, rl_limit]));

const NONE: RateCount = { count: 0, resetMs: 0 };

type MemberCaller = Extract<RatedCaller, { tenant_id: string }>;

const ownCounter = ({ tenant_id, caller, key_rate_limit }: MemberCaller, kind: RateClass, allowances: RateAllowances): Counter => ({
  key: `${tenant_id}:${caller}:${kind}`,
  kind,
  scope: 'caller',
  limit: Math.min(allowances[kind], key_rate_limit ?? Infinity),
});

const personCounter = ({ tenant_id, user_id }: MemberCaller, allowances: RateAllowances): Counter => ({
  key: `${tenant_id}:${user_id}:person`,
  kind: 'workspace',
  scope: 'caller',
  limit: shareOfOne(allowances),
});

const sharedCounter = ({ tenant_id }: MemberCaller, allowances: RateAllowances): Counter => ({
  key: `${tenant_id}:all`,
  kind: 'workspace',
  scope: 'workspace',
  limit: allowances.workspace,
});

/** The caller's own allowance, the person's share of the workspace's, the workspace's, and where a key is limited that of all its requests together. */
function countersOf(caller: MemberCaller, kind: RateClass, allowances: RateAllowances): Counter[] {
  const counters = [ownCounter(caller, kind, allowances), personCounter(caller, allowances), sharedCounter(caller, allowances)];
  return caller.key_rate_limit === null
    ? counters
    : [...counters, { key: `${caller.tenant_id}:${caller.caller}:all`, kind, scope: 'caller', limit: caller.key_rate_limit }];
}

/** The counter that is exceeded, or else the one with least left. */
function narrowest(counters: readonly Counter[], counts: readonly RateCount[]): RateStatus {
  let least: RateStatus | undefined;
  for (const [i, { kind, limit }] of counters.entries()) {
    const { count, resetMs } = counts[i] ?? NONE;
    const standing = {
      rl_class: kind,
      limit,
      windowSeconds: RATE_WINDOW_SECONDS,
      remaining: Math.max(0, limit - count),
      resetSeconds: Math.max(1, Math.ceil(resetMs / SECOND)),
      exceeded: count > limit,
    };
    if (!least || (standing.exceeded && !least.exceeded) || (standing.exceeded === least.exceeded && standing.remaining < least.remaining))
      least = standing;
  }
  if (!least) throw new Error('A request is counted somewhere.');
  return least;
}

const rowOf = ({ kind, scope, limit }: Counter, { count, resetMs }: RateCount): RatePolicyRow => ({
  rl_class: kind,
  rl_limit: limit,
  rl_window_seconds: RATE_WINDOW_SECONDS,
  rl_scope: scope,
  rl_remaining: Math.max(0, limit - count),
  rl_reset_seconds: Math.ceil(resetMs / SECOND),
});
