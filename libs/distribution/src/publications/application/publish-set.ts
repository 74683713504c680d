import type { Permission } from '@atrium/platform/access';

/** Needed together to release files and take them back. */
export const PUBLISH_SET = [
  'media:publish',
  'media:edit',
  'document:edit',
  'knowledge-base:write',
  'thread:edit',
  'design:edit',
  'prompt:edit',
  'presentation:edit',
  'task:form:edit',
] as const satisfies readonly Permission[];

/** Any one of them lets its holder see what is released. */
export const VIEW_PUBLICATIONS = [
  'media:view',
  'document:view',
  'knowledge-base:view',
  'thread:view',
  'design:view',
  'prompt:view',
  'presentation:view',
] as const satisfies readonly Permission[];

export const PUBLICATION_MODULE = 'module-publication';
