import { Injectable } from '@nestjs/common';
import { OwnedFiles } from '@atrium/files';
import { ThreadEvents } from '../../events/thread-events';
import { RemovedThreadRows } from '../infrastructure/removed-threads.rows';
import { ThreadPresenceRows } from '../infrastructure/thread-presence.rows';

/** Removes threads for good: with their messages, runs and streams, and their own files to the trash. */
@Injectable()
export class ThreadRemoval {
  constructor(
    private readonly rows: RemovedThreadRows,
    private readonly presence: ThreadPresenceRows,
    private readonly files: OwnedFiles,
    private readonly events: ThreadEvents,
  ) {}

  /** Within the unit of work that has locked them. */
  async removeThreads(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const owning = await this.rows.filterOwningFiles(ids);
    // Runs go with the messages and threads that they are of.
    await this.rows.deleteMessages(ids);
    await this.presence.deletePresence(ids);
    await this.rows.deleteThreads(ids);
    for (const thread_id of owning) await this.files.onOwnerDeleted({ type: 'thread', id: thread_id });
    for (const thread_id of ids) this.events.deleteEvents(thread_id);
  }
}
