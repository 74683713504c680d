import { Injectable } from '@nestjs/common';
import { loadTokenCount } from '@atrium/models';
import { Database } from '@atrium/platform/database';
import { saysAll, spokenValue, type MemoryType } from '../domain/memory';
import { MemoriesRepository, type ActiveMemory } from '../infrastructure/memories.repository';
import { MemoriesService, type WrittenMemory } from './memories.service';
import { MemoryForgetting } from './memory-forgetting';
import { MemoryVectors } from './memory-vectors';

/** Tokens of a model's input that memories may take. */
const MOST_TOKENS = 2_000;

/** What an agent writes down of who asks. */
export interface Remark {
  readonly value: string;
  readonly type?: MemoryType;
  readonly thread: string | null;
  /** Whether the run had read text of strangers. */
  readonly tainted: boolean;
}

/** What was forgotten. */
export interface Forgotten {
  readonly values: readonly string[];
  /** Whether text of strangers may be among it. */
  readonly tainted: boolean;
}

/** A person's memories for the runs of that person. */
@Injectable()
export class Memories {
  constructor(
    private readonly db: Database,
    private readonly repository: MemoriesRepository,
    private readonly service: MemoriesService,
    private readonly vectors: MemoryVectors,
    private readonly forgetting: MemoryForgetting,
  ) {}

  /**
   * What an answer to the question may rest on: preferences, the newest first, then facts and contexts, the most similar to the
   * question first, as many as the tokens hold. Outside of any unit of work: the question may be embedded by a provider.
   */
  async listMemoriesForRun(user: string, question: string, most = MOST_TOKENS): Promise<readonly ActiveMemory[]> {
    const active = await this.repository.listActive(user);
    const others = active.filter(({ mem_type }) => mem_type !== 'preference');
    const likeness =
      others.length > 0 && question.trim() !== '' ? await this.vectors.measureLikeness(user, question) : new Map<string, number>();
    const likest = [...others].sort((a, b) => (likeness.get(b.mem_id) ?? 0) - (likeness.get(a.mem_id) ?? 0));
    return within(most, [...active.filter(({ mem_type }) => mem_type === 'preference'), ...likest]);
  }

  /** Those of the memories that are still there; none of them goes before the unit of work ends. */
  holdThose(mem_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.repository.holdThose(mem_ids);
  }

  /** A run of the person is over, within the unit of work that ends it: it may have written down what is gone by now. */
  runEnds(user: string): Promise<void> {
    return this.forgetting.runEnds(user);
  }

  /** Writes down what an agent learned; a text that is known already stays one memory, and is used again where the person had switched it off. */
  async rememberFact(user: string, { value, type = 'fact', thread, tainted }: Remark): Promise<WrittenMemory> {
    return this.db.write(async () => {
      const written = await this.service.writeMemory(
        user,
        { mem_value: spokenValue(value), mem_type: type },
        { mem_source: 'assistant', mem_thread: thread, mem_tainted: tainted },
      );
      if (written.memory.mem_active) return written;
      await this.repository.activateMemory(written.memory.mem_id);
      return { ...written, memory: { ...written.memory, mem_active: true } };
    });
  }

  /** Forgets what says every word of the query; what it was, the newest first. */
  forgetMatching(user: string, query: string): Promise<Forgotten> {
    return this.db.write(async () => {
      const meant = (await this.repository.listActive(user)).filter(({ mem_value }) => saysAll(mem_value, query));
      await this.service.removeAll(
        user,
        meant.map(({ mem_id }) => mem_id),
      );
      return { values: meant.map(({ mem_value }) => mem_value), tainted: meant.some(({ mem_tainted }) => mem_tainted) };
    });
  }
}

async function within(most: number, memories: readonly ActiveMemory[]): Promise<ActiveMemory[]> {
  if (memories.length === 0) return [];
  const count = await loadTokenCount();
  let left = most;
  return memories.filter(({ mem_value }) => {
    const tokens = count(mem_value);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
