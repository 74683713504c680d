import { Global, Module } from '@nestjs/common';
import { BudgetTargets } from './application/budget-targets';
import { BudgetsService } from './application/budgets.service';
import { CreditLedger } from './application/credit-ledger';
import { CreditOperations } from './application/credit-operations';
import { CreditsClock } from './application/credits-clock';
import { CreditsService } from './application/credits.service';
import { PriceList } from './application/price-list';
import { PricesService } from './application/prices.service';
import { UsageMeter } from './application/usage-meter';
import { BudgetsController } from './http/budgets.controller';
import { CreditsController, UsagePricesController } from './http/credits.controller';
import { OperatorCreditsController, OperatorPricesController } from './http/operator-credits.controller';
import { BudgetsRepository } from './infrastructure/budgets.repository';
import { CreditsRows } from './infrastructure/credits.rows';
import { PricesRows } from './infrastructure/prices.rows';
import { CreditsSchedule } from './jobs/credits.schedule';

const CORE = [
  CreditsRows,
  PricesRows,
  BudgetsRepository,
  BudgetTargets,
  BudgetsService,
  CreditLedger,
  CreditOperations,
  CreditsClock,
  CreditsService,
  PricesService,
  PriceList,
  UsageMeter,
];

/** Credits, budgets and prices. */
@Global()
@Module({ providers: CORE, exports: CORE })
export class CreditsModule {}

@Module({ controllers: [UsagePricesController, CreditsController, BudgetsController, OperatorCreditsController, OperatorPricesController] })
export class CreditsHttpModule {}

@Module({ providers: [CreditsSchedule] })
export class CreditsWorkerModule {}
