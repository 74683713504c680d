import { defineAuditTypes } from '@atrium/platform/access';

/** Changes to lifecycle flows, as the audit log names them. */
export const FLOWS_AUDIT = defineAuditTypes({
  'object_flow.created': 'A lifecycle flow was created.',
  'object_flow.updated': 'A lifecycle flow was changed.',
  'object_flow.activated': 'A lifecycle flow was activated.',
  'object_flow.deactivated': 'A lifecycle flow was deactivated.',
});
