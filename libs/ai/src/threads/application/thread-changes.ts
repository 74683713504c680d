import { Injectable } from '@nestjs/common';
import { type Principal } from '@atrium/platform/access';
import { Database, type Precondition } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { Thread, ThreadStatus } from '../domain/thread';
import { checkedGrants } from '../domain/thread-acl';
import type { ShareMode } from '../domain/thread-level';
import { MessagesRepository } from '../infrastructure/messages.repository';
import { ThreadsRepository } from '../infrastructure/threads.repository';
import { ThreadAccess } from './thread-access';
import { ThreadAnswers, type ThreadAnswer } from './thread-answers';
import { ThreadEnds } from './thread-ends';
import { ThreadNotifier } from './thread-notifier';
import { ThreadOpening } from './thread-opening';
import { ThreadPlaces } from './thread-places';

/** What a client changes of a thread. */
export interface ThreadChange {
  readonly thread_title?: string | null;
  readonly thread_status?: ThreadStatus;
  readonly thread_active?: boolean;
  readonly thread_agent?: string | null;
  readonly thread_user?: string;
  readonly thread_acl?: JsonObject;
  readonly thread_space?: string | null;
  readonly thread_share_mode?: ShareMode;
  readonly thread_metadata?: JsonObject;
  readonly thread_memory?: boolean;
}

const OWNERS = ['thread_active', 'thread_user', 'thread_acl', 'thread_space', 'thread_share_mode', 'thread_memory'] as const;

/** How threads change and are deleted. Who writes in a thread changes it; who takes part in it is its owners' to decide. */
@Injectable()
export class ThreadChanges {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly messages: MessagesRepository,
    private readonly access: ThreadAccess,
    private readonly answers: ThreadAnswers,
    private readonly places: ThreadPlaces,
    private readonly opening: ThreadOpening,
    private readonly ends: ThreadEnds,
    private readonly notifier: ThreadNotifier,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  changeThread(caller: Principal, thread_id: string, change: ThreadChange, precondition?: Precondition): Promise<ThreadAnswer> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'edit', { deleted: true, precondition });
      if (OWNERS.some((name) => change[name] !== undefined)) await this.assertOwner(caller, thread);
      await this.apply(caller, thread, change);
      thread.touch(this.clock);
      await this.threads.save(thread);
      this.outbox.emitEvent({ name: 'thread.updated', subject_id: thread_id, payload: { changed: Object.keys(change) } });
      return this.answers.toAnswer(caller, thread);
    });
  }

  deleteThread(caller: Principal, thread_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'owner', { deleted: true, precondition });
      if (!thread.thread_active) return;
      await this.deactivate(thread);
      await this.threads.save(thread);
    });
  }

  private async apply(caller: Principal, thread: Thread, change: ThreadChange): Promise<void> {
    await this.withdrawFromDeletedSpace(thread);
    if (change.thread_active === true && !thread.thread_active) await this.activate(thread);
    this.threads.assertActive(thread);
    if (change.thread_title !== undefined) thread.thread_title = change.thread_title;
    if (change.thread_metadata !== undefined) thread.thread_metadata = change.thread_metadata;
    if (change.thread_agent !== undefined) await this.giveTo(caller, thread, change.thread_agent);
    if (change.thread_status !== undefined) await this.moveTo(caller, thread, change.thread_status);
    await this.share(caller, thread, change);
    if (change.thread_memory !== undefined) thread.thread_memory = change.thread_memory;
    if (change.thread_active === false) await this.deactivate(thread);
    else if (change.thread_status !== undefined || change.thread_share_mode !== undefined) await this.notifier.announceChange(thread);
  }

  private async share(caller: Principal, thread: Thread, { thread_acl, thread_user, ...change }: ThreadChange): Promise<void> {
    const { thread_share_mode = thread.thread_share_mode, thread_space = thread.thread_space } = change;
    const space = thread_space?.toLowerCase() ?? null;
    if (space !== null && (space !== thread.thread_space || publishes(thread, thread_share_mode, change)))
      await this.places.assertSpace(caller, space);
    const assertUnheard = this.opening.guardOpening(thread);
    thread.share(thread_share_mode, space);
    const before = thread.grants;
    if (thread_acl !== undefined) {
      const grants = checkedGrants(thread_acl).filter(({ kind, to }) => kind !== 'user' || to !== thread.thread_user);
      await this.places.assertKnown(caller, grants, before);
      thread.grant(grants);
    }
    if (thread_user !== undefined && thread_user.toLowerCase() !== thread.thread_user) {
      await this.places.assertOwner(thread_user.toLowerCase());
      thread.handOver(thread_user.toLowerCase());
    }
    await assertUnheard();
    if (thread_acl !== undefined || thread_user !== undefined) await this.threads.saveGrants(thread.thread_id, thread.grants);
    if (OWNERS.some((name) => change[name as keyof typeof change] !== undefined) || thread_acl !== undefined || thread_user !== undefined)
      this.notifier.notifyAccessChange(thread);
  }

  /** A thread whose space was deleted is changed and restored as its owner's alone, whether or not its row was withdrawn by then. */
  private async withdrawFromDeletedSpace(thread: Thread): Promise<void> {
    if (thread.thread_share_mode !== 'private' && (await this.threads.findSharingSpace(thread)) === null) thread.withdraw();
  }

  private async moveTo(caller: Principal, thread: Thread, status: ThreadStatus): Promise<void> {
    if (thread.thread_status === 'closed' && status !== 'closed') await this.assertOwner(caller, thread);
    thread.moveTo(status);
  }

  private async giveTo(caller: Principal, thread: Thread, agent_id: string | null): Promise<void> {
    const agent = agent_id === null ? null : await this.places.requireAgent(caller, agent_id, thread.thread_ref);
    if (agent?.agent_type === 'context' && thread.thread_type !== 'context')
      throw invalidField('thread_agent', 'requires a thread with a subject', 'reference');
    thread.thread_agent = agent_id?.toLowerCase() ?? null;
  }

  private async deactivate(thread: Thread): Promise<void> {
    await this.ends.notifyEnded(thread);
    thread.deactivate(this.clock);
    await this.messages.deactivateAll(thread);
    await this.notifier.announceDeletion(thread);
    this.outbox.emitEvent({ name: 'thread.deleted', subject_id: thread.thread_id, payload: {} });
  }

  private async activate(thread: Thread): Promise<void> {
    if (thread.thread_deleted) await this.messages.activateAll(thread.thread_id, thread.thread_deleted);
    thread.activate(this.clock);
    await this.notifier.announceChange(thread);
  }

  private async assertOwner(caller: Principal, thread: Thread): Promise<void> {
    if ((await this.access.findLevel(caller, thread)) !== 'owner') throw accessDenied('Only an owner of this thread can do this.');
  }
}

/** Whether the change shows the thread to a space: in another way than before, or again after it was deleted. */
const publishes = (thread: Thread, mode: ShareMode, { thread_active }: Pick<ThreadChange, 'thread_active'>): boolean =>
  mode !== 'private' && (mode !== thread.thread_share_mode || thread_active === true);
