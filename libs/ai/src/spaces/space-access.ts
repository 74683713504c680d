import { Injectable } from '@nestjs/common';
import { PersonDataSources, RetentionPolicies } from '@atrium/governance';
import { type Principal } from '@atrium/platform/access';
import { sql, type Precondition, type Sql } from '@atrium/platform/database';
import { accessDenied, notFound } from '@atrium/platform/kernel';
import { isRoleSufficient, type Space, type SpaceRole } from './space';
import { SpacesRepository } from './spaces.repository';

const NOUN = 'space';

/**
 * What a caller may do in a space, by their role there: 404 for those who are not in it, 403 where the role does not suffice. A
 * deleted space is read by its members until they leave it or are removed, or its time is over: what keeps its row for longer, such as
 * a legal hold, is not to be seen by that. Within a unit of work.
 */
@Injectable()
export class SpaceAccess {
  constructor(
    private readonly spaces: SpacesRepository,
    private readonly policies: RetentionPolicies,
    people: PersonDataSources,
  ) {
    people.registerTableHandler('space', { readable: (reader) => this.spaces.membershipCondition(reader) });
  }

  async requireSpace(caller: Principal, space_id: string, role: SpaceRole): Promise<Space> {
    const space = await this.spaces.findRow(space_id);
    if (!space) throw notFound(NOUN);
    await this.assertRole(caller, space, role);
    return space;
  }

  lockSpace(caller: Principal, space_id: string, role: SpaceRole, precondition?: Precondition): Promise<Space> {
    return this.spaces.lockToChange(space_id, {}, precondition, (space) => this.assertRole(caller, space, role));
  }

  /** Deleted or not, for members who leave it or are removed; from a deleted one also by administrators of people. */
  lockToLeave(caller: Principal, space_id: string, role: SpaceRole): Promise<Space> {
    return this.spaces.lock(space_id, undefined, async (space) => {
      if (space.space_active || !caller.permissions.has('admin:users')) await this.assertRole(caller, space, role);
      else await this.assertFindable(space);
    });
  }

  lockToDelete(caller: Principal, space_id: string, precondition?: Precondition): Promise<Space | null> {
    return this.spaces.lockToDelete(space_id, precondition, (space) => this.assertRole(caller, space, 'owner'));
  }

  /** The space, deleted or not, for those who may look at its members: its members, and administrators of people. */
  async requireSight(caller: Principal, space_id: string): Promise<Space> {
    if (!caller.permissions.has('admin:users')) return this.requireSpace(caller, space_id, 'viewer');
    const space = await this.spaces.findRow(space_id);
    if (!space) throw notFound(NOUN);
    await this.assertFindable(space);
    return space;
  }

  /** Condition on a row `r` of `space`: it is active, or was deleted so recently that it is still read. */
  async findableCondition(): Promise<Sql> {
    return sql`(r.space_active OR r.space_updated >= ${await this.readHorizon()})`;
  }

  private async assertRole(caller: Principal, space: Space, wanted: SpaceRole): Promise<void> {
    const role = await this.spaces.findRole(caller, space.space_id);
    if (role === null) throw notFound(NOUN);
    await this.assertFindable(space);
    if (!isRoleSufficient(role, wanted)) throw accessDenied(`You need the role ${wanted} in this space. Ask one of its owners for it.`);
  }

  /** A deleted space is never changed again: `space_updated` is when it was deleted. */
  private async assertFindable({ space_active, space_updated }: Space): Promise<void> {
    if (!space_active && space_updated < (await this.readHorizon())) throw notFound(NOUN);
  }

  private readHorizon(): Promise<Date> {
    return this.policies.readHorizon('threads_inactive');
  }
}
