import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { notFound, Problem } from '@atrium/platform/kernel';
import { Embedder } from '../../embeddings/application/embedder';
import { VectorIndex } from '../../embeddings/application/vector-index';
import type { Near } from '../../embeddings/domain/nearness';
import type { SourceKey } from '../../passages/domain/passage';
import { PASSAGE_VECTORS } from '../../passages/application/passage-vectors';
import { fuseChannels, type Fused } from '../domain/fusion';
import type { Ranked } from '../domain/ranking';
import { SearchRepository, type HitRow, type SearchedSources } from '../infrastructure/search.repository';
import { OpenSourcesOf, type OpenSources } from './open-sources';
import type { NeighborPassage, PassageHit, PassageQuery, PassageResult, SearchMode } from './search-query';
import { TextChannel } from './text-channel';

const DEFAULT_HITS = 10;
const PER_SOURCE = 3;
const [SHALLOWEST, DEEPEST, DEPTH] = [50, 400, 4];
/** So few passages are compared one by one. */
const COMPARED_EXACTLY = 2_000;
/** Nearest passages whose sources are asked about, for each that is wanted. */
const LOOKED_AT = 4;

type QueryVector = NonNullable<Awaited<ReturnType<Embedder['embedQuery']>>>;

/** What one search found before it is shown. */
interface Searched {
  readonly mode: SearchMode;
  readonly model: string | null;
  readonly fallback: PassageResult['fallback'];
  readonly usage: PassageResult['usage'];
}

/**
 * The one search of the product: passages by their words and by their meaning, of the sources that everybody concerned may
 * read at this moment. Called outside of a unit of work, because the query may have to be embedded.
 */
@Injectable()
export class PassageSearch {
  constructor(
    private readonly db: Database,
    private readonly embedder: Embedder,
    private readonly vectors: VectorIndex,
    private readonly sources: OpenSourcesOf,
    private readonly text: TextChannel,
    private readonly rows: SearchRepository,
  ) {}

  async searchPassages(query: PassageQuery): Promise<PassageResult> {
    return this.searchBy(query, await this.vectorOf(query));
  }

  /** The same in several places, one after the other: words that are the same are embedded once. */
  async searchEach(queries: readonly PassageQuery[]): Promise<PassageResult[]> {
    const vectors = new Map<string, QueryVector | null>();
    for (const query of queries)
      if (query.mode !== 'text' && !vectors.has(query.query)) vectors.set(query.query, await this.vectorOf(query));
    const results: PassageResult[] = [];
    for (const query of queries)
      results.push(await this.searchBy(query, query.mode === 'text' ? null : (vectors.get(query.query) ?? null)));
    return results;
  }

  private searchBy(query: PassageQuery, vector: QueryVector | null): Promise<PassageResult> {
    const terms = this.termsOf(query, vector);
    return this.db.read(() => this.found(query, vector, terms));
  }

  private vectorOf({ query, mode }: PassageQuery): Promise<QueryVector | null> {
    return mode === 'text' ? Promise.resolve(null) : this.embedder.embedQuery(query);
  }

  private termsOf(query: PassageQuery, vector: QueryVector | null): Searched {
    const { mode = 'hybrid' } = query;
    const fallback = mode !== 'text' && !vector && /[\p{L}\p{N}]/u.test(query.query) ? 'embedding_unavailable' : null;
    if (fallback && mode === 'vector')
      throw new Problem(
        'upstream_failed',
        'The query cannot be embedded because the embedding provider is unavailable. Search with the mode text, or try again later.',
      );
    return { mode, model: vector?.model ?? null, fallback, usage: { embedding_tokens: vector?.tokens ?? 0 } };
  }

