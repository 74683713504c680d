import { Injectable } from '@nestjs/common';
import { ThreadAccessSignals } from '../../events/thread-access-signals';
import type { MessageView } from '../../events/thread-event';
import { ThreadEvents } from '../../events/thread-events';
import type { MessageRow } from '../infrastructure/messages.repository';
import type { Thread } from '../domain/thread';
import type { Siblings } from '../infrastructure/messages.repository';

/** Sends what changed in a thread to those who follow it; within the unit of work of the change. */
@Injectable()
export class ThreadNews {
  constructor(
    private readonly events: ThreadEvents,
    private readonly signals: ThreadAccessSignals,
  ) {}

  /** Its status, its sharing or its branch changed; `deleted` ends every stream of it. */
  async changed(thread: Thread, { deleted = false }: { readonly deleted?: boolean } = {}): Promise<void> {
    await this.events.emit(thread.thread_id, {
      kind: 'lock',
      data: {
        locked: thread.isBusy,
        generating_for: thread.thread_generating_for,
        run_id: thread.thread_run,
        msg_id: thread.isBusy ? thread.thread_leaf : null,
        queue: 0,
        since: null,
        thread_status: thread.thread_status,
        thread_share_mode: thread.thread_share_mode,
        ...(deleted ? { closed: 'deleted' as const } : {}),
      },
    });
  }

  /** Somebody may no longer read it. */
  accessChanged({ thread_id }: Thread): void {
    this.signals.changed({ thread_id });
  }

  /** A message was written, changed or removed. */
  async told(op: 'created' | 'updated' | 'removed', row: MessageRow, siblings: Siblings): Promise<void> {
    const message = viewOf(row, siblings);
    if (row.msg_role === 'assistant')
      await this.events.emit(row.msg_thread, {
        kind: 'assistant_message',
        data: { op: 'updated', msg_id: row.msg_id, run_id: row.msg_run, message },
      });
    else await this.events.emit(row.msg_thread, { kind: 'user_message', data: { op, message } });
  }
}

/** A message as somebody sees it who may read all that it rests on; what others may not is taken out for each of them. */
const viewOf = (row: MessageRow, msg_siblings: Siblings): MessageView =>
  ({ ...row, row_version: undefined, msg_siblings, msg_feedback: null }) as unknown as MessageView;
