import { defineAuditTypes } from '@atrium/platform/access';

/** The audit of changes to storage providers and quotas. */
export const STORAGE_AUDIT = defineAuditTypes({
  'storage.updated': 'The storage settings of the workspace were changed.',
  'storage.quota_updated': 'The storage quota of the workspace was changed.',
  'storage_provider.created': 'A storage provider was added.',
  'storage_provider.updated': 'A storage provider was changed.',
  'storage_provider.deleted': 'A storage provider was removed.',
  'storage_provider.default_changed': 'Another storage provider became the default.',
});
