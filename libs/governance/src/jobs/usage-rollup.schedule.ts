import { setTimeout as pause } from 'node:timers/promises';
import { HOUR, SECOND } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { Injectable } from '@nestjs/common';
import { UsageRollup } from '../application/usage-rollup';

/** Rows that a run moves when charges come in fast: then the next batch does not wait for the clock. */
const BACKLOG = 5_000;
const BREATH_MS = 100;

/** Moves what was charged into the rollups, every two seconds and at once while much comes in. */
@Injectable()
export class UsageRollupSchedule {
  constructor(private readonly rollup: UsageRollup) {}

  @Every(2 * SECOND, 'governance.rollup')
  async roll({ signal }: ScheduledRun): Promise<void> {
    while ((await this.rollup.roll(signal)) > BACKLOG && !signal.aborted) await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
  }

  @Every(HOUR, 'governance.usage-sources')
  async prune(): Promise<void> {
    await this.rollup.pruneSources();
  }
}
