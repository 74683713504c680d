import { invalidField, isObject } from '@atrium/platform/kernel';

/** The key of values that are wanted in any group: no group has an empty name. */
const IN_ANY_GROUP = '';

/** Tags that are asked for: one of the values of each group that is named, and one of those without a group. */
export interface AskedTags {
  readonly groups: readonly { readonly group: string; readonly values: readonly string[] }[];
  readonly anywhere: readonly string[];
}

/**
 * `tags[Topic]=Lease` and `tags=Lease` as the parser of query strings leaves them: a text, a list, an object, or an object
 * in which values without a group have their positions as keys. All become one map of values by groups.
 */
export function tagsByGroup(sent: unknown): unknown {
  if (typeof sent === 'string') return { [IN_ANY_GROUP]: [sent] };
  if (typeof sent !== 'object' || sent === null) return sent;
  const groups = new Map<string, unknown[]>();
  const add = (group: string, values: unknown): void =>
    void groups.set(group, [...(groups.get(group) ?? []), ...(isObject(values) ? Object.values(values) : [values].flat())]);
  for (const [at, [key, value]] of Object.entries(sent).entries()) {
    const isPlace = key === String(at);
    if (typeof value === 'string' && isPlace) add(IN_ANY_GROUP, value);
    else if (isObject(value) && isPlace) for (const [group, values] of Object.entries(value)) add(group, values);
    else add(key, value);
  }
  return Object.fromEntries(groups);
}

/** The map as what is asked for; `path` is its path in the request. */
export function readAskedTags(sent: Readonly<Record<string, unknown>> | undefined, path: string): AskedTags {
  const groups = Object.entries(sent ?? {}).map(([group, given]) => {
    const values = [given].flat();
    if (values.length === 0 || !values.every((value): value is string => typeof value === 'string' && value !== ''))
      throw invalidField(group === IN_ANY_GROUP ? path : `${path}[${group}]`, 'must map a tag group to its values', 'text');
    return { group, values };
  });
  return {
    groups: groups.filter(({ group }) => group !== IN_ANY_GROUP),
    anywhere: groups.find(({ group }) => group === IN_ANY_GROUP)?.values ?? [],
  };
}
