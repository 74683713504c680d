import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of requests for the data of people. */
export const PRIVACY_AUDIT = defineAuditTypes({
  'privacy_request.created': 'The export or erasure of a person was requested.',
  'privacy_request.approved': 'The erasure of a person was approved.',
  'privacy_request.cancelled': 'A privacy request was withdrawn before it began.',
  'privacy_request.retried': 'A privacy request that was blocked or had failed was retried.',
  'privacy_request.blocked': 'The erasure of a person was blocked by a legal hold.',
  'privacy_request.downloaded': 'A download URL for the archive of a person was issued.',
  'privacy_request.completed': 'A privacy request was completed.',
  'privacy_request.failed': 'A privacy request failed.',
});
