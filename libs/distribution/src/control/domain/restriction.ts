import { Choice, Flag, Id, Ref, Resource, Stamp, TenantRow, Text, TextList, Whole } from '@atrium/platform/database';
import { invalidField, invalidFields, type Clock, type FieldFault } from '@atrium/platform/kernel';
import { addressBytes, NetworkTrie } from './address-set';
import { HostSet } from './host-set';
import { compileRule, RULE_EFFECTS, RULE_KINDS, ruleValue, type CompiledRule, type RuleEffect, type RuleKind } from './rules';
import { territoriesOf } from './territories';
import { isTimezone } from './weekly-hours';

const MOST_VALUES = 300;

/** What people may say of a rule. */
export interface RestrictionFacts {
  readonly dr_name?: string;
  readonly dr_description?: string | null;
  readonly dr_effect?: RuleEffect;
  readonly dr_values?: readonly string[];
  readonly dr_timezone?: string | null;
  readonly dr_baseline?: boolean;
  readonly dr_active?: boolean;
}

/** A rule of the catalog: named by publications, or part of the baseline of the workspace. Its values are of its one kind. */
@Resource({ table: 'distribution_restriction', sort: '-dr_created' })
export class Restriction extends TenantRow {
  @Id({ about: 'Id of the restriction.' }) readonly dr_id!: string;
  @Text({
    min: 1,
    max: 255,
    about: 'Name of the restriction; unique in the workspace.',
    example: 'Not in France',
    filter: 'contains',
    sort: true,
  })
  dr_name!: string;
  @Text({ optional: true, max: 5_000, about: 'Purpose of the restriction.' }) dr_description!: string | null;
  @Choice(RULE_KINDS, {
    about: 'Property of the request: the country of the client, the page it comes from, its IP address, the time, or the kind of client.',
    filter: 'equals',
  })
  dr_kind!: RuleKind;
  @Choice(RULE_EFFECTS, {
    about: 'Whether matching requests are refused, or only matching requests are allowed. Deny takes precedence over allow.',
  })
  dr_effect!: RuleEffect;
  @TextList({
    min: 1,
    max: MOST_VALUES,
    about:
      'Values by kind: codes of territories or groups (EU, EEA, EFTA); hosts, `*.example.com` or `none` for requests without Referer; networks; `MON-FRI 08:00-18:00`; `bot` or `ai-crawler`.',
    example: ['FR', 'EFTA'],
  })
  dr_values!: string[];
  @Text({
    optional: true,
    max: 64,
    about: 'Time zone of time windows (IANA name). Default: UTC. Null for other kinds.',
    example: 'Europe/Berlin',
  })
  dr_timezone!: string | null;
  @Flag({ about: 'Whether the restriction belongs to the baseline, which applies to every publication and share link.', filter: 'equals' })
  dr_baseline!: boolean;
  @Flag({
    about: 'Whether the restriction applies. Inactive restrictions refuse no requests and cannot be added to publications.',
    filter: 'equals',
  })
  dr_active!: boolean;
  @Stamp({ about: 'When it was created.', filter: 'range', sort: true }) dr_created!: Date;
  @Stamp({ about: 'When it was last changed.', filter: 'range', sort: true }) dr_updated!: Date;
  @Ref({ optional: true, about: 'User who created it.' }) dr_created_by!: string | null;
  @Whole({
    generated: true,
    about:
      'Number of publications that use it, without revoked ones. Without `admin:distribution`, only publications that you may see are counted.',
    example: 12,
  })
  readonly dr_publication_count!: number;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Restriction, 'dr_id' | 'dr_kind' | 'dr_created_by'>, now: Date): Restriction {
    return Object.assign(new Restriction(), {
      dr_description: null,
      dr_timezone: null,
      dr_baseline: false,
      dr_active: true,
      dr_publication_count: 0,
      dr_created: now,
      ...facts,
    });
  }

  /** Takes over what was said; throws one fault for each value that is none of its kind. */
  describe(facts: RestrictionFacts, clock: Clock): void {
    if (facts.dr_values !== undefined) this.dr_values = readValues(this.dr_kind, facts.dr_values);
    if (facts.dr_timezone !== undefined || this.dr_kind === 'window')
      this.dr_timezone = readTimezone(this.dr_kind, facts.dr_timezone ?? this.dr_timezone ?? null);
    if (facts.dr_name !== undefined) this.dr_name = facts.dr_name;
    if (facts.dr_description !== undefined) this.dr_description = facts.dr_description;
    if (facts.dr_effect !== undefined) this.dr_effect = facts.dr_effect;
    if (facts.dr_baseline !== undefined) this.dr_baseline = facts.dr_baseline;
    if (facts.dr_active !== undefined) this.dr_active = facts.dr_active;
    this.dr_updated = clock.now();
  }
}

