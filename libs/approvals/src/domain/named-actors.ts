import type { FieldFault } from '@atrium/platform/kernel';
import type { AllowedActors } from './allowed-actors';

/** Which of the ids that a flow names are members and roles of the workspace. */
export interface KnownActors {
  readonly users: ReadonlySet<string>;
  readonly roles: ReadonlySet<string>;
}

/** One fault for each entry of a list that does not exist. */
export const absentFrom = (
  path: string,
  list: readonly string[],
  { exists, kind }: { readonly exists: (entry: string) => boolean; readonly kind: string },
): FieldFault[] =>
  list.flatMap((entry, at): FieldFault[] =>
    exists(entry) ? [] : [{ path: `${path}[${at}]`, code: 'reference', message: `is not a ${kind} of this workspace` }],
  );

/** Members and roles among the allowed actors that do not exist. */
export const unknownActors = (path: string, { users, roles }: AllowedActors, known: KnownActors): FieldFault[] => [
  ...absentFrom(`${path}.users`, users, { exists: (id) => known.users.has(id), kind: 'member' }),
  ...absentFrom(`${path}.roles`, roles, { exists: (id) => known.roles.has(id), kind: 'role' }),
];
