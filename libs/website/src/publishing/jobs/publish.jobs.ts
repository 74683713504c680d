import { IsUUID } from 'class-validator';
import { defineJob } from '@atrium/platform/messaging';

export class PublishPayload {
  @IsUUID() sch_id!: string;
}

/** Publishes what a schedule says, at its time. */
export const publishScheduled = defineJob('website.publish', { payload: PublishPayload, attempts: 3, key: ({ sch_id }) => sch_id });
