import { defineAuditTypes } from '@atrium/platform/access';

export const SOURCES_AUDIT = defineAuditTypes({
  'object_source.created': 'A source of objects was created.',
  'object_source.updated': 'A source of objects was changed.',
  'object_source.deleted': 'A source of objects was deleted; its objects were kept.',
});
