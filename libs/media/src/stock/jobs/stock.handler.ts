import { Injectable } from '@nestjs/common';
import { Handles, type JobRun } from '@atrium/platform/messaging';
import { StockPings } from '../application/stock-pings';
import { stockPing, type StockPingPayload } from './stock.jobs';

/** Background work about stock photos: their providers learn what was acquired. */
@Injectable()
export class StockHandler {
  constructor(private readonly pings: StockPings) {}

  @Handles(stockPing)
  sendPing({ file_id }: StockPingPayload, { signal }: JobRun): Promise<void> {
    return this.pings.sendPing(file_id, signal);
  }
}