/** A restriction as the evaluator asks it. */
export const compileRestriction = ({
  dr_id,
  dr_name,
  dr_kind,
  dr_effect,
  dr_values,
  dr_timezone,
  dr_baseline,
}: Pick<Restriction, 'dr_id' | 'dr_name' | 'dr_kind' | 'dr_effect' | 'dr_values' | 'dr_timezone' | 'dr_baseline'>): CompiledRule =>
  compileRule(
    { source: dr_baseline ? 'baseline' : 'restriction', id: dr_id, name: dr_name },
    { kind: dr_kind, effect: dr_effect, values: dr_values, timezone: dr_timezone },
  );

function readValues(kind: RuleKind, given: readonly string[]): string[] {
  const faults: FieldFault[] = [];
  const values = given.flatMap((text, at) => {
    const read = ruleValue(kind, text);
    if ('value' in read) return [read.value];
    faults.push({ path: `dr_values[${at}]`, code: kind, message: read.fault });
    return [];
  });
  if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  return [...new Set(values)];
}

function readTimezone(kind: RuleKind, given: string | null): string | null {
  if (kind !== 'window') {
    if (given !== null) throw invalidField('dr_timezone', 'is allowed only for windows', 'unknown_field');
    return null;
  }
  if (given !== null && !isTimezone(given)) throw invalidField('dr_timezone', 'must be a time zone such as Europe/Berlin', 'timezone');
  return given ?? 'UTC';
}

type Values = Pick<Restriction, 'dr_kind' | 'dr_values' | 'dr_timezone'>;

/** Whether two rules of one kind have anything in common. Windows of different time zones may always have. */
export function haveCommon(a: Values, b: Values): boolean {
  if (a.dr_kind === 'territory') {
    const those = territoriesOf(b.dr_values);
    return [...territoriesOf(a.dr_values)].some((code) => those.has(code));
  }
  if (a.dr_kind === 'host') return within(a.dr_values, b.dr_values) || within(b.dr_values, a.dr_values);
  if (a.dr_kind === 'ip') return reaches(a.dr_values, b.dr_values) || reaches(b.dr_values, a.dr_values);
  if (a.dr_kind === 'agent')
    return a.dr_values.includes('bot') || b.dr_values.includes('bot') || a.dr_values.some((value) => b.dr_values.includes(value));
  return (
    a.dr_timezone !== b.dr_timezone || a.dr_values.some((value) => b.dr_values.includes(value)) || overlapping(a.dr_values, b.dr_values)
  );
}

function within(some: readonly string[], others: readonly string[]): boolean {
  const hosts = new HostSet(others);
  return some.some((pattern) => others.includes(pattern) || hosts.has(pattern.startsWith('*.') ? pattern.slice(2) : pattern));
}

function reaches(some: readonly string[], others: readonly string[]): boolean {
  const networks = new NetworkTrie<boolean>();
  for (const network of others) networks.add(network, true);
  return some.some((network) => {
    const address = addressBytes(network.split('/')[0]);
    return address !== null && networks.find(address) === true;
  });
}

/** Any hour of any week will do. */
function overlapping(some: readonly string[], others: readonly string[]): boolean {
  const [one, two] = [some, others].map((values) =>
    compileRule({ source: 'restriction', id: null, name: '' }, { kind: 'window', effect: 'deny', values, timezone: 'UTC' }),
  );
  return Array.from({ length: 7 * 24 * 60 }, (_, minute) => new Date(minute * 60_000)).some((at) => {
    const facts = { country: null, host: null, address: null, agent: 'other', at } as const;
    return one?.matchesFacts(facts) === true && two?.matchesFacts(facts) === true;
  });
}
