import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { isPermission } from '@atrium/platform/access';
import type { FieldFault } from '@atrium/platform/kernel';
import type { NamedActors, NotifyAction } from '../domain/flow-parts';
import { absentFrom, unknownActors, type KnownActors } from '../domain/named-actors';

/** A transition as far as it names people. */
export interface NamingTransition {
  readonly movers: NamedActors;
  readonly actions: readonly NotifyAction[];
  readonly approvals?: { readonly movers: NamedActors };
}

/** Finds the members and roles that flows name. Called within a unit of work. */
@Injectable()
export class FlowActors {
  constructor(private readonly members: KnownMembers) {}

  /** Former members are not known; one statement for all members, and one for all roles. */
  async findKnownActors({ users, roles }: { readonly users: readonly string[]; readonly roles: readonly string[] }): Promise<KnownActors> {
    return { users: await this.members.findMemberIds(users), roles: await this.members.filterExistingRoles(roles) };
  }

  /**
   * Members, roles and permissions that transitions name and that do not exist. What was named before the change is not asked after
   * again: members and roles may have gone.
   */
  async findUnknownNames(
    field: string,
    transitions: readonly NamingTransition[],
    before: readonly NamingTransition[] = [],
  ): Promise<FieldFault[]> {
    const [found, old] = [await this.findKnownActors(namedIn(transitions)), namedIn(before)];
    const known = { users: new Set([...found.users, ...old.users]), roles: new Set([...found.roles, ...old.roles]) };
    return transitions.flatMap(({ movers, actions, approvals }, at): FieldFault[] => {
      const path = `${field}[${at}]`;
      return [
        ...unknownIn(`${path}.movers`, movers, known),
        ...(approvals ? unknownIn(`${path}.approvals.movers`, approvals.movers, known) : []),
        ...actions.flatMap(({ users, roles }, n) => [
          ...absentFrom(`${path}.actions[${n}].users`, users, { exists: (id) => known.users.has(id), kind: 'member' }),
          ...absentFrom(`${path}.actions[${n}].roles`, roles, { exists: (id) => known.roles.has(id), kind: 'role' }),
        ]),
      ];
    });
  }
}

const unknownIn = (path: string, actors: NamedActors, known: KnownActors): FieldFault[] => [
  ...unknownActors(path, actors, known),
  ...actors.permissions.flatMap((permission, n): FieldFault[] =>
    isPermission(permission) ? [] : [{ path: `${path}.permissions[${n}]`, code: 'choice', message: 'is not a permission' }],
  ),
];

/** All members and roles that transitions name. */
const namedIn = (transitions: readonly NamingTransition[]): { readonly users: string[]; readonly roles: string[] } => {
  const named = transitions.flatMap(({ movers, actions, approvals }) => [movers, ...(approvals ? [approvals.movers] : []), ...actions]);
  return { users: named.flatMap(({ users }) => users), roles: named.flatMap(({ roles }) => roles) };
};
