import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to what is asked of files. */
export const ANALYSIS_AUDIT = defineAuditTypes({
  'media_analysis_schema.created': 'An analysis schema was created.',
  'media_analysis_schema.updated': 'An analysis schema was changed.',
  'media_analysis_schema.deleted': 'An analysis schema was deleted.',
});
