import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonRun } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { MINUTE } from '@atrium/platform/kernel';
import { job, Outbox } from '@atrium/platform/messaging';
import { ThreadEvents } from '../../events/thread-events';
import { ForgottenMemories, type ForgottenMemory } from '../infrastructure/forgotten-memories.rows';
import { MemoriesRepository, type RemovedMemory } from '../infrastructure/memories.repository';
import { MemoryCopies, type BlankedRuns } from '../infrastructure/memory-copies.rows';
import { forgetCopies } from '../jobs/memories.jobs';
import { MemoryVectors } from './memory-vectors';

const RUNS_AT_ONCE = 20;

type Run = Pick<PersonRun, 'signal' | 'heartbeat'>;

/**
 * What goes with a memory: what is searched by meaning at once, and the copies that runs and answers hold right after, in
 * stretches. An erasure of the person does the same before it goes on. A text is kept, as that of a memory that is gone, until no copy
 * of it is left.
 */
@Injectable()
export class MemoryForgetting {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly memories: MemoriesRepository,
    private readonly forgotten: ForgottenMemories,
    private readonly copies: MemoryCopies,
    private readonly holds: LegalHolds,
    private readonly vectors: MemoryVectors,
    private readonly events: ThreadEvents,
    private readonly outbox: Outbox,
  ) {
    sources.handle('memory', {
      deletes: true,
      erase: ({ user_id }) => (user_id === null ? Promise.resolve(0) : this.erase(user_id)),
    });
    sources.handle('memory_forgotten', {
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.blankCopies(user_id, [], run)),
    });
  }

  /** Within the unit of work that removes the memories. */
  async forget(mem_user: string, removed: readonly RemovedMemory[]): Promise<void> {
    if (removed.length === 0) return;
    await this.note(mem_user, removed);
    this.outbox.add(job(forgetCopies, { mem_user, mem_ids: [] }));
  }

  /**
   * Blanks the copies of all memories of the person that are gone; of how many none is left. A run that is not over is looked at again
   * a minute later, and what a legal hold keeps when that hold ends.
   */
  async blankCopies(mem_user: string, mem_ids: readonly string[], run: Run): Promise<number> {
    const memories = await this.db.write(async () => {
      await this.forgotten.addUnworded(mem_user, mem_ids);
      return this.forgotten.of(mem_user);
    });
    if (memories.length === 0) return 0;
    const ids = memories.map(({ mem_id }) => mem_id);
    let [isOpen, isHeld] = [false, false];
    for (const thread_id of await this.db.read(() => this.copies.threads(mem_user, ids))) {
      const blanked = await this.blankThread(mem_user, thread_id, memories, run);
      isOpen ||= blanked.isOpen;
      isHeld ||= blanked.isHeld;
    }
    return this.db.write(async () => {
      await this.holds.settle();
      if (isOpen) this.outbox.add(job(forgetCopies, { mem_user, mem_ids: [] }, { delayMs: MINUTE }));
      return isOpen || isHeld || (await this.holds.isHeld('user', mem_user)) ? 0 : this.forgotten.remove(mem_user, ids);
    });
  }

  /** Takes up what a legal hold has kept. */
  goOn(): Promise<void> {
    return this.db.write(async () => {
      for (const mem_user of await this.forgotten.people()) this.outbox.add(job(forgetCopies, { mem_user, mem_ids: [] }));
    });
  }

  private async blankThread(
    mem_user: string,
    thread_id: string,
    memories: readonly ForgottenMemory[],
    run: Run,
  ): Promise<Pick<BlankedRuns, 'isOpen' | 'isHeld'>> {
    let isOpen = false;
    for (let after: string | null = null; ;) {
      run.signal.throwIfAborted();
      const blanked: BlankedRuns = await this.db.write(async () => {
        await this.holds.settle();
        const some = await this.copies.blank(mem_user, thread_id, memories, { after, most: RUNS_AT_ONCE });
        if (!some.isHeld) this.events.forget(thread_id);
        return some;
      });
      await run.heartbeat();
      isOpen ||= blanked.isOpen;
      if (blanked.next === null) return { isOpen, isHeld: blanked.isHeld };
      after = blanked.next;
    }
  }

  /** The copies follow: until none is left, the text is known as that of a memory that is gone. */
  private erase(mem_user: string): Promise<number> {
    return this.db.write(async () => {
      const removed = await this.memories.removeAll(mem_user);
      await this.note(mem_user, removed);
      return removed.length;
    });
  }

  private async note(mem_user: string, removed: readonly RemovedMemory[]): Promise<void> {
    await this.forgotten.add(mem_user, removed);
    await this.vectors.forget(removed.map(({ mem_id }) => mem_id));
  }
}
