import { AGENT_KINDS, type Agent } from './agents';
import { addressBytes, NetworkTrie, networkValue } from './address-set';
import { hostPattern, HostSet, hostValue } from './host-set';
import { agentOf } from './agents';
import { territoriesOf, territoryOf, territoryValue } from './territories';
import { hoursValue, WeeklyHours } from './weekly-hours';

export const RULE_KINDS = ['territory', 'host', 'ip', 'window', 'agent'] as const;
export type RuleKind = (typeof RULE_KINDS)[number];

export const RULE_EFFECTS = ['deny', 'allow_only'] as const;
export type RuleEffect = (typeof RULE_EFFECTS)[number];

/** What is known of a request; null: it does not tell. */
export interface RequestFacts {
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  /** Host of the page it comes from, in punycode. */
  readonly host: string | null;
  readonly address: Uint8Array | null;
  readonly agent: Agent;
  readonly at: Date;
}

/** Facts as they are sent or stand in headers. */
export interface ReportedFacts {
  readonly country?: string | null | undefined;
  readonly host?: string | null | undefined;
  readonly ip?: string | null | undefined;
  readonly agent?: string | null | undefined;
  readonly at: Date;
}

export const factsOf = ({ country, host, ip, agent, at }: ReportedFacts): RequestFacts => ({
  country: territoryOf(country),
  host: host ? hostValue(host) : null,
  address: addressBytes(ip),
  agent: agentOf(agent),
  at,
});

/** Where a rule comes from. */
export interface RuleOrigin {
  readonly source: 'baseline' | 'restriction' | 'deny';
  /** Of the restriction; null for what a publication itself denies. */
  readonly id: string | null;
  readonly name: string;
}

/** A rule as it is stored. */
export interface RuleText {
  readonly kind: RuleKind;
  readonly effect: RuleEffect;
  readonly values: readonly string[];
  readonly timezone?: string | null;
}

/** A rule made ready to be asked: no answer depends on how many values it has. */
export interface CompiledRule extends RuleOrigin {
  readonly kind: RuleKind;
  readonly effect: RuleEffect;
  readonly values: readonly string[];
  readonly timezone: string | null;
  /** Whether the request's value is among the values; null if the request does not contain one. */
  matchesFacts(facts: RequestFacts): boolean | null;
}

type Matcher = (facts: RequestFacts) => boolean | null;

const MATCHERS: Readonly<Record<RuleKind, (rule: RuleText) => Matcher>> = {
  territory: ({ values }) => {
    const codes = territoriesOf(values);
    return ({ country }) => (country === null ? null : codes.has(country));
  },
  host: ({ values }) => {
    const hosts = new HostSet(values);
    return ({ host }) => (host === null ? (hosts.namesNone ? true : null) : hosts.has(host));
  },
  ip: ({ values }) => {
    const networks = new NetworkTrie();
    for (const value of values) networks.add(value, true);
    return ({ address }) => (address === null ? null : networks.find(address) === true);
  },
  window: ({ values, timezone }) => {
    const hours = new WeeklyHours(values, timezone ?? 'UTC');
    return ({ at }) => hours.has(at);
  },
  agent: ({ values }) => {
    const [bots, crawlers] = [values.includes('bot'), values.includes('ai-crawler')];
    return ({ agent }) => (agent === 'ai-crawler' ? bots || crawlers : agent === 'bot' && bots);
  },
};

export const compileRule = (origin: RuleOrigin, rule: RuleText): CompiledRule => ({
  ...origin,
  kind: rule.kind,
  effect: rule.effect,
  values: rule.values,
  timezone: rule.timezone ?? null,
  matchesFacts: MATCHERS[rule.kind](rule),
});

const VALUE_FORMS: Readonly<Record<RuleKind, { readonly read: (text: string) => string | null; readonly says: string }>> = {
  territory: { read: territoryValue, says: 'is neither an ISO 3166-1 alpha-2 code nor one of the groups EU, EEA, EFTA' },
  host: { read: hostPattern, says: 'is not a host such as example.com, *.example.com or none' },
  ip: { read: networkValue, says: 'is not a network such as 203.0.113.0/24' },
  window: { read: hoursValue, says: 'is not a window such as MON-FRI 08:00-18:00' },
  agent: { read: (text) => AGENT_KINDS.find((kind) => kind === text.trim().toLowerCase()) ?? null, says: 'is not one of bot, ai-crawler' },
};

/** A value of a rule in the form it is stored in, or the sentence that says what is wrong with it. */
export function ruleValue(kind: RuleKind, text: string): { readonly value: string } | { readonly fault: string } {
  const { read, says } = VALUE_FORMS[kind];
  const value = read(text);
  return value === null ? { fault: says } : { value };
}
