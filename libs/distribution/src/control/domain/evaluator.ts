import type { ProblemCode } from '@atrium/platform/kernel';
import { RULE_KINDS, type CompiledRule, type RequestFacts, type RuleKind } from './rules';

/** The publication or link behind an address: its state, its window, and whether there is content to deliver. */
export interface AddressState {
  readonly state: 'draft' | 'scheduled' | 'published' | 'revoked';
  readonly start: Date | null;
  readonly end: Date | null;
  /** Whether its address has ever answered; what never did is not confirmed by a 410. */
  readonly everLive: boolean;
  /** Whether the first copy is there. */
  readonly ready: boolean;
  /** Why nothing of the workspace is served at the moment; null: it is. */
  readonly closed: 'suspended' | 'lapsed' | null;
}

/** What is open to everybody at any time; rules alone decide. */
export const ALWAYS_OPEN: AddressState = { state: 'published', start: null, end: null, everLive: true, ready: true, closed: null };

/** Rules in the order in which they are asked. */
export interface Policy {
  readonly denies: readonly CompiledRule[];
  readonly allows: readonly (readonly [RuleKind, readonly CompiledRule[]])[];
  readonly kinds: ReadonlySet<RuleKind>;
  /** What becomes of a request whose country nobody knows where a rule names territories. */
  readonly unknownTerritory: 'refuse' | 'allow';
  /** Whether crawlers of models are refused. */
  readonly refusesAi: boolean;
}

export type RefusalReason = RuleKind | 'draft' | 'embargo' | 'revoked' | 'ended' | 'copying' | 'suspended' | 'lapsed';

/** How a request is answered. */
export interface Verdict {
  readonly decision: 'allow' | 'refuse';
  readonly status: number;
  readonly code: ProblemCode | null;
  readonly reason: RefusalReason | null;
}

/** One test of an evaluation, as it is explained. */
export interface TraceLine {
  readonly rule: string;
  readonly rule_id: string | null;
  readonly source: 'baseline' | 'restriction' | 'deny' | 'window' | 'state';
  readonly kind: RuleKind | null;
  readonly effect: 'deny' | 'allow_only' | null;
  readonly matched: boolean;
}

type TraceReporter = (line: TraceLine) => void;

const ALLOWED: Verdict = { decision: 'allow', status: 200, code: null, reason: null };
const refused = (status: number, code: ProblemCode, reason: RefusalReason): Verdict => ({ decision: 'refuse', status, code, reason });
const denied = (kind: RuleKind): Verdict => refused(403, 'permission_denied', kind);

/** Puts rules together; those of the baseline come first. */
export function policyOf(rules: readonly CompiledRule[], unknownTerritory: Policy['unknownTerritory']): Policy {
  const allows = RULE_KINDS.flatMap((kind) => {
    const those = rules.filter((rule) => rule.effect === 'allow_only' && rule.kind === kind);
    return those.length > 0 ? [[kind, those] as const] : [];
  });
  const denies = rules.filter((rule) => rule.effect === 'deny');
  return {
    denies,
    allows,
    kinds: new Set(rules.map((rule) => rule.kind)),
    unknownTerritory,
    refusesAi: denies.some((rule) => rule.kind === 'agent'),
  };
}

/**
 * The one decision on what leaves a workspace: state and window first, then what is denied, then what is allowed only. Deny
 * beats allow; the first test that matches decides. With a reporter every test is reported, also those after the first match.
 */
export function evaluatePolicy(standing: AddressState, policy: Policy, facts: RequestFacts, tell?: TraceReporter): Verdict {
  let verdict = byStanding(standing, facts.at, tell);
  if (verdict && !tell) return verdict;
  for (const rule of policy.denies) {
    const matched = rule.matchesFacts(facts) ?? (rule.kind === 'territory' && policy.unknownTerritory === 'refuse');
    tell?.(lineOf(rule, matched));
    if (matched) verdict ??= denied(rule.kind);
    if (verdict && !tell) return verdict;
  }
  for (const [kind, rules] of policy.allows) {
    let allowed = false;
    for (const rule of rules) {
      const matched = rule.matchesFacts(facts) ?? passesUnreported(kind, policy);
      tell?.(lineOf(rule, matched));
      allowed ||= matched;
      if (allowed && !tell) break;
    }
    if (!allowed) verdict ??= denied(kind);
    if (verdict && !tell) return verdict;
  }
  return verdict ?? ALLOWED;
}

/** A request that does not say where it comes from passes rules on hosts; one whose country or address nobody knows is not among those allowed. */
const passesUnreported = (kind: RuleKind, { unknownTerritory }: Policy): boolean =>
  kind === 'host' || (kind === 'territory' && unknownTerritory === 'allow');

const lineOf = ({ name, id, source, kind, effect }: CompiledRule, matched: boolean): TraceLine => ({
  rule: name,
  rule_id: id,
  source,
  kind,
  effect,
  matched,
});

function byStanding({ state, start, end, everLive, ready, closed }: AddressState, at: Date, tell?: TraceReporter): Verdict | null {
  const early = start !== null && at < start;
  const late = end !== null && at >= end;
  const tests: readonly (readonly [rule: string, source: 'state' | 'window', hit: boolean, verdict: Verdict])[] = [
    ['workspace is closed', 'state', closed !== null, refused(503, 'service_unavailable', closed ?? 'suspended')],
    ['never live', 'state', state === 'draft' || (state === 'revoked' && !everLive), refused(404, 'not_found', 'draft')],
    ['before its start', 'window', state === 'scheduled' && early, refused(404, 'not_found', 'embargo')],
    ['revoked', 'state', state === 'revoked', refused(410, 'gone', 'revoked')],
    ['past its end', 'window', state !== 'draft' && late, refused(410, 'gone', 'ended')],
    ['first copy is not ready', 'state', !ready, refused(503, 'service_unavailable', 'copying')],
  ];
  let verdict: Verdict | null = null;
  for (const [rule, source, hit, answer] of tests) {
    tell?.({ rule, rule_id: null, source, kind: null, effect: null, matched: hit });
    if (hit) verdict ??= answer;
    if (verdict && !tell) return verdict;
  }
  return verdict;
}
