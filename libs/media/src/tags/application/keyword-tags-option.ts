import type { WorkspaceOption } from '@atrium/identity';

/** What becomes of the keywords that pictures bring along. */
export type KeywordTagsMode = 'off' | 'closed' | 'open';

export const KEYWORD_TAGS: WorkspaceOption<KeywordTagsMode> = {
  key: 'keyword_tags',
  schema: { type: 'string', maxLength: 6, enum: ['off', 'closed', 'open'] },
  default: 'off',
  permission: 'admin:media-tags',
  description:
    'Whether keywords embedded in pictures become tags. `closed`: only those listed in a closed tag group. `open`: also others, as values of the open group with which their path begins, otherwise of the group Keywords, which is created if it does not exist. Existing pictures get these tags when they are reindexed.',
};
