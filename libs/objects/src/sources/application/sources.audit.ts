import { defineAuditTypes } from '@atrium/platform/access';

export const SOURCES_AUDIT = defineAuditTypes({
  'object_source.created': 'An object source was created.',
  'object_source.updated': 'An object source was changed.',
  'object_source.deleted': 'An object source was deleted; its objects were kept.',
});
