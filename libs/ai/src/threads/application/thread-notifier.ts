import { Injectable } from '@nestjs/common';
import { ThreadAccessSignals } from '../../events/thread-access-signals';
import type { LockEvent } from '../../events/thread-event';
import { ThreadEvents } from '../../events/thread-events';
import type { MessageRow, Siblings } from '../infrastructure/messages.repository';
import { messageView } from './message-reader';
import type { Thread } from '../domain/thread';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/** Sends what changed in a thread to those who follow it; within the unit of work of the change. */
@Injectable()
export class ThreadNotifier {
  constructor(
    private readonly events: ThreadEvents,
    private readonly threads: ThreadsRepository,
    private readonly signals: ThreadAccessSignals,
  ) {}

  /** Its status, its sharing or its branch changed, or it is back. */
  async announceChange(thread: Thread): Promise<void> {
    const answering = thread.thread_run === null ? undefined : await this.threads.findAnsweringRun(thread.thread_run);
    await this.locked(thread, {
      locked: thread.isBusy,
      generating_for: thread.thread_generating_for,
      run_id: thread.thread_run,
      msg_id: answering?.run_message ?? null,
      since: answering?.since ?? null,
    });
  }

  /** It is deleted, and what answered in it has ended: every stream of it ends. */
  announceDeletion(thread: Thread): Promise<void> {
    return this.locked(thread, { locked: false, generating_for: null, run_id: null, msg_id: null, since: null, closed: 'deleted' });
  }

  private async locked(
    { thread_id, thread_status, thread_share_mode }: Thread,
    answering: Omit<LockEvent, 'queue' | 'thread_status' | 'thread_share_mode'>,
  ): Promise<void> {
    await this.events.emitEvent(thread_id, { kind: 'lock', data: { ...answering, queue: 0, thread_status, thread_share_mode } });
  }

  /** Somebody may no longer read it. */
  notifyAccessChange({ thread_id }: Thread): void {
    this.signals.signalChange({ thread_id });
  }

  /** A message was written, changed or removed. */
  async announceMessage(op: 'created' | 'updated' | 'removed', row: MessageRow, siblings: Siblings): Promise<void> {
    const message = messageView(row, siblings);
    if (row.msg_role === 'assistant') {
      const attempt = row.msg_run === null ? undefined : (await this.threads.findAnsweringRun(row.msg_run))?.attempt;
      await this.events.emitEvent(row.msg_thread, {
        kind: 'assistant_message',
        data: { op: 'updated', msg_id: row.msg_id, run_id: row.msg_run, attempt: attempt ?? null, message },
      });
    } else await this.events.emitEvent(row.msg_thread, { kind: 'user_message', data: { op, message } });
  }
}
