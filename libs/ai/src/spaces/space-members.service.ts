import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { accessDenied, alreadyExists, Clock, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { ThreadAccessSignals } from '../events/thread-access-signals';
import { SpaceAccess } from './space-access';
import { SpaceMembersRepository } from './space-members.repository';
import type { SpaceMember, SpaceRole } from './space';
import { SpacesRepository } from './spaces.repository';

export type NewSpaceMember = Pick<SpaceMember, 'sm_principal_type' | 'sm_principal' | 'sm_role'>;

const MOST_MEMBERS = 500;

/**
 * Who is in a space. Its owners decide, everybody may leave, and one owner stays; each change waits for the one before. Where all
 * owners have left the workspace, administrators of people give the space an owner. A deleted space takes no new members and needs no owner, and
 * administrators of people may remove everybody from it.
 */
@Injectable()
export class SpaceMembersService {
  constructor(
    private readonly db: Database,
    private readonly spaces: SpacesRepository,
    private readonly members: SpaceMembersRepository,
    private readonly access: SpaceAccess,
    private readonly known: KnownMembers,
    private readonly signals: ThreadAccessSignals,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, space_id: string): Promise<SpaceMember[]> {
    return this.db.read(async () => {
      await this.access.requireSight(caller, space_id);
      return this.members.findMembers(space_id);
    });
  }

  create(caller: Principal, space_id: string, { sm_principal_type, sm_principal, sm_role }: NewSpaceMember): Promise<SpaceMember> {
    const wanted = { sm_principal_type, sm_principal: sm_principal.toLowerCase(), sm_role };
    return this.db.write(async () => {
      const present = await this.lockToAppoint(caller, space_id, sm_role);
      await this.assertKnown(wanted);
      if (present.some((other) => other.sm_principal === wanted.sm_principal))
        throw alreadyExists('sm_principal', 'This person or role is already in the space. Change the role instead.');
      if (present.length >= MOST_MEMBERS) throw new Problem('limit_reached', `A space can have at most ${MOST_MEMBERS} members.`);
      const member: SpaceMember = { ...wanted, sm_space: space_id, sm_created: this.clock.now(), sm_created_by: caller.user_id };
      await this.members.insertMember(member);
      return member;
    });
  }

  changeRole(caller: Principal, space_id: string, principal: string, sm_role: SpaceRole): Promise<SpaceMember> {
    return this.db.write(async () => {
      const present = await this.lockToAppoint(caller, space_id, sm_role);
      const member = memberAmong(present, principal);
      if (sm_role !== 'owner') assertOtherOwner(present, member);
      await this.members.changeRole(space_id, member.sm_principal_type, principal, sm_role);
      this.signals.signalChange({ space_id });
      return { ...member, sm_role };
    });
  }

  remove(caller: Principal, space_id: string, principal: string): Promise<void> {
    return this.db.write(async () => {
      const leaves = principal === caller.user_id;
      const edits = leaves || caller.permissions.has('space:edit');
      if (!edits && !caller.permissions.has('admin:users')) throw permissionDenied(['space:edit']);
      const space = await this.access.lockToLeave(caller, space_id, leaves ? 'viewer' : 'owner');
      if (!edits && space.space_active) throw permissionDenied(['space:edit']);
      const present = await this.members.findMembers(space_id);
      const member = memberAmong(present, principal);
      if (space.space_active) assertOtherOwner(present, member);
      await this.members.deleteMember(space_id, member.sm_principal_type, principal);
      this.signals.signalChange({ space_id });
    });
  }

  /** The members of the space, locked for somebody who may give this role in it: an owner, or an administrator of people where no owner is left. */
  private async lockToAppoint(caller: Principal, space_id: string, sm_role: SpaceRole): Promise<SpaceMember[]> {
    const space = await this.spaces.lock(space_id);
    if (!space.space_active) throw notFound('space');
    const present = await this.members.findMembers(space_id);
    const role = await this.spaces.findRole(caller, space_id);
    if (role === 'owner' && caller.permissions.has('space:edit')) return present;
    const administers = caller.permissions.has('admin:users');
    if (administers && sm_role === 'owner' && !present.some(isOwner)) return present;
    if (role === null && !administers) throw notFound('space');
    throw role === 'owner' ? permissionDenied(['space:edit']) : accessDenied('Only an owner of this space can change its members.');
  }

  private async assertKnown({ sm_principal_type, sm_principal }: NewSpaceMember): Promise<void> {
    const known =
      sm_principal_type === 'user' ? await this.known.findMemberIds([sm_principal]) : await this.known.filterExistingRoles([sm_principal]);
    if (!known.has(sm_principal)) throw invalidField('sm_principal', `is not a ${sm_principal_type} of this workspace`, 'reference');
  }
}

function memberAmong(present: readonly SpaceMember[], principal: string): SpaceMember {
  const member = present.find(({ sm_principal }) => sm_principal === principal);
  if (!member) throw notFound('member of the space');
  return member;
}

const isOwner = ({ sm_role }: SpaceMember): boolean => sm_role === 'owner';

function assertOtherOwner(present: readonly SpaceMember[], member: SpaceMember): void {
  if (isOwner(member) && !present.some((other) => other !== member && isOwner(other)))
    throw invalidState('This is the last owner of the space. Make someone else an owner first, or delete the space.');
}
