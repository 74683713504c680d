import { defineJob } from '@atrium/platform/messaging';
import { IsOptional, IsUUID } from 'class-validator';

/** Names the site, and the node after which the job begins. */
export class SettleDraftsPayload {
  @IsUUID() site_id!: string;
  @IsOptional() @IsUUID() after!: string | null;
}

/** Works out what drafts show in locales that were added to their site. */
export const settleDrafts = defineJob('website.settle', {
  payload: SettleDraftsPayload,
  attempts: 8,
  bulk: true,
  key: ({ site_id, after }) => `${site_id} ${after ?? ''}`,
});
