import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of administrators' decisions about files. */
export const FILES_AUDIT = defineAuditTypes({
  'file.released': 'A file was released from quarantine.',
});
