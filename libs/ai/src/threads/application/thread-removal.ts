import { Injectable } from '@nestjs/common';
import { OwnedFiles } from '@atrium/files';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { ThreadEvents } from '../../events/thread-events';

/** Removes threads for good: with their messages, runs and streams, and their own files to the trash. */
@Injectable()
export class ThreadRemoval {
  constructor(
    private readonly db: Database,
    private readonly files: OwnedFiles,
    private readonly events: ThreadEvents,
  ) {}

  /** Within the unit of work that has locked them. */
  async removeThreads(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const owning = await tx.query<{ thread_id: string }>(sql`
      SELECT i.thread_id FROM unnest(${[...ids]}::uuid[]) AS i (thread_id) WHERE EXISTS (SELECT FROM file f WHERE f.tenant_id = ${tenant_id} AND f.repo_key = 'thread:' || i.thread_id)`);
    // Runs go with the messages and threads that they are of.
    await tx.execute(sql`DELETE FROM message WHERE tenant_id = ${tenant_id} AND msg_thread = ANY(${[...ids]}::uuid[])`);
    await tx.execute(sql`DELETE FROM thread_presence WHERE tenant_id = ${tenant_id} AND thread_id = ANY(${[...ids]}::uuid[])`);
    await tx.execute(sql`DELETE FROM thread WHERE tenant_id = ${tenant_id} AND thread_id = ANY(${[...ids]}::uuid[])`);
    for (const { thread_id } of owning) await this.files.ownerDeleted({ type: 'thread', id: thread_id });
    for (const thread_id of ids) this.events.deleteEvents(thread_id);
  }
}
