import { Module, type Provider } from '@nestjs/common';
import { BudgetTargets } from './application/budget-targets';
import { BudgetsService } from './application/budgets.service';
import { ChargedCredits } from './infrastructure/charged-credits';
import { CreditLedger } from './application/credit-ledger';
import { CreditOperations } from './application/credit-operations';
import { CreditsClock } from './application/credits-clock';
import { CreditsService } from './application/credits.service';
import { PriceList } from './application/price-list';
import { PricesService } from './application/prices.service';
import { RecentUse } from './application/recent-use';
import { UsageMeter } from './application/usage-meter';
import { BudgetsController } from './http/budgets.controller';
import { CreditsController, UsagePricesController } from './http/credits.controller';
import { OperatorCreditsController, OperatorPricesController } from './http/operator-credits.controller';
import { BudgetsRepository } from './infrastructure/budgets.repository';
import { CreditsRows } from './infrastructure/credits.rows';
import { PricesRows } from './infrastructure/prices.rows';
import { CreditsSchedule } from './jobs/credits.schedule';

const CREDITS: Provider[] = [
  CreditsRows,
  PricesRows,
  BudgetsRepository,
  BudgetTargets,
  BudgetsService,
  ChargedCredits,
  CreditLedger,
  CreditOperations,
  CreditsClock,
  CreditsService,
  PricesService,
  PriceList,
  RecentUse,
  UsageMeter,
];

/** Credits, budgets and prices. */
@Module({ providers: CREDITS, exports: CREDITS })
export class CreditsModule {}

/** Its routes. */
@Module({
  imports: [CreditsModule],
  controllers: [UsagePricesController, CreditsController, BudgetsController, OperatorCreditsController, OperatorPricesController],
})
export class CreditsHttpModule {}

/** Its background work. */
@Module({ imports: [CreditsModule], providers: [CreditsSchedule] })
export class CreditsWorkerModule {}
