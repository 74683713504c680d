import { Injectable } from '@nestjs/common';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { RunEvents } from '../../../events/run-events';
import { ThreadEvents, type RunFence } from '../../../events/thread-events';
import type { AssistantMessageEvent, MessageView, ThreadEvent } from '../../../events/thread-event';
import { messageView, shownMessage, type MessageAnswer } from '../../../threads/application/message-reader';
import { MessagesRepository } from '../../../threads/infrastructure/messages.repository';
import type { LockRow } from '../infrastructure/thread-locks.repository';
import type { AnswerChange } from '../domain/answer';
import { isFollowed, type Run } from '../domain/run';

/** Reports what happens to a run; within a unit of work, after the commit. */
@Injectable()
export class RunNotifier {
  constructor(
    private readonly events: ThreadEvents,
    private readonly ofRuns: RunEvents,
    private readonly messages: MessagesRepository,
    private readonly clock: Clock,
  ) {}

  emitEvent(thread_id: string, event: ThreadEvent, fence?: RunFence): Promise<string | null> {
    return this.events.emitEvent(thread_id, event, fence);
  }

  /** At once, for a caller who sends all of the answer again after events that were not stored: null then. The id of the last. */
  sendEvents(thread_id: string, events: readonly ThreadEvent[], fence: RunFence): Promise<string | null> {
    return this.events.sendEvents(thread_id, events, fence);
  }

  /** The same to the client that asked without a thread. */
  sendToAsker(events: readonly JsonObject[], fence: RunFence): Promise<string | null> {
    return this.ofRuns.sendEvents(events, fence);
  }

  /** A run without a thread has ended. Within the unit of work that ends it. */
  announceEnd(run: Run): void {
    if (isFollowed(run)) this.ofRuns.signalEnd(run.run_id);
  }

  /** A message of the thread as events carry it; within a unit of work. */
  async viewMessage(thread_id: string, msg_id: string): Promise<MessageView> {
    const row = await this.messages.findMessageRow(thread_id, msg_id);
    if (!row) throw new Error('A message that is told of is gone.');
    const siblings = await this.messages.findSiblings(thread_id, [row]);
    return messageView(row, siblings(row));
  }

  /** A question is being answered; it is reported itself where it is new. Within the unit of work that wrote both. */
  async announceStart(lock: LockRow, run: Run, asked: MessageAnswer | null): Promise<void> {
    const message = asked && shownMessage(asked);
    const question: ThreadEvent[] = message === null ? [] : [{ kind: 'user_message', data: { op: 'created', message } }];
    await this.events.emitAll(lock.thread_id, [...question, this.lockOf(lock, run)]);
  }

  /** That the thread is locked for a run, or free. */
  private lockOf(lock: LockRow, run: Run | null): ThreadEvent {
    return {
      kind: 'lock',
      data: {
        locked: run !== null,
        generating_for: lock.thread_generating_for,
        run_id: run?.run_id ?? null,
        msg_id: run?.run_message ?? null,
        queue: 0,
        since: run === null ? null : this.clock.now().toISOString(),
        thread_status: lock.thread_status,
        thread_share_mode: lock.thread_share_mode,
      },
    };
  }

  /** The answer is there: what changed of it with its end, the last event of it, and the thread is free. Within a unit of work that sees both. */
  async announceAnswer({ run_id, run_message, run_attempt }: Run, lock: LockRow, changes: readonly AnswerChange[] = []): Promise<void> {
    if (run_message === null) return;
    const { thread_id, thread_title, thread_leaf } = lock;
    const message = await this.viewMessage(thread_id, run_message);
    const of = { msg_id: run_message, run_id, attempt: run_attempt };
    const said = [...changes, { op: 'done' as const, message, thread: { thread_title, thread_leaf } }].map((event): ThreadEvent => ({
      kind: 'assistant_message',
      data: { ...event, ...of } as AssistantMessageEvent,
    }));
    const freed = lock.thread_run === null ? [this.lockOf(lock, null)] : [];
    await this.events.emitAll(thread_id, [...said, ...freed], { run_id, attempt: run_attempt });
  }
}
