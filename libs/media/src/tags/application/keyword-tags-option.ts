import type { WorkspaceOption } from '@atrium/identity';

/** What becomes of the keywords that pictures bring along. */
export type KeywordTagsMode = 'off' | 'closed' | 'open';

export const KEYWORD_TAGS: WorkspaceOption<KeywordTagsMode> = {
  key: 'keyword_tags',
  schema: { type: 'string', maxLength: 6, enum: ['off', 'closed', 'open'] },
  default: 'off',
  permission: 'admin:media-tags',
  description:
    'Whether keywords that pictures of the library bring along become tags. `closed`: those that a closed tag group lists. `open`: the others too, as values of the open group that their path begins with, else of the group Keywords, which is made when it is missing. Pictures that are there already follow when they are reindexed.',
};
