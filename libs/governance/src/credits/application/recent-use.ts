import type { UnitOfWork } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import type { UsageDay } from '../domain/forecast';

/** Each of the last 28 full local days, and what time it is. */
export interface RecentDays {
  readonly days: readonly UsageDay[];
  readonly now: number;
}

export type RecentUseReport = (tx: UnitOfWork) => Promise<RecentDays>;

/** What the workspace used lately: credits forecast from it, and the reports of usage register as its source. */
@Injectable()
export class RecentUse {
  private report: RecentUseReport | undefined;

  register(report: RecentUseReport): void {
    this.report = report;
  }

  readRecentDays(tx: UnitOfWork): Promise<RecentDays> {
    if (!this.report) throw new Error('Nothing reports recent use: compose the usage module.');
    return this.report(tx);
  }
}