  /** Within a unit of work. */
  private async found(query: PassageQuery, vector: QueryVector | null, searched: Searched): Promise<PassageResult> {
    const open = await this.sources.findOpenSources(query);
    if (open.scopes.length === 0) return this.answer([], new Map(), open, searched, query);
    const extent = await this.rows.measureExtent(open.condition);
    const depth = Math.min(Math.max(DEPTH * (query.k ?? DEFAULT_HITS), SHALLOWEST), DEEPEST);
    const words =
      searched.mode === 'vector' || extent.passages === 0 ? null : await this.text.findPassages(query.query, open, extent, depth);
    const near = vector && extent.passages > 0 ? await this.near(vector, open, extent, depth, query) : null;
    const fused = fuseChannels({
      text: words,
      vector: near?.kept.map(({ id, similarity }) => ({ passage_id: id, similarity })) ?? null,
      knowsMeaning: vector?.knowsMeaning ?? true,
    });
    const answer = await this.answer(fused, new Map(words?.map((ranked) => [ranked.passage_id, ranked])), open, searched, query);
    return query.explain ? { ...answer, dropped: near?.dropped ?? 0 } : answer;
  }

  /** What a citation opens: the passage with those beside it; `not_found` when it is gone or the reader may not read it. */
  getPassage(reader: Principal, passage_id: string, neighbors = 0): Promise<PassageHit> {
    return this.db.read(async () => {
      const open = await this.sources.findReadableSources(reader, await this.rows.listScopesOfPassage(passage_id));
      const row = (await this.rows.findHits([passage_id], open.condition)).get(passage_id);
      if (!row) throw notFound('passage');
      const beside = await this.rows.findNeighbours([row], neighbors);
      return hitOf({ passage_id, score: 1, text_rank: null, vector_rank: null, similarity: null }, row, { n: 1, also: [], beside });
    });
  }

  /** Of the sources those that the reader may read now, as `kind id`; within a unit of work. */
  async findReadableSources(reader: Principal, sources: readonly SourceKey[]): Promise<ReadonlySet<string>> {
    if (sources.length === 0) return new Set();
    const open = await this.sources.findReadableSources(reader, await this.rows.listScopes(sources));
    return new Set((await this.rows.filterSources(sources, open.condition)).map(({ kind, id }) => `${kind} ${id}`));
  }

  /** The nearest from the threshold on, and of those below it how many would have been considered, where that is to be explained. */
  private async near(
    query: QueryVector,
    open: OpenSources,
    extent: SearchedSources,
    limit: number,
    { min_score, explain = false }: PassageQuery,
  ): Promise<{ readonly kept: readonly Near[]; readonly dropped: number }> {
    const threshold = min_score ?? query.threshold;
    const near = await this.nearest(query, open, extent, { limit, threshold: explain ? 0 : threshold });
    const kept = near.filter(({ similarity }) => similarity >= threshold);
    return { kept, dropped: near.length - kept.length };
  }

  /**
   * Few passages are compared one by one. Among many, the nearest of the workspace are found first: where enough of them may
   * be shown, no others are considered.
   */
  private async nearest(
    { vector, model }: QueryVector,
    { condition }: OpenSources,
    { sources, passages }: SearchedSources,
    { limit, threshold }: { readonly limit: number; readonly threshold: number },
  ): Promise<readonly Near[]> {
    const nearness = { model, limit, threshold };
    const among = this.rows.searchedIdsQuery(condition);
    if (sources <= 1 || passages <= COMPARED_EXACTLY)
      return this.vectors.findNearest(PASSAGE_VECTORS, { vector }, { ...nearness, among, exact: true });
    const found = await this.vectors.findNearest(PASSAGE_VECTORS, { vector }, { ...nearness, limit: LOOKED_AT * limit });
    const shown = await this.rows.filterShown(
      found.map(({ id }) => id),
      condition,
    );
    const near = found.filter(({ id }) => shown.has(id));
    const isPgvector = (await this.vectors.getEngine()) === 'pgvector';
    if (near.length >= limit || (!isPgvector && near.length === found.length)) return near.slice(0, limit);
    return this.vectors.findNearest(PASSAGE_VECTORS, { vector }, { ...nearness, among, exact: isPgvector });
  }

