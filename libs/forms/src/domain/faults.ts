import type { FieldFault } from '@atrium/platform/kernel';

/**
 * Whether another row has the value already, a conflict (409) rather than invalid content: unique fields are never inside of lists,
 * where the same code says that two rows of one list are equal.
 */
export const isTaken = ({ path, code }: Pick<FieldFault, 'path' | 'code'>): boolean => code === 'unique' && !path.includes('[');
