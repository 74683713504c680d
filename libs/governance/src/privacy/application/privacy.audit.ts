import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of requests for the data of people. */
export const PRIVACY_AUDIT = defineAuditTypes({
  'privacy_request.created': 'The export or the erasure of a person was asked for.',
  'privacy_request.approved': 'The erasure of a person was approved.',
  'privacy_request.cancelled': 'A privacy request was withdrawn before it began.',
  'privacy_request.retried': 'A privacy request that was blocked or has failed was put on again.',
  'privacy_request.blocked': 'The erasure of a person was put off because of a legal hold.',
  'privacy_request.downloaded': 'The address of an archive with the data of a person was handed out.',
  'privacy_request.completed': 'A privacy request was fulfilled.',
  'privacy_request.failed': 'A privacy request could not be fulfilled.',
});
