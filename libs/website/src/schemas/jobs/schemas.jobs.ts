import { MINUTE, SECOND } from '@atrium/platform/kernel';
import { defineJob } from '@atrium/platform/messaging';
import { IsInt, IsUUID, Min, ValidateIf } from 'class-validator';

/** Names a revision of a content schema, and the page behind which drafts still have to follow it. */
export class MigrateDraftsPayload {
  @IsUUID() tpl_id!: string;
  @IsInt() @Min(1) revision!: number;
  @ValidateIf((payload: MigrateDraftsPayload) => payload.cursor !== null) @IsUUID() cursor!: string | null;
}

/** Has drafts follow a change of a content schema. */
export const migrateDrafts = defineJob('website.migrate', {
  payload: MigrateDraftsPayload,
  seenWith: ['content:schema:edit'],
  bulk: true,
  attempts: 8,
  backoffMs: 5 * SECOND,
  timeoutMs: 60 * MINUTE,
  key: ({ tpl_id, revision, cursor }) => `${tpl_id}:${revision}:${cursor ?? 'first'}`,
});
