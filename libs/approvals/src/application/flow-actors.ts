import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import type { KnownActors } from '../domain/named-actors';

/** Finds the members and roles that flows name. Called within a unit of work. */
@Injectable()
export class FlowActors {
  constructor(private readonly members: KnownMembers) {}

  /** Former members are not known; one statement for all members, and one for all roles. */
  async findKnownActors({ users, roles }: { readonly users: readonly string[]; readonly roles: readonly string[] }): Promise<KnownActors> {
    return { users: await this.members.findMemberIds(users), roles: await this.members.filterExistingRoles(roles) };
  }
}
