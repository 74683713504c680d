import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, type Principal } from '@atrium/platform/access';
import { Database, TimeZones, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, isId, notFound, Problem, withArticle } from '@atrium/platform/kernel';
import { Budget, MAX_BUDGETS, type BudgetFacts, type BudgetScope } from '../domain/budget';
import { amountText } from '../domain/credits';
import { BudgetsRepository, type BudgetRow, type SpendingRow } from '../infrastructure/budgets.repository';
import { BudgetTargets } from './budget-targets';
import { CREDITS_AUDIT } from './credits.service';

export type { BudgetRow, SpendingRow } from '../infrastructure/budgets.repository';

export type NewBudget = BudgetFacts & Required<Pick<BudgetFacts, 'bud_name' | 'bud_scope' | 'bud_period' | 'bud_credits' | 'bud_action'>>;

export interface BudgetFilters extends ListParameters {
  readonly bud_scope?: BudgetScope;
  readonly bud_target?: string;
}

type BudgetDetail = BudgetRow & { readonly row_version: number };

/** Budgets of a workspace. A new or changed one is counted from what was really spent in its period, and binds at once. */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly db: Database,
    private readonly budgets: BudgetsRepository,
    private readonly targets: BudgetTargets,
    private readonly zones: TimeZones,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Of budgets that are each member's own, the spend of the caller is shown, or of the user that `bud_target` names. */
  list(caller: Principal, query: BudgetFilters): Promise<Page<BudgetRow>> {
    const ofSomebody = query.bud_scope === 'each_user' && query.bud_target !== undefined;
    if (ofSomebody && !isId(query.bud_target)) return Promise.resolve({ data: [], has_more: false, next_cursor: null });
    return this.db.read(() =>
      this.budgets.listBudgets(query, ofSomebody ? (query.bud_target ?? null) : caller.user_id, ofSomebody ? ['bud_target'] : []),
    );
  }

  get(caller: Principal, bud_id: string): Promise<BudgetDetail> {
    return this.db.read(() => this.read(caller, bud_id));
  }

  /** The active budgets that bind what the caller does, with the caller's own spend. */
  listBindingBudgets(caller: Principal): Promise<BudgetRow[]> {
    return this.db.read(() => this.budgets.findBindingBudgets(caller.user_id, caller.key_id));
  }

  async create(caller: Principal, facts: NewBudget): Promise<BudgetDetail> {
    await this.assertTimeZone(facts);
    return this.db.write(async () => {
      await this.budgets.blockCharges();
      const bud_timezone = facts.bud_timezone ?? (await this.budgets.readTimeZone());
      const budget = Budget.blank({ bud_id: this.ids.next(), bud_timezone, bud_created_by: caller.user_id }, this.clock.now());
      await this.take(budget, facts);
      const { count, twin } = await this.budgets.summarizeSiblings(budget);
      if (twin) throw twinExists();
      if (count >= MAX_BUDGETS) throw new Problem('limit_reached', `A workspace can have at most ${MAX_BUDGETS} budgets.`);
      await this.budgets.insert(budget);
      await this.budgets.recountBudget(budget.bud_id, true);
      this.audit.record({ type: CREDITS_AUDIT['budget.created'], target: targetOf(budget), ...changesBetween(null, told(budget)) });
      return this.read(caller, budget.bud_id);
    });
  }

  async change(caller: Principal, bud_id: string, facts: BudgetFacts, precondition?: Precondition): Promise<BudgetDetail> {
    await this.assertTimeZone(facts);
    return this.db.write(async () => {
      await this.budgets.blockCharges();
      const budget = await this.budgets.lock(bud_id, precondition);
      const before = told(budget);
      const anew = await this.take(budget, facts);
      if (anew && (await this.budgets.summarizeSiblings(budget)).twin) throw twinExists();
      await this.budgets.save(budget);
      await this.budgets.recountBudget(bud_id, anew);
      this.audit.record({ type: CREDITS_AUDIT['budget.updated'], target: targetOf(budget), ...changesBetween(before, told(budget)) });
      return this.read(caller, bud_id);
    });
  }

  remove(bud_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      await this.budgets.blockCharges();
      const budget = await this.budgets.lock(bud_id, precondition);
      await this.budgets.remove(budget);
      this.audit.record({ type: CREDITS_AUDIT['budget.deleted'], target: targetOf(budget), ...changesBetween(told(budget), null) });
    });
  }

  /** By person where the budget is each one's or a role's; else one line for all. */
  listSpending(caller: Principal, bud_id: string, query: ListParameters): Promise<Page<SpendingRow>> {
    return this.db.read(async () => this.budgets.listSpending(await this.read(caller, bud_id), query));
  }

  private async read(caller: Principal, bud_id: string): Promise<BudgetDetail> {
    const row = await this.budgets.findBudgetDetail(bud_id, caller.user_id);
    if (!row) throw notFound('budget');
    return row;
  }

  private async take(budget: Budget, facts: BudgetFacts): Promise<boolean> {
    if (facts.bud_credits !== undefined) amountText('bud_credits', facts.bud_credits);
    const anew = budget.take(facts, this.clock);
    const { bud_scope, bud_target } = budget;
    if (anew && bud_target !== null && !(await this.targets.hasTarget(bud_scope, bud_target)))
      throw invalidField('bud_target', `must be ${withArticle(bud_scope)} of this workspace`, 'reference');
    return anew;
  }

  private async assertTimeZone({ bud_timezone }: BudgetFacts): Promise<void> {
    if (bud_timezone !== undefined) await this.zones.assertTimeZone('bud_timezone', bud_timezone);
  }
}

const twinExists = (): Problem => alreadyExists('bud_scope', 'A budget with this scope, target and period already exists.');

const targetOf = ({ bud_id, bud_name }: Budget): { type: string; id: string; name: string } => ({
  type: 'budget',
  id: bud_id,
  name: bud_name,
});

const told = ({
  bud_name,
  bud_scope,
  bud_target,
  bud_period,
  bud_timezone,
  bud_credits,
  bud_action,
  bud_thresholds,
  bud_active,
}: Budget): BudgetFacts => ({
  bud_name,
  bud_scope,
  bud_target,
  bud_period,
  bud_timezone,
  bud_credits,
  bud_action,
  bud_thresholds: [...bud_thresholds],
  bud_active,
});
