import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource } from '@atrium/platform/http';
import { BudgetsService, type BudgetRow, type SpendingRow } from '../application/budgets.service';
import { BudgetPage, BudgetView, ChangeBudget, CreateBudget, ListBudgets, ListSpending, SpendingPage } from './budgets.dto';

@ApiTags('Usage breakdown')
@Controller('admin/budgets')
export class BudgetsController {
  constructor(private readonly budgets: BudgetsService) {}

  /**
   * Lists budgets with the amounts spent in the current period.
   *
   * Latest first. Of budgets of the scope `each_user` the caller's own spend is shown; with `bud_scope=each_user`, `bud_target`
   * names another member whose spend to show.
   */
  @Get()
  @Policy({ any: ['admin:usage'] })
  @Returns(BudgetPage, 'A page of budgets.')
  list(@Caller() caller: Principal, @Query() query: ListBudgets): Promise<Page<BudgetRow>> {
    return this.budgets.list(caller, query);
  }

  /**
   * Creates a budget.
   *
   * It counts from what was really spent in the period that runs, and binds at once: a budget below that is passed already.
   * At most 500 in a workspace, one for each scope, target and period.
   */
  @Post()
  @Policy({ any: ['admin:usage'], log: 'full' })
  @Creates(BudgetView, 'admin/budgets/{bud_id}')
  @Problems('already_exists', 'limit_reached')
  create(@Caller() caller: Principal, @FromBody() body: CreateBudget): Promise<BudgetRow> {
    return this.budgets.create(caller, body);
  }

  /** Reads a budget with the amount spent in the current period. */
  @Get(':id')
  @Policy({ any: ['admin:usage'] })
  @HasId('id', 'Id of the budget.')
  @ReturnsResource(BudgetView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<BudgetRow> {
    return this.budgets.one(caller, id);
  }

  /**
   * Changes a budget.
   *
   * A change of scope, target, period or time zone makes it another budget: what was spent is counted again from the entries.
   */
  @Patch(':id')
  @Policy({ any: ['admin:usage'], log: 'full' })
  @HasId('id', 'Id of the budget.')
  @HonoursIfMatch()
  @ReturnsResource(BudgetView)
  @Problems('already_exists', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeBudget,
    @IfMatch() precondition?: Precondition,
  ): Promise<BudgetRow> {
    return this.budgets.change(caller, id, body, precondition);
  }

  /** Deletes a budget; it no longer limits usage. */
  @Delete(':id')
  @Policy({ any: ['admin:usage'] })
  @HasId('id', 'Id of the budget.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.budgets.remove(id, precondition);
  }

  /**
   * Lists the members who spent from a budget in the current period.
   *
   * By person where the budget is each member's own or a role's; else one row for all together.
   */
  @Get(':id/spend')
  @Policy({ any: ['admin:usage'] })
  @HasId('id', 'Id of the budget.')
  @Returns(SpendingPage, 'A page of spenders.')
  spend(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListSpending): Promise<Page<SpendingRow>> {
    return this.budgets.spending(caller, id, query);
  }
}
