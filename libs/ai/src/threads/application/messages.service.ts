import { Injectable } from '@nestjs/common';
import { type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { accessDenied, Clock, invalidField, notFound, notYet, type JsonObject } from '@atrium/platform/kernel';
import { OPEN_MESSAGES } from '../domain/message';
import type { Thread } from '../domain/thread';
import { MessagesRepository, type MessageRow } from '../infrastructure/messages.repository';
import { ThreadsRepository } from '../infrastructure/threads.repository';
import { isSaidTo } from '../infrastructure/withheld-messages';
import { MessageReader, type MessageAnswer, type VersionedMessageAnswer } from './message-reader';
import { ThreadAccess } from './thread-access';
import { ThreadAnswers, type ThreadAnswer } from './thread-answers';
import { ThreadNotifier } from './thread-notifier';

export interface MessageFilters extends ListParameters {
  readonly branch?: 'active' | 'all';
  readonly full_text_search?: string;
}

export interface MessageChange {
  readonly msg_metadata?: JsonObject;
  readonly msg_active?: boolean;
}

/** The messages of a thread as clients read and change them. */
@Injectable()
export class MessagesService {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly messages: MessagesRepository,
    private readonly access: ThreadAccess,
    private readonly reader: MessageReader,
    private readonly answers: ThreadAnswers,
    private readonly notifier: ThreadNotifier,
    private readonly clock: Clock,
  ) {}

  list(
    caller: Principal,
    thread_id: string,
    { branch = 'active', full_text_search, ...query }: MessageFilters,
  ): Promise<Page<MessageAnswer>> {
    return this.db.read(async () => {
      const { thread_leaf } = await this.access.requireThread(caller, thread_id, 'view');
      if (branch === 'active' && thread_leaf === null) return { data: [], has_more: false, next_cursor: null };
      const shown =
        branch === 'all' || thread_leaf === null
          ? sql`true`
          : sql`r.msg_id IN (${this.messages.toBranchQuery(thread_id, thread_leaf, query, full_text_search !== undefined)})`;
      const page = await this.messages.listMessages(thread_id, query, sql`${shown} AND ${saying(caller, full_text_search)}`);
      return { ...page, data: await this.reader.viewMessages(caller, thread_id, page.data) };
    });
  }

  get(caller: Principal, thread_id: string, msg_id: string): Promise<VersionedMessageAnswer> {
    return this.db.read(async () => {
      await this.access.requireThread(caller, thread_id, 'view');
      return this.reader.viewMessage(caller, await this.reader.requireMessage(thread_id, msg_id));
    });
  }

  change(
    caller: Principal,
    thread_id: string,
    msg_id: string,
    change: MessageChange,
    precondition?: Precondition,
  ): Promise<VersionedMessageAnswer> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'edit');
      const message = await this.messages.lock(msg_id, precondition, async (row) => {
        if (row.msg_thread !== thread_id || !row.msg_active) throw notFound('message');
        await this.assertOwn(caller, thread, row);
      });
      if (change.msg_active === true) throw invalidField('msg_active', 'can only be changed to false', 'choice');
      const row = await this.reader.requireMessage(thread_id, msg_id);
      const answer = await this.reader.viewMessage(caller, row);
      if (change.msg_metadata !== undefined) {
        message.msg_metadata = change.msg_metadata;
        message.touch(this.clock);
        await this.messages.save(message);
      }
      const after = { msg_metadata: message.msg_metadata, msg_updated: message.msg_updated, row_version: message.row_version };
      if (change.msg_active === false) await this.remove(thread, row);
      await this.notifier.announceMessage(
        change.msg_active === false ? 'removed' : 'updated',
        { ...row, ...after, msg_active: change.msg_active ?? true },
        answer.msg_siblings,
      );
      return { ...answer, ...after, msg_active: change.msg_active ?? true };
    });
  }

  /** Shows and continues another branch: the one that goes on from the message, to its end. */
  selectBranch(caller: Principal, thread_id: string, msg_id: string): Promise<ThreadAnswer> {
    return this.db.write(async () => {
      const thread = await this.access.lockThread(caller, thread_id, 'edit');
      if (!(await this.messages.findMessageRow(thread_id, msg_id)))
        throw invalidField('msg_id', 'must be a message of this thread that is not deleted', 'reference');
      thread.thread_leaf = await this.messages.readLeafBelow(thread_id, msg_id);
      if (await this.threads.save(thread)) await this.notifier.announceChange(thread);
      return this.answers.toAnswer(caller, thread);
    });
  }

  /** The message goes with all that follows it; the branch that is shown ends before it, or goes on beside it. */
  private async remove(thread: Thread, { msg_id, msg_parent }: MessageRow): Promise<void> {
    const gone = await this.messages.findDescendants(thread.thread_id, msg_id);
    if (gone.some(({ msg_status }) => OPEN_MESSAGES.has(msg_status)))
      throw notYet('An answer is being written in this branch. Stop it first.', 2);
    await this.messages.deactivateMessages(gone.map((message) => message.msg_id));
    if (gone.some((message) => message.msg_id === thread.thread_leaf)) {
      const from = msg_parent ?? (await this.messages.findNewestRoot(thread.thread_id));
      thread.thread_leaf = from === null ? null : await this.messages.readLeafBelow(thread.thread_id, from);
    }
    thread.touch(this.clock);
    await this.threads.save(thread);
  }

  private async assertOwn(
    caller: Principal,
    thread: Thread,
    { msg_role, msg_user }: Pick<MessageRow, 'msg_role' | 'msg_user'>,
  ): Promise<void> {
    if (msg_role === 'user' && msg_user === caller.user_id) return;
    if ((await this.access.findLevel(caller, thread)) !== 'owner')
      throw accessDenied('Only the author of a message or an owner of the thread can do this.');
  }
}

/** Messages that say the words to the caller. */
const saying = (caller: Principal, words: string | undefined): Sql =>
  words === undefined
    ? sql`true`
    : sql`r.msg_id IN (SELECT search_messages_text(${words})) AND r.tenant_id = ${requireScope().tenant_id} AND ${isSaidTo(caller)}`;
