import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to the states that files go through. */
export const STATUSES_AUDIT = defineAuditTypes({
  'media_status_flow.created': 'A status flow was created.',
  'media_status_flow.updated': 'A status flow was changed.',
  'media_status_flow.deleted': 'A status flow was deleted.',
});
