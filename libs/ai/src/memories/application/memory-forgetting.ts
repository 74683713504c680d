import { Injectable } from '@nestjs/common';
import { LegalHolds, PersonDataSources, type PersonRun } from '@atrium/governance';
import { Database } from '@atrium/platform/database';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { ThreadEvents } from '../../events/thread-events';
import { ForgottenMemories, type ForgottenMemory } from '../infrastructure/forgotten-memories.rows';
import { MemoriesRepository, type RemovedMemory } from '../infrastructure/memories.repository';
import { MemoryCopies, type BlankedRuns } from '../infrastructure/memory-copies.rows';
import { forgetCopies, type ForgettingPlace } from '../jobs/memories.jobs';
import { MemoryVectors } from './memory-vectors';

const RUNS_AT_ONCE = 20;
/** As many as fit well into the time of a job. */
const STRETCHES_OF_JOB = 200;

interface Copies {
  readonly mem_user: string;
  readonly mem_ids: readonly string[];
  readonly from?: ForgettingPlace | undefined;
}

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
    sources.registerTableHandler('memory', {
      deletes: true,
      erase: ({ user_id }) => (user_id === null ? Promise.resolve(0) : this.erase(user_id)),
    });
    sources.registerTableHandler('memory_forgotten', {
      deletes: true,
      erase: ({ user_id }, run) => (user_id === null ? Promise.resolve(0) : this.blankCopies(user_id, [], run)),
    });
  }

  /** Within the unit of work that removes the memories. */
  async forgetMemories(mem_user: string, removed: readonly RemovedMemory[]): Promise<void> {
    if (removed.length === 0) return;
    await this.note(mem_user, removed);
    this.addJob(mem_user);
  }

  /**
   * Blanks the copies of all memories of the person that are gone; of how many none is left. What a run says that is not over is looked
   * at again when it is, and what a legal hold keeps when that hold ends.
   */
  blankCopies(mem_user: string, mem_ids: readonly string[], run: Run): Promise<number> {
    return this.blankBatch({ mem_user, mem_ids }, run, Infinity);
  }

  /** The same, as much as fits into one job; another one goes on with the rest. */
  async blankBatch({ mem_user, mem_ids, from }: Copies, run: Run, most = STRETCHES_OF_JOB): Promise<number> {
    const memories = await this.db.write(async () => {
      if (!from) await this.forgotten.addUnworded(mem_user, mem_ids);
      await this.forgotten.noteWordings(mem_user);
      return (await this.forgotten.findForgotten(mem_user)).filter(({ mem_id }) => !from || mem_ids.includes(mem_id));
    });
    if (memories.length === 0) return 0;
    const ids = memories.map(({ mem_id }) => mem_id);
    const threads = await this.db.read(() => this.copies.findThreads(mem_user, ids));
    let [leaves, left] = [from?.leaves ?? false, most];
    for (const thread_id of threads.filter((id) => !from || id >= from.thread_id)) {
      for (let after = from?.thread_id === thread_id ? from.run_id : null; ;) {
        if (left-- === 0) return this.resumeFrom(mem_user, ids, { thread_id, run_id: after, leaves });
        const blanked: BlankedRuns = await this.blankRuns(mem_user, thread_id, memories, { after, run });
        leaves ||= blanked.isOpen || blanked.isHeld;
        if (blanked.next === null) break;
        after = blanked.next;
      }
    }
    return this.db.write(async () => {
      await this.holds.blockNewHolds();
      return leaves || (await this.holds.isHeld('user', mem_user)) ? 0 : this.forgotten.deleteForgotten(mem_user, ids);
    });
  }

  /** A run of the person is over, within the unit of work that ends it: what is gone may be in what it has written since. */
  async runEnds(mem_user: string): Promise<void> {
    if (await this.forgotten.hasAny(mem_user)) this.addJob(mem_user);
  }

  /** Takes up what was left of the copies of the workspace. */
  resumeForgetting(): Promise<void> {
    return this.db.write(async () => {
      for (const mem_user of await this.forgotten.findPeople()) this.addJob(mem_user);
    });
  }

  private async blankRuns(
    mem_user: string,
    thread_id: string,
    memories: readonly ForgottenMemory[],
    { after, run }: { readonly after: string | null; readonly run: Run },
  ): Promise<BlankedRuns> {
    run.signal.throwIfAborted();
    const blanked = await this.db.write(async () => {
      await this.holds.blockNewHolds();
      const some = await this.copies.blankCopies(mem_user, thread_id, memories, { after, most: RUNS_AT_ONCE });
      if (some.isChanged) this.events.deleteEvents(thread_id);
      return some;
    });
    await run.heartbeat();
    return blanked;
  }

  private resumeFrom(mem_user: string, mem_ids: readonly string[], from: ForgettingPlace): Promise<number> {
    return this.db.write(() => {
      this.outbox.addJob(planJob(forgetCopies, { mem_user, mem_ids: [...mem_ids], from }));
      return Promise.resolve(0);
    });
  }

  private addJob(mem_user: string): void {
    this.outbox.addJob(planJob(forgetCopies, { mem_user, mem_ids: [] }));
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
    await this.forgotten.insertForgotten(mem_user, removed);
    await this.vectors.deleteVectors(removed.map(({ mem_id }) => mem_id));
  }
}
