import { Decimal, Ref } from '@atrium/platform/database';
import { Answer, Body, ListQuery, PageOf, View } from '@atrium/platform/http';
import { Budget, type BudgetScope } from '../domain/budget';
import { Spending } from '../domain/spending';

const OPTIONAL = ['bud_target', 'bud_timezone', 'bud_thresholds', 'bud_active'] as const;
const REQUIRED = ['bud_name', 'bud_scope', 'bud_period', 'bud_credits', 'bud_action'] as const;

export class CreateBudget extends Body(Budget, { required: REQUIRED, optional: OPTIONAL }) {}
export class ChangeBudget extends Body(Budget, { optional: [...REQUIRED, ...OPTIONAL] }) {}

export class ListBudgets extends ListQuery(Budget) {
  declare bud_scope?: BudgetScope;
  declare bud_target?: string;
}

@Answer()
export class BudgetView extends View(Budget) {}
export class BudgetPage extends PageOf(BudgetView) {}

export class ListSpending extends ListQuery(Spending) {}

@Answer()
class SpendingView {
  @Ref({ optional: true, about: 'The person. Null: all together.' }) subject!: string | null;
  @Decimal({ about: 'Credits spent in the current period.', example: 4.5 }) bud_spent!: number;
  @Decimal({ about: 'Remaining credits: of each person for `each_user`, of the shared budget for `role`.', example: 0.5 })
  bud_remaining!: number;
}
export class SpendingPage extends PageOf(SpendingView) {}
