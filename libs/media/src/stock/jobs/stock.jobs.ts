import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the file that a stock photo became. */
export class StockPingPayload {
  @IsUUID() file_id!: string;
}

/** Tells the provider of a stock photo that it was acquired; for most of a day, where the provider does not answer. */
export const stockPing = defineJob('media.stock-ping', {
  payload: StockPingPayload,
  attempts: 10,
  backoffMs: MINUTE,
  key: ({ file_id }) => file_id,
});
