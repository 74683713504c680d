import { Injectable } from '@nestjs/common';
import { Clock, Ids, invalidField, type JsonObject } from '@atrium/platform/kernel';
import { grownId } from '../domain/message-id';
import { Message, type MessageRole, type MessageStatus } from '../domain/message';
import { assertSize, filesIn, textOf, type MessagePart } from '../domain/message-parts';
import type { Thread } from '../domain/thread';
import { MessagesRepository } from '../infrastructure/messages.repository';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/** A message that is to be written. */
export interface NewMessage {
  readonly role: MessageRole;
  /** One text part; besides `parts` it is not given. */
  readonly text?: string;
  readonly parts?: readonly MessagePart[];
  /** What it follows: by default the end of the branch that is shown; null begins the thread again. */
  readonly parent?: string | null;
  /** Attachments; that they may be attached was checked before. */
  readonly files?: readonly string[];
  readonly status?: MessageStatus;
  readonly user?: string | null;
  readonly agent?: string | null;
  readonly model?: string | null;
  readonly prompt?: string | null;
  readonly prompt_terms?: JsonObject;
  readonly run?: string | null;
  readonly visibility?: 'all' | 'staff';
  readonly metadata?: JsonObject;
}

/**
 * The one way in which messages come into a thread. The thread was locked for it (`ThreadAccess.lockThread`), in the same unit of work: so
 * branches grow one message after the other, and the new one is the end of the branch that is shown.
 */
@Injectable()
export class MessageWriter {
  constructor(
    private readonly threads: ThreadsRepository,
    private readonly messages: MessagesRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async writeMessage(thread: Thread, draft: NewMessage): Promise<Message> {
    const parent = draft.parent === undefined ? thread.thread_leaf : draft.parent;
    if (draft.parent) await this.assertParent(thread, draft.parent);
    const message = this.messageOf(thread, parent, draft);
    thread.receive(message.msg_id, this.clock);
    await this.messages.insert(message);
    await this.messages.attachFiles(message.msg_id, [...new Set([...(draft.files ?? []), ...filesIn(message.msg_parts)])]);
    await this.threads.save(thread);
    return message;
  }

  private async assertParent({ thread_id }: Thread, msg_parent: string): Promise<void> {
    if (!(await this.messages.findMessageRow(thread_id, msg_parent)))
      throw invalidField('msg_parent', 'must be a message of this thread that is not deleted', 'reference');
  }

  private messageOf(thread: Thread, msg_parent: string | null, draft: NewMessage): Message {
    const parts = draft.parts ?? (draft.text === undefined ? [] : [{ kind: 'text', text: draft.text } as const]);
    assertSize(parts);
    const now = this.clock.now();
    const highest = [thread.thread_leaf, msg_parent].reduce((a, b) => (a !== null && (b === null || a > b) ? a : b), null);
    return Message.blank(
      {
        msg_id: grownId(this.ids.next(), highest),
        msg_thread: thread.thread_id,
        msg_parent,
        msg_role: draft.role,
        msg_status: draft.status ?? 'complete',
        msg_parts: parts,
        msg_text: textOf(parts),
        msg_user: draft.user ?? null,
        msg_agent: draft.agent ?? null,
        msg_model: draft.model ?? null,
        msg_prompt: draft.prompt ?? null,
        msg_prompt_terms: draft.prompt_terms ?? null,
        msg_run: draft.run ?? null,
        msg_visibility: draft.visibility ?? 'all',
        msg_metadata: draft.metadata ?? {},
      },
      now,
    );
  }
}
