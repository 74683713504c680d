import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to credits, budgets and prices. */
export const CREDITS_AUDIT = defineAuditTypes({
  'credits.updated': 'How the credits of the workspace are kept was changed.',
  'credits.granted': 'Credits were given to the workspace.',
  'credits.corrected': 'The balance of the workspace was corrected.',
  'usage.reversed': 'A usage entry was taken back.',
  'price.agreed': 'A price was agreed with the workspace.',
  'budget.created': 'A budget was made.',
  'budget.updated': 'A budget was changed.',
  'budget.deleted': 'A budget was deleted.',
});
