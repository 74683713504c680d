import { Injectable } from '@nestjs/common';
import { invalidState } from '@atrium/platform/kernel';
import type { Thread } from '../domain/thread';
import { ThreadsRepository } from '../infrastructure/threads.repository';

/**
 * A thread of one person opens to others. Not while an answer is being written that was given memories, or may still be given some:
 * what is said to one person would be heard by those who come in. What the answer was given counts, not how the thread is set by now.
 * The thread is locked, so that no such run begins in the meantime.
 */
@Injectable()
export class ThreadOpening {
  constructor(private readonly threads: ThreadsRepository) {}

  /** Remembers who reads the thread; what it answers refuses the change where it lets others listen. Within the unit of work of the change. */
  guardOpening(thread: Thread): () => Promise<void> {
    const { thread_user: owner, thread_run } = thread;
    if (owner === null || thread_run === null || !thread.isReadByNobodyBut(owner)) return () => Promise.resolve();
    return async () => {
      if (thread.isReadByNobodyBut(owner) || !(await this.threads.hasAnswerFromMemories(thread_run))) return;
      throw invalidState(
        'An answer that may use memories is being written. Share the thread once the answer is complete, or stop it first.',
      );
    };
  }
}
