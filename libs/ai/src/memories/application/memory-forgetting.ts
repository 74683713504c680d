import { Injectable } from '@nestjs/common';
import { PersonDataSources, type PersonRun } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import { ThreadEvents } from '../../events/thread-events';
import { MemoriesRepository } from '../infrastructure/memories.repository';
import { MemoryCopies } from '../infrastructure/memory-copies.rows';
import { forgetCopies } from '../jobs/memories.jobs';
import { MemoryVectors } from './memory-vectors';

const RUNS_AT_ONCE = 20;

type Run = Pick<PersonRun, 'signal' | 'heartbeat'>;

/**
 * What goes with a memory: what is searched by meaning at once, and the copies that runs and answers hold right after, in
 * stretches. An erasure of the person does the same before it goes on.
 */
@Injectable()
export class MemoryForgetting {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly memories: MemoriesRepository,
    private readonly copies: MemoryCopies,
    private readonly vectors: MemoryVectors,
    private readonly events: ThreadEvents,
    private readonly outbox: Outbox,
  ) {
    sources.handle('memory', {
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.erase(user_id, run)),
    });
  }

  /** Within the unit of work that removes the memories. */
  async forget(mem_user: string, mem_ids: readonly string[]): Promise<void> {
    if (mem_ids.length === 0) return;
    await this.vectors.forget(mem_ids);
    this.outbox.add(job(forgetCopies, { mem_user, mem_ids: [...mem_ids] }));
  }

  /** Blanks the copies; a run that is not over is looked at again a minute later. */
  async blankCopies(mem_user: string, mem_ids: readonly string[], run: Run): Promise<void> {
    let isOpen = false;
    for (let left = true; left;) {
      run.signal.throwIfAborted();
      const blanked = await this.db.write(async () => {
        const some = await this.copies.blank(mem_user, mem_ids, RUNS_AT_ONCE);
        for (const thread_id of some.threads) this.events.forget(thread_id);
        return some;
      });
      isOpen ||= blanked.isOpen;
      left = blanked.left;
      await run.heartbeat();
    }
    if (!isOpen) return;
    await this.db.write(() =>
      Promise.resolve(void this.outbox.add(job(forgetCopies, { mem_user, mem_ids: [...mem_ids] }, { delayMs: MINUTE }))),
    );
  }

  /** Copies first: without the memory nobody would know any more whose they are. */
  private async erase(mem_user: string, run: Run): Promise<number> {
    const mem_ids = await this.db.read(() => this.memories.idsOf(mem_user));
    if (mem_ids.length > 0) await this.blankCopies(mem_user, mem_ids, run);
    return this.db.write(async () => {
      const removed = await this.memories.removeAll(mem_user);
      await this.vectors.forget(removed);
      return removed.length;
    });
  }
}
