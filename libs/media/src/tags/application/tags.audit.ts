import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to the words that files are described with. */
export const TAGS_AUDIT = defineAuditTypes({
  'media_tag_group.created': 'A tag group was created.',
  'media_tag_group.updated': 'A tag group was changed.',
  'media_tag_group.deleted': 'A tag group was deleted.',
  'media_tag_group.ordered': 'The tag groups were reordered.',
  'media_tag.updated': 'A tag was changed.',
  'media_tag.merged': 'A tag was merged into another one.',
  'media_tag.deleted': 'A tag was deleted.',
});
