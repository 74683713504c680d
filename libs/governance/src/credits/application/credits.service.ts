import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  listPage,
  requireScope,
  sql,
  versionOf,
  type ListParameters,
  type Page,
  type Precondition,
  type Versioned,
} from '@atrium/platform/database';
import { Grant, LedgerEntry } from '../domain/credits';
import { forecastUsage } from '../domain/forecast';
import { CreditsRows, type CreditState, type GrantRow } from '../infrastructure/credits.rows';
import { RecentUse } from './recent-use';

/** What is kept of changes to credits, budgets and prices. */
export const CREDITS_AUDIT = defineAuditTypes({
  'credits.updated': 'The credit settings of the workspace were changed.',
  'credits.granted': 'Credits were granted to the workspace.',
  'credits.corrected': 'The credit balance of the workspace was corrected.',
  'usage.reversed': 'A usage entry was reversed.',
  'price.agreed': 'A price was agreed with the workspace.',
  'budget.created': 'A budget was created.',
  'budget.updated': 'A budget was changed.',
  'budget.deleted': 'A budget was deleted.',
});

/** Grants shown beside the balance; the list has all. */
const MAX_SHOWN = 1_000;
const HORIZON_DAYS = 90;

export type { CreditState, GrantRow } from '../infrastructure/credits.rows';
export type LedgerRow = Omit<LedgerEntry, 'tenant_id' | 'row_version'>;

/** The balance with its grants and how long it will last. */
export type CreditsAnswer = CreditState & {
  readonly grants: readonly GrantRow[];
  readonly forecast: { readonly runs_out_at: string | null };
} & Versioned;

/** What a caller may know of the workspace's credits. */
export type BalanceAnswer = Pick<CreditState, 'credit_policy' | 'credit_available' | 'credit_low'>;

/** Credits as the workspace sees them: the balance, grants, and the ledger that proves both. */
@Injectable()
export class CreditsService {
  constructor(
    private readonly db: Database,
    private readonly rows: CreditsRows,
    private readonly recentUse: RecentUse,
    private readonly audit: Audit,
  ) {}

  async getBalance(): Promise<BalanceAnswer> {
    const { credit_policy, credit_available, credit_low } = await this.db.read(() => this.rows.readCreditState());
    return { credit_policy, credit_available, credit_low };
  }

  getOverview(): Promise<CreditsAnswer> {
    return this.db.read(async (tx) => {
      const state = await this.rows.readCreditState();
      const alive = await listPage<GrantRow>(tx, Grant, { limit: MAX_SHOWN }, { where: sql`r.grant_state = 'active'` });
      const { days, now } = await this.recentUse.readRecentDays(tx);
      const { runs_out_at } = forecastUsage(days, { now, horizonDays: HORIZON_DAYS, available: state.credit_available });
      return { ...state, grants: alive.data, forecast: { runs_out_at }, row_version: settingsVersion(state) };
    });
  }

  listGrants(query: ListParameters): Promise<Page<GrantRow>> {
    return this.db.read((tx) => listPage<GrantRow>(tx, Grant, query));
  }

  listLedger(query: ListParameters): Promise<Page<LedgerRow>> {
    return this.db.read((tx) => listPage<LedgerRow>(tx, LedgerEntry, query));
  }

  /** Settings alone have a version: the balance moves with all work. */
  async changeSettings(credit_low_percent: number | undefined, precondition?: Precondition): Promise<CreditsAnswer> {
    await this.db.write(async () => {
      if (credit_low_percent === undefined)
        return assertCurrent(precondition, settingsVersion(await this.rows.readCreditState()), 'credit settings');
      const before = await this.rows.updatePolicy(null, credit_low_percent);
      assertCurrent(precondition, settingsVersion(before), 'credit settings');
      this.audit.record({
        type: CREDITS_AUDIT['credits.updated'],
        target: { type: 'workspace', id: requireScope().tenant_id },
        ...changesBetween(before, { ...before, credit_low_percent }),
      });
    });
    return this.getOverview();
  }
}

const settingsVersion = ({ credit_policy, credit_low_percent }: Pick<CreditState, 'credit_policy' | 'credit_low_percent'>): number =>
  versionOf(credit_policy, credit_low_percent);
