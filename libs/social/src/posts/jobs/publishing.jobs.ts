import { IsInt, IsUUID } from 'class-validator';
import { HOUR } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';

export class PublishPayload {
  @IsUUID() spv_id!: string;
  @IsInt() number!: number;
}

export class ReconcilePayload {
  @IsUUID() spv_id!: string;
  @IsInt() round!: number;
}

/** Sends a variant: one attempt, which plans the next one itself. */
export const publishVariant = defineJob('social.publish', {
  payload: PublishPayload,
  attempts: 5,
  concurrency: 8,
  timeoutMs: HOUR,
  key: ({ spv_id, number }) => `${spv_id}:${number}`,
});

/** Finds out whether a variant was created whose create was not answered. */
export const reconcileVariant = defineJob('social.reconcile', {
  payload: ReconcilePayload,
  attempts: 8,
  key: ({ spv_id, round }) => `${spv_id}:${round}`,
});
