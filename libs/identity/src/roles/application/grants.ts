import { isGrant, PermissionSet } from '@atrium/platform/access';
import { invalidFields } from '@atrium/platform/kernel';

/** Grants one role or key may hold. */
const MAX_GRANTS = 300;

/** Grants as they are stored, sorted and without repeats; an unknown one is refused by its place in the list. */
export function checkedGrants(path: string, grants: readonly string[]): string[] {
  const unknown = grants.flatMap((grant, index) =>
    isGrant(grant) ? [] : [{ path: `${path}[${index}]`, code: 'choice', message: 'must be a permission of the catalog' }],
  );
  if (grants.length > MAX_GRANTS)
    unknown.push({ path: `${path}[${MAX_GRANTS}]`, code: 'too_many', message: `must have at most ${MAX_GRANTS} items` });
  if (unknown.length > 0) throw invalidFields(unknown.slice(0, 50));
  return [...new Set(grants)].sort();
}

/** Whether `narrow` allows nothing that `wide` does not, literally: `*` is within `*` alone. */
export const areGrantsWithin = (narrow: readonly string[], wide: readonly string[]): boolean =>
  (!narrow.includes('*') || wide.includes('*')) && PermissionSet.of(wide).hasAll(PermissionSet.of(narrow));
