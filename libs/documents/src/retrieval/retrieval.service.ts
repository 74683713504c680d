import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { JsonObject } from '@atrium/platform/kernel';
import type { Job } from '@atrium/platform/messaging';
import {
  Embedder,
  PassageReindexing,
  PassageSearch,
  PassageUpkeep,
  VectorIndex,
  type IndexCounts,
  type PassageHit,
  type PassageResult,
  type SearchMode,
} from '@atrium/retrieval';

/** What a client looks for. */
export interface Wanted {
  readonly query: string;
  readonly scopes?: readonly string[];
  readonly mode?: SearchMode;
  readonly limit?: number;
  readonly similarity_threshold?: number;
  readonly max_per_source?: number;
  readonly neighbors?: number;
  readonly explain?: boolean;
  readonly filter?: {
    readonly source_ids?: readonly string[];
    readonly file_format?: readonly string[];
    readonly tags?: JsonObject;
    readonly folder?: string;
    readonly fields?: JsonObject;
    readonly language?: readonly string[];
  };
}

/** A passage as clients see it. */
export type ShownPassage = Omit<PassageHit, 'explain'> & { readonly explain: PassageHit['explain'] | null };

export type ShownResult = Omit<PassageResult, 'data' | 'dropped'> & {
  readonly data: readonly ShownPassage[];
  readonly dropped: number | null;
};

export type IndexStatus = Omit<IndexCounts, 'models'> & {
  readonly engine: string;
  readonly model: string;
  readonly stale_models: readonly string[];
};

export interface Reindexed {
  readonly scope?: string;
  readonly source_ids?: readonly string[];
  readonly only?: 'failed' | 'stale' | 'all';
}

/** The search of passages for clients, and the state of its index for administrators. */
@Injectable()
export class RetrievalService {
  constructor(
    private readonly passages: PassageSearch,
    private readonly upkeep: PassageUpkeep,
    private readonly reindexing: PassageReindexing,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
  ) {}

  async searchPassages(caller: Principal, { limit, similarity_threshold, filter, ...wanted }: Wanted): Promise<ShownResult> {
    const {
      data,
      dropped = null,
      ...result
    } = await this.passages.searchPassages({
      ...wanted,
      actor: caller,
      ...(filter === undefined ? {} : { filter: { ...filter } }),
      ...(limit === undefined ? {} : { k: limit }),
      ...(similarity_threshold === undefined ? {} : { min_score: similarity_threshold }),
    });
    return { ...result, data: data.map(shown), dropped };
  }

  async getPassage(caller: Principal, passage_id: string, neighbors?: number): Promise<ShownPassage> {
    return shown(await this.passages.getPassage(caller, passage_id, neighbors));
  }

  async getStatus(): Promise<IndexStatus> {
    const { models, ...counts } = await this.upkeep.countIndex();
    const { model } = await this.embedder.getCurrentModel();
    return { engine: await this.vectors.getEngine(), model, ...counts, stale_models: models.filter((other) => other !== model) };
  }

  startReindexing({ scope, source_ids, only = 'stale' }: Reindexed): Promise<Job> {
    return this.reindexing.startReindexing({
      only,
      ...(scope === undefined ? {} : { scope }),
      ...(source_ids === undefined ? {} : { source_ids: [...source_ids] }),
    });
  }
}

const shown = ({ explain, ...hit }: PassageHit): ShownPassage => ({ ...hit, explain: explain ?? null });
