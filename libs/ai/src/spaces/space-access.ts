import { Injectable } from '@nestjs/common';
import { PersonDataSources } from '@atrium/governance';
import { type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { accessDenied, notFound } from '@atrium/platform/kernel';
import { isRoleSufficient, type Space, type SpaceRole } from './space';
import { SpacesRepository } from './spaces.repository';

const NOUN = 'space';

/**
 * What a caller may do in a space, by their role there: 404 for those who are not in it, 403 where the role does not suffice. A
 * deleted space is read by its members until they leave it or are removed. Within a unit of work.
 */
@Injectable()
export class SpaceAccess {
  constructor(
    private readonly spaces: SpacesRepository,
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
    return space;
  }

  private async assertRole(caller: Principal, { space_id }: Space, wanted: SpaceRole): Promise<void> {
    const role = await this.spaces.findRole(caller, space_id);
    if (role === null) throw notFound(NOUN);
    if (!isRoleSufficient(role, wanted)) throw accessDenied(`You need the role ${wanted} in this space. Ask one of its owners for it.`);
  }
}
