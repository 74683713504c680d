import { defineAuditTypes } from '@atrium/platform/access';

export const SCHEMAS_AUDIT = defineAuditTypes({
  'object_schema.created': 'An object schema was created.',
  'object_schema.updated': 'An object schema was changed or made active again.',
  'object_schema.deactivated': 'An object schema was deactivated.',
});
