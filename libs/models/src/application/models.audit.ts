import { defineAuditTypes } from '@atrium/platform/access';

/** What is kept of changes to who provides models. */
export const MODELS_AUDIT = defineAuditTypes({
  'model_provider.created': 'A provider of models was added.',
  'model_provider.updated': 'A provider of models was changed.',
  'model_provider.deleted': 'A provider of models was removed.',
});
