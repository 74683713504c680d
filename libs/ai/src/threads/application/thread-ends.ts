import { Injectable } from '@nestjs/common';
import type { Thread } from '../domain/thread';

/** Port: who works in a thread ends it when the thread is deleted, in the same unit of work; the thread is locked. */
export interface ThreadEnd {
  onThreadEnded(thread: Thread): Promise<void>;
}

/** Everybody who works in threads. */
@Injectable()
export class ThreadEnds {
  private readonly ends: ThreadEnd[] = [];

  register(end: ThreadEnd): void {
    this.ends.push(end);
  }

  async notifyEnded(thread: Thread): Promise<void> {
    for (const end of this.ends) await end.onThreadEnded(thread);
  }
}
