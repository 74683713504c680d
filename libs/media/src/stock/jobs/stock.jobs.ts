import { MINUTE } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsUUID } from 'class-validator';

/** Names the file that a stock photo became. */
export class StockPingPayload {
  @IsUUID() file_id!: string;
}

/** Reports an acquired stock photo to its provider; repeated for most of a day if the provider does not answer. */
export const stockPing = defineJob('media.stock-ping', {
  payload: StockPingPayload,
  attempts: 10,
  backoffMs: MINUTE,
  key: ({ file_id }) => file_id,
});
