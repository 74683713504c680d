import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to the rules for what leaves the workspace. */
export const DISTRIBUTION_AUDIT = defineAuditTypes({
  'restriction.created': 'A restriction was added to the catalog.',
  'restriction.updated': 'A restriction was changed, everywhere it applies.',
  'restriction.deleted': 'A restriction was removed from the catalog.',
  'baseline.updated': 'The baseline of the workspace was set.',
});
