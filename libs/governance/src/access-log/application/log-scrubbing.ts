import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { ScrubbedRows } from '../infrastructure/scrubbed.rows';

const ROWS = 500;
/** So that the log goes on being written beside it. */
const BREATH_MS = 50;

/** Takes the values out of what the access log kept before shapes were the default. It may be cut off anywhere. */
@Injectable()
export class LogScrubbing {
  constructor(private readonly rows: ScrubbedRows) {}

  async shapeAll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && (await this.rows.shapeNext(ROWS)) > 0) await pause(BREATH_MS, undefined, { signal }).catch(() => undefined);
  }
}