  private async answer(
    fused: readonly Fused[],
    words: ReadonlyMap<string, Ranked>,
    open: OpenSources,
    searched: Searched,
    { k = DEFAULT_HITS, max_per_source = PER_SOURCE, neighbors = 0, explain = false }: PassageQuery,
  ): Promise<PassageResult> {
    const { kept, also } = await this.kept(fused, k, max_per_source);
    const rows = await this.rows.findHits(kept.map(({ passage_id }) => passage_id));
    const beside = await this.rows.findNeighbours([...rows.values()], neighbors);
    const data = kept.flatMap((hit, at) => {
      const row = rows.get(hit.passage_id);
      if (!row) return [];
      const shown = hitOf(hit, row, {
        n: at + 1,
        also: also.get(hit.passage_id) ?? [],
        beside: beside.filter((other) => isBeside(other, row, neighbors)),
      });
      const { text_rank, vector_rank } = hit;
      return [explain ? { ...shown, explain: { text_rank, vector_rank, terms: words.get(hit.passage_id)?.terms ?? [] } } : shown];
    });
    return { data, ...searched, engine: await this.vectors.getEngine(), ignored_scopes: open.ignored };
  }

  /** Passages that say the same are one; a source has so many at most. */
  private async kept(fused: readonly Fused[], k: number, most: number) {
    const identities = await this.rows.findIdentities(fused.map(({ passage_id }) => passage_id));
    const [kept, first, also, bySource] = [
      [] as Fused[],
      new Map<string, string>(),
      new Map<string, HitSource[]>(),
      new Map<string, number>(),
    ];
    for (const hit of fused) {
      const { hash, kind, id } = identities.get(hit.passage_id) ?? {};
      if (hash === undefined || kind === undefined || id === undefined) continue;
      const same = first.get(hash);
      if (same !== undefined) {
        also.get(same)?.push({ source_kind: kind, source_id: id });
        continue;
      }
      const source = `${kind} ${id}`;
      const count = bySource.get(source) ?? 0;
      if (count >= most || kept.length >= k) continue;
      bySource.set(source, count + 1);
      first.set(hash, hit.passage_id);
      also.set(hit.passage_id, []);
      kept.push(hit);
    }
    return { kept, also };
  }
}

type HitSource = PassageHit['also_in'][number];

const isBeside = (other: HitRow, { source_kind, source_id, psg_ordinal }: HitRow, reach: number): boolean =>
  other.source_kind === source_kind &&
  other.source_id === source_id &&
  other.psg_ordinal !== psg_ordinal &&
  Math.abs(other.psg_ordinal - psg_ordinal) <= reach;

function hitOf(
  { passage_id, score, similarity }: Fused,
  row: HitRow,
  { n, also, beside }: { readonly n: number; readonly also: readonly HitSource[]; readonly beside: readonly HitRow[] },
): PassageHit {
  return {
    passage_id,
    text: row.psg_text,
    lead: row.psg_lead || null,
    context: row.psg_heading,
    score,
    similarity,
    citation: {
      n,
      source_kind: row.source_kind,
      source_id: row.source_id,
      version_id: row.source_version_id,
      title: row.source_title,
      url: row.source_url,
      page_from: row.psg_page_from,
      page_to: row.psg_page_to,
      char_start: row.psg_char_start,
      char_end: row.psg_char_end,
      version: row.source_version,
      updated: row.source_updated,
    },
    also_in: distinct(also).filter((other) => other.source_id !== row.source_id || other.source_kind !== row.source_kind),
    neighbors: [...beside]
      .sort((a, b) => a.psg_ordinal - b.psg_ordinal)
      .map((other): NeighborPassage => ({ passage_id: other.passage_id, ordinal: other.psg_ordinal, text: other.psg_text })),
  };
}

const distinct = (sources: readonly HitSource[]): HitSource[] => [
  ...new Map(sources.map((source) => [`${source.source_kind} ${source.source_id}`, source])).values(),
];
