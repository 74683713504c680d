import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  empty,
  listPage,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { NIL_ID } from '@atrium/platform/kernel';
import { Budget, type BudgetScope } from '../domain/budget';
import { Spending } from '../domain/spending';
import { causedBy } from '../../shared/infrastructure/caused-by';

export type BudgetRow = Omit<Budget, 'take' | 'tenant_id' | 'row_version'>;

export interface SpendingRow {
  readonly subject: string | null;
  readonly bud_spent: number;
  readonly bud_remaining: number;
}

/** The period that runs and what was spent in it, by all together or by `subject` where each has their own. */
const present = (subject: string | null): { readonly select: Sql; readonly join: Sql } => ({
  select: sql`coalesce(c.cnt_spent, 0) AS bud_spent, r.bud_credits - coalesce(c.cnt_spent, 0) AS bud_remaining,
    CASE WHEN r.bud_period <> 'total' THEN w.window_from END AS bud_period_from, CASE WHEN r.bud_period <> 'total' THEN w.window_to END AS bud_period_to`,
  join: sql`CROSS JOIN LATERAL budget_window(r.bud_period, r.bud_timezone, now()) w
    LEFT JOIN budget_counter c ON c.tenant_id = r.tenant_id AND c.cnt_budget = r.bud_id AND c.cnt_from = w.window_from AND c.cnt_subject = budget_subject(r.bud_scope, ${subject}::uuid)`,
});

/** Where the targets of the scopes are that this context can look up itself. */
const TARGETS: Partial<Record<BudgetScope, (target: string) => Sql>> = {
  user: (target) =>
    sql`SELECT 1 FROM workspace_user WHERE tenant_id = ${requireScope().tenant_id} AND user_id = ${target}::uuid AND user_status <> 'removed'`,
  role: (target) => sql`SELECT 1 FROM role WHERE tenant_id = ${requireScope().tenant_id} AND role_id = ${target}::uuid`,
  key: (target) => sql`SELECT 1 FROM api_key WHERE tenant_id = ${requireScope().tenant_id} AND key_id = ${target}::uuid`,
};

/** Budgets and their counters. A change of a budget locks the workspace's balance first, as charges do. */
@Injectable()
export class BudgetsRepository extends ResourceRepository<Budget> {
  constructor(db: Database) {
    super(db, Budget, 'budget');
  }

  /** Nobody charges or sets aside in the workspace until this unit of work ends. */
  async blockCharges(): Promise<void> {
    await this.db.current().execute(sql`SELECT budget_enter(${causedBy()}::jsonb)`);
  }

  /** Counts the budget from what was really spent; `anew`: it differs from the one before. */
  async recountBudget(bud_id: string, anew: boolean): Promise<void> {
    await this.db.current().execute(sql`SELECT budget_start(${bud_id}::uuid, ${anew}::boolean, ${causedBy()}::jsonb)`);
  }

  listBudgets(query: ListParameters, subject: string | null, ignore: readonly string[]): Promise<Page<BudgetRow>> {
    return listPage<BudgetRow>(this.db.current(), Budget, query, { ...present(subject), ignore });
  }

  async findBudgetDetail(bud_id: string, subject: string | null): Promise<(BudgetRow & { row_version: number }) | undefined> {
    const { select, join } = present(subject);
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Budget)}, r.row_version, ${select} FROM budget r ${join} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.bud_id = ${bud_id}`,
      );
  }

  /** Active budgets that bind what somebody does. */
  async findBindingBudgets(user_id: string, key_id: string | null): Promise<BudgetRow[]> {
    const { select, join } = present(user_id);
    return this.db.current().query(
      sql`SELECT ${columnsOf(Budget)}, ${select} FROM budgets_of(${requireScope().tenant_id}::uuid, ${user_id}::uuid, NULL, NULL, ${key_id}::uuid, NULL, '{}') r ${join}
          WHERE r.bud_active ORDER BY r.bud_created, r.bud_id`,
    );
  }

  /** How many there are, and whether another one has the same target. */
  async summarizeSiblings(budget: Budget): Promise<{ readonly count: number; readonly twin: boolean }> {
    const row = await this.db.current().first<{ count: number; twin: boolean }>(
      sql`SELECT count(*) AS count, coalesce(bool_or(bud_id <> ${budget.bud_id}::uuid AND bud_scope = ${budget.bud_scope} AND bud_target IS NOT DISTINCT FROM ${budget.bud_target} AND bud_period = ${budget.bud_period}), false) AS twin
          FROM budget WHERE tenant_id = ${requireScope().tenant_id}`,
    );
    return row ?? { count: 0, twin: false };
  }

  /** Whether there is such a target; undefined where another context knows. */
  async isKnownTarget(scope: BudgetScope, target: string): Promise<boolean | undefined> {
    const statement = TARGETS[scope]?.(target);
    return statement ? (await this.db.current().first(statement)) !== undefined : undefined;
  }

  async readTimeZone(): Promise<string> {
    const row = await this.db
      .current()
      .first<{ ws_timezone: string }>(sql`SELECT ws_timezone FROM workspace WHERE tenant_id = ${requireScope().tenant_id}`);
    return row?.ws_timezone ?? 'UTC';
  }

  /** Who spent how much of the budget in the period that runs. Members of a role share what remains. */
  async listSpending(budget: BudgetRow, query: ListParameters): Promise<Page<SpendingRow>> {
    const remaining = budget.bud_scope === 'each_user' ? sql`b.bud_credits - r.cnt_spent` : sql`${budget.bud_remaining}::numeric`;
    const page = await listPage<Spending & { readonly bud_remaining: number }>(this.db.current(), Spending, query, {
      select: sql`${remaining} AS bud_remaining`,
      join: sql`JOIN budget b ON b.tenant_id = r.tenant_id AND b.bud_id = r.cnt_budget CROSS JOIN LATERAL budget_window(b.bud_period, b.bud_timezone, now()) w`,
      where: sql`r.cnt_budget = ${budget.bud_id} AND r.cnt_from = w.window_from ${budget.bud_scope === 'role' ? sql`AND r.cnt_subject <> ${NIL_ID}::uuid` : empty}`,
    });
    return {
      ...page,
      data: page.data.map(({ cnt_subject, cnt_spent, bud_remaining }) => ({
        subject: cnt_subject === NIL_ID ? null : cnt_subject,
        bud_spent: cnt_spent,
        bud_remaining,
      })),
    };
  }
}
