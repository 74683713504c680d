import type { Principal } from '@atrium/platform/access';

export type SearchMode = 'hybrid' | 'text' | 'vector';

/** Which sources count; a filter that a kind of sources does not know leaves its sources out. */
export interface PassageFilter {
  readonly source_ids?: readonly string[];
  /** By ISO 639-1. */
  readonly language?: readonly string[];
  /** Filters of kinds: `file_format`, `folder`, `tags`, `fields` … */
  readonly [name: string]: unknown;
}

/** What is searched for, where and by whom. */
export interface PassageQuery {
  /** Whose rights count; nobody (null) searches the named scopes without anything that bears an access list. */
  readonly actor: Principal | null;
  /** Who is shown what is found, when it is somebody else: what they may not read is left out. */
  readonly audience?: Principal | null;
  readonly query: string;
  /** Keys of scopes; without them all that the actor may search. */
  readonly scopes?: readonly string[] | null;
  readonly ds_ids?: readonly string[];
  readonly folder_ids?: readonly string[];
  readonly file_ids?: readonly string[];
  readonly thread_id?: string | null;
  readonly k?: number;
  /** Likeness below which the vector channel leaves a passage out; the model's own where it is absent. */
  readonly min_score?: number | null;
  readonly filter?: PassageFilter;
  readonly mode?: SearchMode;
  readonly max_per_source?: number;
  /** Passages beside each hit, on either side. */
  readonly neighbors?: number;
  readonly explain?: boolean;
}

/** The place of the text of a hit: what a citation shows and opens. */
export interface Citation {
  readonly n: number;
  readonly source_kind: string;
  readonly source_id: string;
  readonly version_id: string | null;
  readonly title: string;
  readonly url: string | null;
  readonly page_from: number | null;
  readonly page_to: number | null;
  readonly char_start: number;
  readonly char_end: number;
  readonly version: string | null;
  readonly updated: string;
}

export interface NeighborPassage {
  readonly passage_id: string;
  readonly ordinal: number;
  readonly text: string;
}

export interface PassageHit {
  readonly passage_id: string;
  /** The exact text of the source. */
  readonly text: string;
  /** The header row of the table that the text goes on with; null where it does not. */
  readonly lead: string | null;
  /** The headings above it, `A › B`. */
  readonly context: string;
  readonly score: number;
  /** Cosine of query and passage; null where the vector channel did not find it. */
  readonly similarity: number | null;
  readonly citation: Citation;
  /** Other sources that hold the same text. */
  readonly also_in: readonly { readonly source_kind: string; readonly source_id: string }[];
  readonly neighbors: readonly NeighborPassage[];
  readonly explain?: {
    readonly text_rank: number | null;
    readonly vector_rank: number | null;
    readonly terms: readonly string[];
  };
}

export interface PassageResult {
  readonly data: readonly PassageHit[];
  readonly mode: SearchMode;
  readonly engine: 'pgvector' | 'sql';
  /** What embedded the query; null when nothing did. */
  readonly model: string | null;
  /** Why a channel is missing that was asked for. */
  readonly fallback: 'embedding_unavailable' | null;
  readonly ignored_scopes: readonly string[];
  /** What the search cost: tokens that a provider counted for embedding the query; 0 where it was known or made here. */
  readonly usage: { readonly embedding_tokens: number };
  /** With `explain`: passages among the nearest that the threshold left out. */
  readonly dropped?: number;
}
