import { Injectable } from '@nestjs/common';
import type { BudgetScope } from '../domain/budget';
import { BudgetsRepository } from '../infrastructure/budgets.repository';

/** Scopes whose targets belong to other contexts. */
export type ForeignScope = Extract<BudgetScope, 'agent' | 'prompt' | 'extension'>;

/** Whether the workspace at hand has it; asked in the open unit of work. */
export type TargetSource = (id: string) => Promise<boolean>;

/** Whom and what budgets can bind. The contexts that own agents, prompts and extensions register here; until then there are none. */
@Injectable()
export class BudgetTargets {
  private readonly sources = new Map<ForeignScope, TargetSource>();

  constructor(private readonly budgets: BudgetsRepository) {}

  register(scope: ForeignScope, source: TargetSource): void {
    this.sources.set(scope, source);
  }

  async hasTarget(scope: BudgetScope, target: string): Promise<boolean> {
    if (scope === 'param') return true;
    return (await this.budgets.isKnownTarget(scope, target)) ?? (await this.sources.get(scope as ForeignScope)?.(target)) ?? false;
  }
}
