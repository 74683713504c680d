import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, MINUTE, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { UsageRollup } from '../application/usage-rollup';
import { UsageReporting } from '../application/usage-reporting';

/** Rows that a run moves when charges come in fast: then the next batch does not wait for the clock. */
const BACKLOG = 5_000;
const BREATH_MS = 100;

/**
 * Moves what was charged into the rollups, every two seconds and at once while much comes in; reports it every minute where
 * that is wanted.
 */
@Injectable()
export class UsageRollupSchedule {
  constructor(
    private readonly rollup: UsageRollup,
    private readonly reporting: UsageReporting,
  ) {}

  @Every(2 * SECOND, 'governance.rollup')
  async rollUpUsage({ signal }: ScheduledRun): Promise<void> {
    while ((await this.rollup.rollUpUsage(signal)) > BACKLOG && !signal.aborted)
      await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
  }

  @Every(MINUTE, 'governance.usage-events')
  reportUsage({ signal }: ScheduledRun): Promise<void> {
    return this.reporting.reportAll(signal);
  }

  @Every(HOUR, 'governance.usage-sources')
  async pruneUsageSources(): Promise<void> {
    await this.rollup.pruneSources();
  }
}
