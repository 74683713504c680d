import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Problem, type JsonValue } from '@atrium/platform/kernel';
import { PassageSearch } from '@atrium/retrieval';
import { CitationGates, type CitationGate } from '../../../threads/application/citation-gates';
import { MessageReader } from '../../../threads/application/message-reader';
import { ThreadAccess } from '../../../threads/application/thread-access';
import { citationsFor } from '../../../threads/domain/memory-answer';
import type { MessageCitation } from '../../../threads/domain/message';
import { CitedMemoryRows } from '../infrastructure/cited-memories.rows';

/** What became of the source of a citation. */
export type CitationState = 'valid' | 'moved' | 'changed' | 'gone';

/** The current state of one citation. */
export interface CheckedCitation {
  readonly n: number;
  readonly source_kind: string;
  readonly state: CitationState;
  /** The passage that has the quote now. */
  readonly passage_id: string | null;
}

const NEAR = 5;

/** Citations read again: by those who may read their sources, as they are now. */
@Injectable()
export class CitationChecks implements CitationGate, OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly rows: CitedMemoryRows,
    private readonly threads: ThreadAccess,
    private readonly messages: MessageReader,
    private readonly gates: CitationGates,
    private readonly passages: PassageSearch,
  ) {}

  onModuleInit(): void {
    this.gates.register(this);
  }

  /** A passage is shown to those who may read its source now, a memory to its person alone, a page of the web to everybody. */
  async filterReadable(citations: readonly MessageCitation[], caller: Principal): Promise<readonly boolean[]> {
    const passages = citations.filter(({ source_kind }) => source_kind !== 'memory' && source_kind !== 'web');
    const open = await this.passages.findReadableSources(
      caller,
      passages.map(({ source_kind, source_id }) => ({ kind: source_kind, id: textOf(source_id) })),
    );
    const memories = await this.ownMemories(
      caller,
      citations.flatMap(({ source_kind, source_id }) => (source_kind === 'memory' ? [textOf(source_id)] : [])),
    );
    return citations.map(({ source_kind, source_id }) =>
      source_kind === 'web'
        ? true
        : source_kind === 'memory'
          ? memories.has(textOf(source_id))
          : open.has(`${source_kind} ${textOf(source_id)}`),
    );
  }

  async checkCitations(caller: Principal, thread_id: string, msg_id: string): Promise<readonly CheckedCitation[]> {
    const citations = await this.db.read(async () => {
      await this.threads.requireThread(caller, thread_id, 'view');
      return citationsFor(caller.user_id, await this.messages.requireMessage(thread_id, msg_id));
    });
    const checked: CheckedCitation[] = [];
    for (const citation of citations)
      checked.push({ n: citation.n, source_kind: citation.source_kind, ...(await this.stateOf(caller, thread_id, citation)) });
    return checked;
  }

  private async stateOf(
    caller: Principal,
    thread_id: string,
    citation: MessageCitation,
  ): Promise<Pick<CheckedCitation, 'state' | 'passage_id'>> {
    const { source_kind, source_id, passage_id, quote, version } = citation as MessageCitation & Readonly<Record<string, string | null>>;
    // A page is quoted as it was read; it is not read again.
    if (source_kind === 'web') return { state: 'valid', passage_id: null };
    if (source_kind === 'memory') {
      const own = await this.db.read(() => this.ownMemories(caller, [textOf(source_id)]));
      return { state: own.has(textOf(source_id)) ? 'valid' : 'gone', passage_id: null };
    }
    const words = quote ?? '';
    const same = typeof passage_id === 'string' ? await this.passages.getPassage(caller, passage_id).catch(unlessMissing) : null;
    if (same?.text.includes(words)) return { state: same.citation.version === version ? 'valid' : 'moved', passage_id: same.passage_id };
    for (const scopes of [null, [`thread:${thread_id}`]]) {
      const { data } = await this.passages.searchPassages({
        actor: caller,
        query: words,
        mode: 'text',
        k: NEAR,
        max_per_source: NEAR,
        scopes,
        filter: { source_ids: [textOf(source_id)] },
      });
      const found = data.find(({ text }) => text.includes(words));
      if (found) return { state: 'moved', passage_id: found.passage_id };
    }
    const isThere = await this.db.read(() => this.passages.findReadableSources(caller, [{ kind: source_kind, id: textOf(source_id) }]));
    return { state: isThere.size > 0 ? 'changed' : 'gone', passage_id: null };
  }

  private async ownMemories({ user_id }: Principal, mem_ids: readonly string[]): Promise<ReadonlySet<string>> {
    return mem_ids.length === 0 ? new Set() : this.rows.filterMemoriesOf(user_id, mem_ids);
  }
}

function unlessMissing(error: unknown): null {
  if (error instanceof Problem && error.code === 'not_found') return null;
  throw error;
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');
