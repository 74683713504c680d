import { Injectable } from '@nestjs/common';
import { permissionDenied, PermissionSet, type Principal } from '@atrium/platform/access';
import { invalidState } from '@atrium/platform/kernel';
import { RolesRepository } from '../infrastructure/roles.repository';

/**
 * Nobody rises by what they may change: the rules that every grant, every change to a person and every loss of an owner
 * pass. All of them decide within the open unit of work and by the caller as its gate admitted them, so that of two
 * owners who demote each other the second is refused because no owner would remain.
 */
@Injectable()
export class Escalation {
  constructor(private readonly roles: RolesRepository) {}

  /** E1: what is granted must be held; `*` by a literal `*`. With a key the key's intersected permissions count. */
  async assertGrants(caller: Principal, grants: readonly string[]): Promise<void> {
    const missing = await this.findMissingGrants(caller, grants);
    if (missing.length > 0) throw permissionDenied(missing);
  }

  /** What of the grants the caller does not hold: permission strings, and `*` where the literal is missing. */
  async findMissingGrants(caller: Principal, grants: readonly string[]): Promise<string[]> {
    const missing = PermissionSet.of(grants.filter((grant) => grant !== EVERYTHING))
      .without(caller.permissions)
      .list();
    if (grants.includes(EVERYTHING) && !(await this.holdsEverything(caller))) return [EVERYTHING, ...missing];
    return missing;
  }

  /** E2: who holds a permission that the caller lacks is out of the caller's reach. */
  async assertMayChange(caller: Principal, user_id: string): Promise<void> {
    const missing = await this.findMissingGrants(caller, await this.listGrantsOfUsers(user_id));
    if (missing.length > 0) throw permissionDenied(missing);
  }

  /** E2 for many at once, in one statement: if one of them is out of reach, the whole change is refused. */
  async assertMayChangeAll(caller: Principal, user_ids: readonly string[]): Promise<void> {
    if (user_ids.length > 0) await this.assertGrants(caller, await this.listGrantsOfUsers(...user_ids));
  }

  /**
   * E3: carries out a change that may cost somebody the owner role, and refuses it when no active person would keep it.
   * The workspace row is locked before anything else is, so that such changes wait for one another.
   */
  async runWithOwnerRemaining<T>(change: () => Promise<T>): Promise<T> {
    await this.roles.lockAll();
    const outcome = await change();
    const owner = await this.roles.hasActiveOwner();
    if (!owner) throw invalidState('At least one active person must keep the role owner.');
    return outcome;
  }

  /** E3 for what is carried out later: refuses it when only this person is an active owner now. */
  async assertOwnerRemains(user_id: string): Promise<void> {
    const { owns, others } = await this.roles.readOwnership(user_id);
    if (owns && !others) throw invalidState('At least one active person must keep the role owner.');
  }

  /** E4: through the administration nobody ends their own membership. */
  assertNotSelf(caller: Principal, user_id: string): void {
    if (caller.user_id === user_id.toLowerCase())
      throw invalidState('You cannot do this to yourself. To leave the workspace, use POST /me/leave.');
  }

  /** What the roles of these members grant, as it is written in the roles. */
  listGrantsOfUsers(...user_ids: readonly string[]): Promise<string[]> {
    return this.roles.listGrantsOf(user_ids);
  }

  /** Whether a role of the caller says `*` itself, and the key that was sent does not narrow it. */
  private async holdsEverything({ kind, role_ids, key_id }: Principal): Promise<boolean> {
    if (kind !== 'person' && kind !== 'service') return false;
    return this.roles.isEverythingGranted(role_ids, key_id);
  }
}

const EVERYTHING = '*';
