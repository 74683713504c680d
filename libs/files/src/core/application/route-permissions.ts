import type { Permission } from '@atrium/platform/access';

/** The fixed lists of the file routes: any one of these opens the route; the file's repository decides after it. */
export const VIEW: readonly Permission[] = [
  'media:view',
  'document:view',
  'knowledge-base:view',
  'thread:view',
  'design:view',
  'prompt:view',
  'presentation:view',
  'site:view',
];
export const UPLOAD: readonly Permission[] = [
  'media:upload',
  'document:upload',
  'knowledge-base:upload',
  'thread:upload',
  'design:edit',
  'prompt:edit',
  'presentation:edit',
  'site:edit',
  'content:edit',
];
export const EDIT: readonly Permission[] = [
  'media:edit',
  'document:edit',
  'knowledge-base:write',
  'thread:edit',
  'design:edit',
  'prompt:edit',
  'presentation:edit',
  'task:form:edit',
  'site:edit',
  'content:edit',
];
export const DELETE: readonly Permission[] = [
  'media:delete',
  'document:delete',
  'knowledge-base:delete',
  'thread:edit',
  'design:edit',
  'prompt:edit',
  'presentation:edit',
  'task:form:edit',
  'site:edit',
  'content:edit',
];
export const DOWNLOAD: readonly Permission[] = [
  'media:download',
  'document:download',
  'knowledge-base:view',
  'thread:view',
  'design:view',
  'prompt:view',
  'presentation:view',
  'site:view',
];
/** Who may see any original may copy it into the library. */
export const COPY: readonly Permission[] = [
  'media:download',
  'document:download',
  'knowledge-base:view',
  'thread:view',
  'design:view',
  'prompt:view',
  'presentation:view',
  'site:view',
  'media:upload',
];
/** What an API key needs for uploads of its owner: what opens one, of a new file or of a version. */
export const BRING: readonly Permission[] = [...new Set([...UPLOAD, ...EDIT])];
/** What an API key needs for file jobs of its owner: what starts one. */
export const WORK: readonly Permission[] = [
  ...new Set([...BRING, ...DELETE, 'media:publish', 'media:tag', 'admin:settings', 'admin:media-tags'] as const),
];
