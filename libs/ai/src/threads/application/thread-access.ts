import { Injectable } from '@nestjs/common';
import { RetentionPolicies } from '@atrium/governance';
import { aclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { accessDenied, notFound } from '@atrium/platform/kernel';
import type { Thread } from '../domain/thread';
import { levelOf, isLevelSufficient, THREAD_LEVELS, type ThreadLevel } from '../domain/thread-level';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/** What decides about a thread, as lists read it too. */
export type SharedThread = Pick<Thread, 'thread_user' | 'thread_acl' | 'thread_share_mode' | 'thread_space' | 'thread_active'>;

export interface DemandOptions {
  /** Lets the owner reach a deleted thread, which nobody else does. */
  readonly deleted?: boolean;
  readonly precondition?: Precondition | undefined;
}

/**
 * What a caller may do with a thread. Unknown, deleted and unreadable threads answer 404, readable but not enough 403. No permission
 * of the workspace opens a thread. Called within a unit of work.
 */
@Injectable()
export class ThreadAccess {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly policies: RetentionPolicies,
  ) {}

  /** The thread for reading. */
  async requireThread(caller: Principal, thread_id: string, level: ThreadLevel, options: DemandOptions = {}): Promise<Thread> {
    const thread = await this.threads.findRow(thread_id);
    if (!thread) throw notFound(NOUN);
    await this.assertLevel(caller, thread, level, options);
    return thread;
  }

  /** The thread locked for a change of it or of its messages. */
  lockThread(caller: Principal, thread_id: string, level: ThreadLevel, options: DemandOptions = {}): Promise<Thread> {
    return this.threads.lock(thread_id, options.precondition, (thread) => this.assertLevel(caller, thread, level, options));
  }

  /** The caller's level; null for those who may not read it. */
  async findLevel(caller: Principal, thread: SharedThread): Promise<ThreadLevel | null> {
    const { thread_share_mode: mode, thread_space: space, thread_user, thread_acl } = thread;
    const owns = thread_user !== null && thread_user === caller.user_id;
    const isMember = mode !== 'private' && space !== null && caller.space_ids.includes(space);
    // What somebody is in the space makes a difference in a collaboration alone.
    const asks = isMember && mode === 'collab' && !owns;
    const space_role = !isMember ? null : asks ? await this.threads.findSpaceRole(caller, space) : 'viewer';
    return levelOf({ owns, granted: LEVELS[(aclLevel(thread_acl, caller) ?? 0) - 1] ?? null, mode, space_role });
  }

  /** What keeps a deleted thread for longer, such as a legal hold, is not to be seen by that. */
  private async isRestorable({ thread_deleted }: Thread): Promise<boolean> {
    return thread_deleted === null || thread_deleted >= (await this.policies.readHorizon('threads_inactive'));
  }

  private async assertLevel(caller: Principal, thread: Thread, wanted: ThreadLevel, { deleted = false }: DemandOptions): Promise<void> {
    const level = await this.findLevel(caller, thread);
    if (level === null) throw notFound(NOUN);
    if (!thread.thread_active && !(deleted && level === 'owner' && (await this.isRestorable(thread)))) throw notFound(NOUN);
    if (!isLevelSufficient(level, wanted)) throw accessDenied(`You need ${wanted} access to this thread. Ask one of its owners for it.`);
  }
}

const NOUN = 'thread';
const LEVELS: readonly (ThreadLevel | undefined)[] = THREAD_LEVELS;
