import { Injectable } from '@nestjs/common';
import { withoutForm, type ContentFilter } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidFields } from '@atrium/platform/kernel';
import { PassageSearch, type PassageFilter, type PassageHit, type PassageResult, type SearchMode } from '@atrium/retrieval';
import { BaseAccess } from '../bases/application/base-access';
import { TOP_K, type BaseRetrieval } from '../bases/domain/base-config';
import { scopeOf, type KnowledgeBase } from '../bases/domain/knowledge-base';

/** What a client looks for in a base. */
export interface BaseQuery {
  readonly query: string;
  /** False: the settings of the base are left aside. */
  readonly use_config?: boolean;
  readonly mode?: SearchMode;
  readonly limit?: number;
  readonly similarity_threshold?: number;
  readonly max_per_source?: number;
  readonly neighbors?: number;
  readonly explain?: boolean;
  readonly filter?: {
    readonly source_ids?: readonly string[];
    readonly file_format?: readonly string[];
    readonly language?: readonly string[];
    readonly tags?: readonly string[];
    readonly fields?: ContentFilter;
  };
}

export type ShownHit = Omit<PassageHit, 'explain'> & { readonly explain: PassageHit['explain'] | null };
export type ShownHits = Omit<PassageResult, 'data' | 'dropped'> & { readonly data: readonly ShownHit[] };

/** The search within one base, by its own settings unless the query says otherwise. */
@Injectable()
export class BaseSearch {
  constructor(
    private readonly db: Database,
    private readonly access: BaseAccess,
    private readonly passages: PassageSearch,
  ) {}

  async searchBase(caller: Principal, ds_id: string, wanted: BaseQuery): Promise<ShownHits> {
    const base = await this.db.read(() => this.access.requireReadable(caller, ds_id));
    const retrieval: BaseRetrieval = wanted.use_config === false ? {} : base.config.retrieval;
    const min_score = wanted.similarity_threshold ?? retrieval.similarity_threshold;
    const max_per_source = wanted.max_per_source ?? retrieval.max_per_source;
    const filter = filterOf(base, wanted.filter);
    const {
      data,
      dropped: _,
      ...result
    } = await this.passages.searchPassages({
      actor: caller,
      query: wanted.query,
      scopes: [scopeOf(ds_id)],
      mode: wanted.mode ?? retrieval.mode ?? 'hybrid',
      k: wanted.limit ?? retrieval.top_k ?? TOP_K,
      neighbors: wanted.neighbors ?? retrieval.neighbors ?? 0,
      explain: wanted.explain ?? false,
      ...(min_score === undefined ? {} : { min_score }),
      ...(max_per_source === undefined ? {} : { max_per_source }),
      ...(filter === undefined ? {} : { filter }),
    });
    return { ...result, data: data.map(({ explain, ...hit }) => ({ ...hit, explain: explain ?? null })) };
  }
}

/** Tags and fields are those of the records of the base, so they find records alone. */
function filterOf({ form_id }: KnowledgeBase, filter: BaseQuery['filter']): PassageFilter | undefined {
  if (!filter) return undefined;
  const { fields, tags, ...others } = filter;
  if (fields && form_id === null) throw invalidFields(withoutForm('filter.fields', Object.keys(fields)));
  return { ...others, ...(tags ? { record_tags: tags } : {}), ...(fields ? { record_fields: { form_id, fields } } : {}) };
}
