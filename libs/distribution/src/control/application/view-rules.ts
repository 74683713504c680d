import type { Permission } from '@atrium/platform/access';

/** Any one of them lets its holder see the rules of the catalog. */
export const VIEW_RULES = ['media:view', 'admin:distribution'] as const satisfies readonly Permission[];
