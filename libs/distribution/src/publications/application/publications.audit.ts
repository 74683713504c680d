import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of releases. */
export const PUBLICATIONS_AUDIT = defineAuditTypes({
  'publication.published': 'A file was released to the public.',
  'publication.scheduled': 'The release of a file was set for a later time.',
  'publication.updated': 'The rules or the version of a publication were changed.',
  'publication.revoked': 'A publication was taken from the public.',
});
