import { defineAuditTypes } from '@atrium/platform/access';

export const SETTINGS_AUDIT = defineAuditTypes({
  'workspace.updated': 'Settings, rules or options of the workspace were changed.',
  'brand.updated': 'The brand of the workspace was changed.',
});
