import { defineAuditTypes } from '@atrium/platform/access';

/** Audit of changes to model providers. */
export const MODELS_AUDIT = defineAuditTypes({
  'model_provider.created': 'A model provider was added.',
  'model_provider.updated': 'A model provider was changed.',
  'model_provider.deleted': 'A model provider was removed.',
});
