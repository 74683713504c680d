import { Injectable } from '@nestjs/common';
import { Database } from '@atrium/platform/database';
import { MessageReader } from '../../../threads/application/message-reader';
import { ThreadsRepository } from '../../../threads/infrastructure/threads.repository';
import { ThreadLocksRepository, type LockRow } from '../infrastructure/thread-locks.repository';

const LONGEST = 80;

type NamedThread = Pick<LockRow, 'thread_id' | 'thread_title' | 'thread_leaf' | 'thread_active'>;

/** Titles of threads that have none: the beginning of the first question. A title that somebody gave is never replaced. */
@Injectable()
export class ThreadTitles {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadsRepository,
    private readonly messages: MessageReader,
    private readonly locks: ThreadLocksRepository,
  ) {}

  async nameThread(thread_id: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await this.db.write(async () => {
      const thread = await this.threads.findRow(thread_id);
      if (thread) await this.giveTitle(thread);
    });
  }

  /** The title of a thread, which is given one if it has none; within the unit of work of its first answer. */
  async giveTitle({ thread_id, thread_title, thread_leaf, thread_active }: NamedThread): Promise<string | null> {
    if (thread_title !== null || thread_leaf === null || !thread_active) return thread_title;
    const title = titleOf(await this.messages.readBeginning(thread_id, thread_leaf));
    return title !== '' && (await this.locks.nameThread(thread_id, title)) ? title : null;
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
