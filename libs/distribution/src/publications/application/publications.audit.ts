import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of releases. */
export const PUBLICATIONS_AUDIT = defineAuditTypes({
  'publication.published': 'A file was published.',
  'publication.scheduled': 'The publication of a file was scheduled.',
  'publication.updated': 'The rules or the version of a publication were changed.',
  'publication.revoked': 'A publication was revoked.',
});
