import { Choice, Decimal, Flag, Id, Ref, Resource, Stamp, TenantRow, Text, WholeList } from '@atrium/platform/database';
import { invalidField, isId, type Clock } from '@atrium/platform/kernel';
import { LEAST_CREDITS, MAX_CREDITS } from './credits';
import { isUsageParam } from './usage-params';

export const BUDGET_SCOPES = ['workspace', 'user', 'each_user', 'role', 'agent', 'prompt', 'key', 'extension', 'param'] as const;
export type BudgetScope = (typeof BUDGET_SCOPES)[number];
export const BUDGET_PERIODS = ['day', 'week', 'month', 'total'] as const;
export const BUDGET_ACTIONS = ['warn', 'block'] as const;
export const MAX_BUDGETS = 500;
const DEFAULT_THRESHOLDS = [80, 100];

/** What a customer says of a budget. */
export interface BudgetFacts {
  readonly bud_name?: string;
  readonly bud_scope?: BudgetScope;
  readonly bud_target?: string | null;
  readonly bud_period?: (typeof BUDGET_PERIODS)[number];
  readonly bud_timezone?: string;
  readonly bud_credits?: number;
  readonly bud_action?: (typeof BUDGET_ACTIONS)[number];
  readonly bud_thresholds?: readonly number[];
  readonly bud_active?: boolean;
}

/** Credits that may be spent in a period by the whole workspace, by somebody, or through something. All that match bind at once. */
@Resource({ table: 'budget', sort: '-bud_created' })
export class Budget extends TenantRow {
  @Id({ about: 'Id of the budget.', filter: undefined }) readonly bud_id!: string;
  @Text({ min: 1, max: 80, about: 'Name of the budget.', example: 'Marketing, monthly', sort: true }) bud_name!: string;
  @Choice(BUDGET_SCOPES, {
    about: 'Scope of the budget. `each_user`: each member separately; `role`: all members of the role together.',
    filter: 'equals',
  })
  bud_scope!: BudgetScope;
  @Text({
    optional: true,
    max: 64,
    about: 'Id of the target, or the name of the parameter for `param`. Null for `workspace` and `each_user`.',
    filter: 'equals',
  })
  bud_target!: string | null;
  @Choice(BUDGET_PERIODS, { about: 'Period after which spending is reset; `total`: never.' })
  bud_period!: (typeof BUDGET_PERIODS)[number];
  @Text({ max: 64, about: 'Time zone of its periods (IANA name). Default: the time zone of the workspace.', example: 'Europe/Lisbon' })
  bud_timezone!: string;
  @Decimal({ min: LEAST_CREDITS, max: MAX_CREDITS, about: 'Credits per period, with up to six decimals.', example: 500 })
  bud_credits!: number;
  @Choice(BUDGET_ACTIONS, {
    about: '`block`: work that would exceed the budget is refused with 402. `warn`: exceeding the budget is only reported.',
    filter: 'equals',
  })
  bud_action!: (typeof BUDGET_ACTIONS)[number];
  @WholeList({
    max: 5,
    about: 'Percentages at which the event `budget.threshold` is sent, once per period.',
    example: DEFAULT_THRESHOLDS,
  })
  bud_thresholds!: number[];
  @Flag({ about: 'Whether the budget applies.', filter: 'equals' }) bud_active!: boolean;
  @Decimal({
    computed: true,
    about: 'Credits spent in the current period; for `each_user`, by you or by the user in `bud_target`.',
    example: 120.5,
  })
  readonly bud_spent!: number;
  @Decimal({ computed: true, about: 'Remaining credits; negative if the budget was exceeded.', example: 379.5 })
  readonly bud_remaining!: number;
  @Stamp({ computed: true, optional: true, about: 'Start of the current period. Null for `total`.' })
  readonly bud_period_from!: Date | null;
  @Stamp({ computed: true, optional: true, about: 'End of the current period. Null for `total`.' }) readonly bud_period_to!: Date | null;
  @Stamp({ about: 'When it was created.', sort: true }) bud_created!: Date;
  @Stamp({ about: 'When it was last changed.' }) bud_updated!: Date;
  @Ref({ optional: true, about: 'User who created it.' }) bud_created_by!: string | null;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Pick<Budget, 'bud_id' | 'bud_timezone' | 'bud_created_by'>, now: Date): Budget {
    return Object.assign(new Budget(), { bud_active: true, bud_created: now, ...facts });
  }

  /** Takes over what was said. Answers whether it is another budget now, whose spend is counted again from what really was. */
  take(facts: BudgetFacts, clock: Clock): boolean {
    const before = this.identity();
    const { bud_thresholds, ...plain } = facts;
    Object.assign(this, Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)));
    if (bud_thresholds !== undefined) this.bud_thresholds = checkedThresholds(bud_thresholds);
    this.bud_thresholds ??= [...DEFAULT_THRESHOLDS];
    this.bud_target = checkedTarget(this.bud_scope, this.bud_target ?? null);
    this.bud_updated = clock.now();
    return before !== this.identity();
  }

  private identity(): string {
    return JSON.stringify([this.bud_scope, this.bud_target, this.bud_period, this.bud_timezone]);
  }
}

/** A target in the form that is stored, or why it is none for the scope. */
export function checkedTarget(scope: BudgetScope, target: string | null): string | null {
  if (scope === 'workspace' || scope === 'each_user') {
    if (target === null) return null;
    throw invalidField('bud_target', `must be null for the scope ${scope}`, 'target');
  }
  if (target === null) throw invalidField('bud_target', `must name a target of the scope ${scope}`, 'required');
  if (scope === 'param') {
    if (isUsageParam(target)) return target;
    throw invalidField('bud_target', 'must be a usage parameter', 'reference');
  }
  if (!isId(target))
    throw invalidField('bud_target', `must be the id of ${scope === 'agent' || scope === 'extension' ? 'an' : 'a'} ${scope}`, 'uuid');
  return target.toLowerCase();
}

function checkedThresholds(thresholds: readonly number[]): number[] {
  if (thresholds.some((percent) => percent < 1 || percent > 1000))
    throw invalidField('bud_thresholds', 'must be percentages from 1 to 1000', 'percent');
  return [...new Set(thresholds)].sort((a, b) => a - b);
}
