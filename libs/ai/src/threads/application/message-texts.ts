import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound, notYet } from '@atrium/platform/kernel';
import { isWithheldFrom } from '../domain/memory-answer';
import { MessagesRepository } from '../infrastructure/messages.repository';
import { ThreadsRepository } from '../infrastructure/threads.repository';
import { ThreadAccess } from './thread-access';

/** Texts of messages for work outside of their thread, which is not named. Called within a unit of work. */
@Injectable()
export class MessageTexts {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly threads: ThreadsRepository,
    private readonly access: ThreadAccess,
  ) {}

  /** What a message says, for a caller who may read its thread; for all others it is not found. */
  async readText(caller: Principal, msg_id: string): Promise<string> {
    const message = caller.permissions.has('thread:view') ? await this.messages.findRow(msg_id) : null;
    const thread = message?.msg_active ? await this.threads.findRow(message.msg_thread) : null;
    if (!message || !thread?.thread_active || (await this.access.findLevel(caller, thread)) === null) throw notFound('message');
    if (isWithheldFrom(caller.user_id, message)) throw notFound('message');
    if (message.isOpen) throw notYet('The message is still being written. Try again once it is complete.', 2, 'unprocessable_content');
    return message.msg_text;
  }
}
