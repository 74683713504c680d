import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import { type Principal } from '@atrium/platform/access';
import { Database, pageOfRows, type ListParameters, type Page } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, invalidState, notFound, Problem } from '@atrium/platform/kernel';
import { shownNow, type PresenceState } from '../domain/presence';
import type { Thread } from '../domain/thread';
import { MOST_MEMBERS, tooManyMembers, type MemberType, type ThreadGrant } from '../domain/thread-acl';
import type { ThreadLevel } from '../domain/thread-level';
import { ThreadPresenceRows } from '../infrastructure/thread-presence.rows';
import { ThreadsRepository } from '../infrastructure/threads.repository';
import { ThreadMember } from '../domain/thread-member';
import { ThreadAccess } from './thread-access';
import { ThreadNotifier } from './thread-notifier';
import { ThreadOpening } from './thread-opening';
import { ThreadPlaces } from './thread-places';

export interface NewMember {
  readonly member_type: MemberType;
  readonly member_id: string;
  readonly member_level: ThreadLevel;
}

/** Who takes part in a thread besides its owner. */
@Injectable()
export class ThreadMembers {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly presence: ThreadPresenceRows,
    private readonly access: ThreadAccess,
    private readonly places: ThreadPlaces,
    private readonly members: KnownMembers,
    private readonly opening: ThreadOpening,
    private readonly notifier: ThreadNotifier,
    private readonly clock: Clock,
  ) {}

  listMembers(caller: Principal, thread_id: string, query: ListParameters): Promise<Page<ThreadMember>> {
    return this.db.read(async () => {
      const thread = await this.access.requireThread(caller, thread_id, 'view');
      return pageOfRows(ThreadMember, await this.of(thread), query, ({ member_type, member_id }) => `${member_type} ${member_id}`);
    });
  }

  /** The entry and whether it is new. */
  addMember(
    caller: Principal,
    thread_id: string,
    { member_type, member_id, member_level }: NewMember,
  ): Promise<{ readonly member: ThreadMember; readonly isNew: boolean }> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'owner');
      const grant: ThreadGrant = { kind: member_type, to: member_id.toLowerCase(), level: member_level };
      if (grant.kind === 'user' && grant.to === thread.thread_user)
        throw invalidField('member_id', 'must not be the owner of the thread', 'reference');
      const others = thread.grants.filter(({ kind, to }) => kind !== grant.kind || to !== grant.to);
      const isNew = others.length === thread.grants.length;
      if (isNew) await this.assertKnown(caller, grant);
      if (others.length >= MOST_MEMBERS) throw tooManyMembers();
      const assertUnheard = this.opening.guardOpening(thread);
      await this.save(thread, [...others, grant]);
      await assertUnheard();
      const member = (await this.of(thread)).find((one) => one.member_type === grant.kind && one.member_id === grant.to);
      if (!member) throw notFound('member');
      return { member, isNew };
    });
  }

  /** Owners of the thread remove others; every member may leave it, its owner only where another owner stays. Nobody else removes its owner. */
  removeMember(caller: Principal, thread_id: string, member_id: string): Promise<void> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'view');
      if (member_id !== caller.user_id && (await this.access.findLevel(caller, thread)) !== 'owner')
        throw accessDenied('Only an owner of this thread can remove other members.');
      if (member_id === thread.thread_user) {
        if (member_id !== caller.user_id) throw ownerStays();
        return this.leave(thread);
      }
      const others = thread.grants.filter(({ to }) => to !== member_id);
      if (others.length === thread.grants.length) throw notFound('member');
      await this.save(thread, others);
    });
  }

  /** The first of the other owners takes the thread over. */
  private async leave(thread: Thread): Promise<void> {
    const heir = thread.grants.find(({ kind, level }) => kind === 'user' && level === 'owner');
    if (!heir) throw invalidState('The last owner cannot leave. Transfer the thread to another member first, or delete it.');
    thread.thread_user = heir.to;
    await this.save(
      thread,
      thread.grants.filter((grant) => grant !== heir && (grant.kind !== 'user' || grant.to !== heir.to)),
    );
  }

  private async save(thread: Thread, grants: readonly ThreadGrant[]): Promise<void> {
    thread.grant(grants);
    thread.touch(this.clock);
    await this.threads.save(thread);
    await this.threads.saveGrants(thread.thread_id, grants);
    this.notifier.notifyAccessChange(thread);
  }

  private async assertKnown(caller: Principal, grant: ThreadGrant): Promise<void> {
    try {
      await this.places.assertKnown(caller, [grant]);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'validation_failed') throw error;
      throw invalidField('member_id', `must be a ${grant.kind} of this workspace`, 'reference');
    }
  }

  private async of(thread: Thread): Promise<ThreadMember[]> {
    const grants = thread.grants;
    const people = [...(thread.thread_user === null ? [] : [thread.thread_user]), ...idsOf(grants, 'user')];
    const sharing = await this.threads.findSharingSpace(thread);
    const bySpace = sharing === null ? [] : [sharing];
    const names = await this.members.findMemberNames(people);
    const groups = await this.places.findGroupNames([...idsOf(grants, 'role'), ...idsOf(grants, 'space'), ...bySpace]);
    const states = await this.states(thread.thread_id);
    const person = (member_id: string, member_level: ThreadLevel): ThreadMember => ({
      member_type: 'user',
      member_id,
      member_name: names.get(member_id) ?? null,
      member_level,
      member_state: states.get(member_id) ?? null,
    });
    const group = (member_type: MemberType, member_id: string, member_level: ThreadLevel): ThreadMember => ({
      member_type,
      member_id,
      member_name: groups.get(member_id) ?? null,
      member_level,
      member_state: null,
    });
    const named = grants.map(({ kind, to, level }) => (kind === 'user' ? person(to, level) : group(kind, to, level)));
    const shared = bySpace
      .filter((id) => !named.some(({ member_id }) => member_id === id))
      .map((id) => group('space', id, thread.thread_share_mode === 'collab' ? 'edit' : 'view'));
    return [...(thread.thread_user === null ? [] : [person(thread.thread_user, 'owner')]), ...named, ...shared];
  }

  private async states(thread_id: string): Promise<ReadonlyMap<string, PresenceState>> {
    const now = this.clock.now();
    const rows = await this.presence.findSigns(thread_id, now);
    return new Map(rows.map((row) => [row.user_id, shownNow(row, now).state]));
  }
}

const ownerStays = (): Problem => accessDenied('The owner of a thread cannot be removed. The owner can leave the thread or transfer it.');

const idsOf = (grants: readonly ThreadGrant[], kind: MemberType): string[] =>
  grants.filter((grant) => grant.kind === kind).map(({ to }) => to);
