import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { MessageReader } from '../../threads/application/message-reader';
import { ThreadsRepository } from '../../threads/infrastructure/threads.repository';
import { ThreadLocksRepository } from '../infrastructure/thread-locks.repository';

const LONGEST = 80;

/** Titles of threads that have none: the beginning of the first question. A title that somebody gave is never replaced. */
@Injectable()
export class ThreadTitles {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly messages: MessageReader,
    private readonly locks: ThreadLocksRepository,
  ) {}

  async name(thread_id: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.db.write(async () => {
      const thread = await this.threads.find(thread_id);
      if (!thread || thread.thread_title !== null || thread.thread_leaf === null) return;
      const title = titleOf(await this.messages.beginningOf(thread_id, thread.thread_leaf));
      if (title !== '') await this.locks.name(thread_id, title);
    });
  }
}

/** The first sentence of a text, cut between words where it is long. */
export function titleOf(text: string): string {
  const [sentence = ''] = text
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?])\s/);
  if (sentence.length <= LONGEST) return sentence;
  const cut = sentence.slice(0, LONGEST);
  const kept = cut.includes(' ') ? cut.slice(0, cut.lastIndexOf(' ')) : cut.replace(/[\ud800-\udbff]$/, '');
  return `${kept}…`;
}
