import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import { alreadyRemembered, hashOf, Memory, MOST_MEMORIES, tooManyMemories, type MemoryFacts, type MemorySource } from '../domain/memory';
import { MemoriesRepository, type MemoryRow } from '../infrastructure/memories.repository';
import { indexMemory } from '../jobs/memories.jobs';
import { MemoryForgetting } from './memory-forgetting';

/** A memory that was written down, or that was there already. */
export interface WrittenMemory {
  readonly memory: MemoryRow;
  readonly isNew: boolean;
}

/** By whom and where something is written down. */
export interface MemoryOrigin {
  readonly mem_source: MemorySource;
  readonly mem_thread: string | null;
  /** Whether text of strangers may have worded it. */
  readonly mem_tainted: boolean;
}

const BY_THE_PERSON: MemoryOrigin = { mem_source: 'user', mem_thread: null, mem_tainted: false };

/** A person's own memories. Those of others are not there for anybody else. */
@Injectable()
export class MemoriesService {
  constructor(
    private readonly db: Database,
    private readonly memories: MemoriesRepository,
    private readonly forgetting: MemoryForgetting,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list({ user_id }: Principal, query: ListParameters): Promise<Page<MemoryRow>> {
    return this.db.read(() => this.memories.listMemories(user_id, query));
  }

  create({ user_id }: Principal, facts: MemoryFacts & { readonly mem_value: string }): Promise<WrittenMemory> {
    return this.writeMemory(user_id, facts, BY_THE_PERSON);
  }

  /** Writes something down, unless the person has a memory with the text. */
  writeMemory(user: string, facts: MemoryFacts & { readonly mem_value: string }, origin: MemoryOrigin): Promise<WrittenMemory> {
    return this.db.write(async () => {
      await this.memories.lockMemoriesOf(user);
      const known = await this.memories.findByHash(user, hashOf(facts.mem_value));
      if (known !== null) return { memory: await this.answer(user, known), isNew: false };
      if ((await this.memories.countMemories(user)) >= MOST_MEMORIES) throw tooManyMemories();
      const memory = this.blank(user, origin);
      memory.describe(facts, this.clock);
      await this.memories.insert(memory);
      this.outbox.addJob(planJob(indexMemory, { mem_id: memory.mem_id }));
      return { memory: await this.answer(user, memory.mem_id), isNew: true };
    });
  }

  change({ user_id }: Principal, mem_id: string, facts: MemoryFacts, precondition?: Precondition): Promise<MemoryRow> {
    return this.db.write(async () => {
      await this.memories.lockMemoriesOf(user_id);
      const memory = await this.lock(user_id, mem_id, precondition);
      const isAnother = memory.describe(facts, this.clock);
      const same = await this.memories.findByHash(user_id, memory.mem_hash);
      if (same !== null && same !== mem_id) throw alreadyRemembered();
      await this.memories.save(memory);
      if (isAnother) this.outbox.addJob(planJob(indexMemory, { mem_id }));
      return this.answer(user_id, mem_id);
    });
  }

  remove({ user_id }: Principal, mem_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const memory = await this.lock(user_id, mem_id, precondition);
      await this.memories.remove(memory);
      await this.forgetting.forgetMemories(user_id, [memory]);
    });
  }

  /** Removes all of a person's memories, or those among the ids; how many there were. */
  removeAll(user: string, mem_ids: readonly string[] | null = null): Promise<number> {
    return this.db.write(async () => {
      const removed = await this.memories.removeAll(user, mem_ids);
      await this.forgetting.forgetMemories(user, removed);
      return removed.length;
    });
  }

  private lock(user: string, mem_id: string, precondition?: Precondition): Promise<Memory> {
    return this.memories.lock(mem_id, precondition, ({ mem_user }) => {
      if (mem_user !== user) throw notFound('memory');
    });
  }

  private blank(mem_user: string, origin: MemoryOrigin): Memory {
    const now = this.clock.now();
    return Memory.blank({ mem_id: this.ids.next(), mem_user, ...origin }, now);
  }

  private async answer(user: string, mem_id: string): Promise<MemoryRow> {
    const row = await this.memories.findMemoryRow(user, mem_id);
    if (!row) throw notFound('memory');
    return row;
  }
}
