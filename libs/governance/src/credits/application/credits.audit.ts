import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to credits, budgets and prices. */
export const CREDITS_AUDIT = defineAuditTypes({
  'credits.updated': 'The credit settings of the workspace were changed.',
  'credits.granted': 'Credits were granted to the workspace.',
  'credits.corrected': 'The credit balance of the workspace was corrected.',
  'usage.reversed': 'A usage entry was reversed.',
  'price.agreed': 'A price was agreed with the workspace.',
  'budget.created': 'A budget was created.',
  'budget.updated': 'A budget was changed.',
  'budget.deleted': 'A budget was deleted.',
});
