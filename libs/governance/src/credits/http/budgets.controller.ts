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
   * Sorted by creation time, newest first. For budgets with the scope `each_user`, your own spending is shown; with
   * `bud_scope=each_user`, `bud_target` selects another member.
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
   * It applies immediately and includes what was already spent in the current period, so it can be exceeded from the start. A
   * workspace can have at most 500 budgets, one for each combination of scope, target and period.
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
  get(@Caller() caller: Principal, @PathId() id: string): Promise<BudgetRow> {
    return this.budgets.get(caller, id);
  }

  /**
   * Changes a budget.
   *
   * Changing scope, target, period or time zone recalculates the spending from the usage entries.
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
   * One row per person for the scopes `each_user` and `role`, otherwise one row in total.
   */
  @Get(':id/spend')
  @Policy({ any: ['admin:usage'] })
  @HasId('id', 'Id of the budget.')
  @Returns(SpendingPage, 'A page of spenders.')
  spend(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListSpending): Promise<Page<SpendingRow>> {
    return this.budgets.listSpending(caller, id, query);
  }
}
