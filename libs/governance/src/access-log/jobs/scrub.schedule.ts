import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { HOUR } from '@atrium/platform/kernel';
import { Every, type ScheduledRun } from '@atrium/platform/messaging';
import { ScrubbedRows } from '../infrastructure/scrubbed.rows';

const ROWS = 500;
/** So that the log goes on being written beside it. */
const BREATH_MS = 50;

/** Takes the values out of what the access log kept before shapes were the default: when workers start, and hourly. */
@Injectable()
export class ScrubSchedule {
  constructor(private readonly rows: ScrubbedRows) {}

  @Every(HOUR, 'governance.access-log-scrub')
  async scrub({ signal }: ScheduledRun): Promise<void> {
    while (!signal.aborted && (await this.rows.shapeNext(ROWS)) > 0) await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
  }
}
