import { Database } from '@atrium/platform/database';
import { Injectable } from '@nestjs/common';
import { forecast, type Forecast } from '../../credits/domain/forecast';
import { CreditsRows } from '../../credits/infrastructure/credits.rows';
import { UsageReports } from './usage-reports.service';

const DEFAULT_HORIZON_DAYS = 30;
const LONGEST_HORIZON_DAYS = 90;

/** What the coming days will cost, and when the credits at hand will be used up. */
@Injectable()
export class UsageForecasts {
  constructor(
    private readonly db: Database,
    private readonly reports: UsageReports,
    private readonly credits: CreditsRows,
  ) {}

  foresee(horizonDays = DEFAULT_HORIZON_DAYS): Promise<Forecast> {
    return this.db.read(async (tx) => {
      const { days, now } = await this.reports.recentDays(tx);
      const { credit_available } = await this.credits.state();
      return forecast(days, { now, horizonDays, available: credit_available });
    });
  }

  /** When so many credits will be used up; null when not within 90 days, or when there is too little to judge by. */
  runsOutAt(available: number): Promise<string | null> {
    return this.db.read(async (tx) => {
      const { days, now } = await this.reports.recentDays(tx);
      return forecast(days, { now, horizonDays: LONGEST_HORIZON_DAYS, available }).runs_out_at;
    });
  }
}
