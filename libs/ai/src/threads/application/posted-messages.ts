import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, invalidState, type JsonObject } from '@atrium/platform/kernel';
import { checkedParts, type PostedPart } from '../domain/posted-parts';
import type { MessagePart } from '../domain/message-parts';
import { filesIn, textOf } from '../domain/message-parts';
import type { Thread } from '../domain/thread';
import { Attachments } from './attachments';
import { MessageReader, type MessageAnswer } from './message-reader';
import { MessageWriter, type NewMessage } from './message-writer';
import { ThreadAccess } from './thread-access';
import { ThreadNews } from './thread-news';

/** What a client posts. */
export interface PostedMessage {
  readonly msg_text?: string;
  readonly msg_parts?: readonly PostedPart[];
  readonly msg_files?: readonly string[];
  readonly msg_parent?: string | null;
  readonly msg_metadata?: JsonObject;
}

/** Messages as people post them: checked, with attachments that the author may read, told to everybody who follows the thread. */
@Injectable()
export class PostedMessages {
  constructor(
    private readonly db: Database,
    private readonly access: ThreadAccess,
    private readonly attachments: Attachments,
    private readonly writer: MessageWriter,
    private readonly reader: MessageReader,
    private readonly news: ThreadNews,
  ) {}

  /** A message that nobody answers. */
  post(caller: Principal, thread_id: string, posted: PostedMessage): Promise<MessageAnswer> {
    return this.db.write(async () => {
      const thread = await this.access.lock(caller, thread_id, 'edit');
      if (thread.isBusy) throw invalidState(`An answer is being written by the run ${thread.thread_run}. Wait for it, or stop it.`);
      return this.write(caller, thread, posted);
    });
  }

  /** The message of a person in a thread that was locked for it; `more` is what a run or a prompt adds. */
  async write(caller: Principal, thread: Thread, posted: PostedMessage, more: Partial<NewMessage> = {}): Promise<MessageAnswer> {
    const parts = partsOf(posted);
    const files = [...new Set((posted.msg_files ?? []).map((id) => id.toLowerCase()))];
    await this.attachments.demand(caller, [...files, ...filesIn(parts)]);
    const { msg_id } = await this.writer.write(thread, {
      role: 'user',
      parts,
      files,
      user: caller.user_id,
      ...(posted.msg_parent === undefined ? {} : { parent: posted.msg_parent?.toLowerCase() ?? null }),
      ...(posted.msg_metadata ? { metadata: posted.msg_metadata } : {}),
      ...more,
    });
    const row = await this.reader.one(thread.thread_id, msg_id);
    const { row_version: _, ...answer } = await this.reader.view(caller, row);
    await this.news.told('created', row, answer.msg_siblings);
    return answer;
  }
}

/** The parts that a client means; a message says something, or brings a file. */
function partsOf({ msg_text, msg_parts, msg_files = [] }: PostedMessage): MessagePart[] {
  if (msg_text !== undefined && msg_parts !== undefined)
    throw invalidField('msg_parts', 'takes the place of msg_text: send one of them', 'one_of');
  const parts: MessagePart[] = msg_parts ? checkedParts(msg_parts) : msg_text === undefined ? [] : [{ kind: 'text', text: msg_text }];
  if (textOf(parts).trim() === '' && msg_files.length + filesIn(parts).length === 0)
    throw invalidField(msg_parts ? 'msg_parts' : 'msg_text', 'must not be empty without an attachment', 'required');
  return parts;
}
