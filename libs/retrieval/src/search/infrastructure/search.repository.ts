import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Choice, Frequencies, ReadChoice } from '../domain/choice';
import type { Places, RankedPassage } from '../domain/ranking';

/** How much is searched: of sources that have passages; those that are still to be read have none. */
export interface SearchedSources {
  readonly sources: number;
  readonly passages: number;
  readonly languages: readonly string[];
  /** Whether these are all that are searched. */
  readonly is_whole: boolean;
  /** Which they are; null where there are many. */
  readonly source_ids: readonly string[] | null;
}

/** Which passages are fetched to be ranked, and what of their words. */
export interface TextCandidates extends Choice {
  readonly lexemes: readonly string[];
  readonly scopes: readonly string[];
  readonly source_ids: readonly string[] | null;
  readonly most: number;
}

/** A passage with its source, as a hit shows it. */
export interface HitRow {
  readonly passage_id: string;
  readonly psg_text: string;
  readonly psg_lead: string;
  readonly psg_heading: string;
  readonly psg_hash: string;
  readonly psg_ordinal: number;
  readonly psg_tokens: number;
  readonly psg_page_from: number | null;
  readonly psg_page_to: number | null;
  readonly psg_char_start: number;
  readonly psg_char_end: number;
  readonly source_kind: string;
  readonly source_id: string;
  readonly source_title: string;
  readonly source_url: string | null;
  readonly source_lang: string | null;
  readonly source_version: string | null;
  readonly source_version_id: string | null;
  readonly source_updated: string;
}

/** Null in all but `seen` where nothing may be shown. */
interface CandidateRow {
  readonly passage_id: string | null;
  readonly psg_length: number | null;
  readonly lexemes: readonly string[] | null;
  readonly positions: readonly (readonly number[])[] | null;
  readonly weights: readonly (readonly string[])[] | null;
  readonly seen: number;
}

/** Sources counted at most to know how much is searched. */
const COUNTED = 10_000;
/** So few sources are named one by one. */
const NAMED = 1_000;
/** Texts of neighbours are read of so many places. */
const HIT = sql`p.passage_id, p.psg_text, p.psg_lead, p.psg_heading, p.psg_hash, p.psg_ordinal, p.psg_tokens, p.psg_page_from, p.psg_page_to, p.psg_char_start, p.psg_char_end,
  s.source_kind, s.source_id, s.source_title, s.source_url, s.source_lang, s.source_version, s.source_version_id, s.source_updated`;
const WITH_SOURCE = sql`passage p JOIN passage_source s ON s.tenant_id = p.tenant_id AND s.source_kind = p.source_kind AND s.source_id = p.source_id`;

/** Reads what a search is made of; `open` is the condition on `s` by which sources are searched. */
@Injectable()
export class SearchRepository {
  constructor(private readonly db: Database) {}

  /** Of the sources those that the condition on `s` lets through. */
  filterSources(
    sources: readonly { readonly kind: string; readonly id: string }[],
    open: Sql,
  ): Promise<{ readonly kind: string; readonly id: string }[]> {
    return this.db.current().query<{ kind: string; id: string }>(sql`
      SELECT s.source_kind AS kind, s.source_id AS id FROM passage_source s
      WHERE s.tenant_id = ${requireScope().tenant_id} AND s.source_id = ANY(${sources.map(({ id }) => id)}::uuid[]) AND s.source_kind = ANY(${sources.map(({ kind }) => kind)}::text[]) AND ${open}`);
  }

  /** The scopes that the sources are in. */
  async listScopes(sources: readonly { readonly kind: string; readonly id: string }[]): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ scope_key: string }>(sql`
      SELECT DISTINCT k.scope_key FROM passage_scope k
      WHERE k.tenant_id = ${requireScope().tenant_id} AND k.source_id = ANY(${sources.map(({ id }) => id)}::uuid[]) AND k.source_kind = ANY(${sources.map(({ kind }) => kind)}::text[])`);
    return rows.map(({ scope_key }) => scope_key);
  }

  /** The scopes that the source of a passage is in. */
  async listScopesOfPassage(passage_id: string): Promise<readonly string[]> {
    const rows = await this.db.current().query<{ scope_key: string }>(sql`
      SELECT k.scope_key FROM passage p JOIN passage_scope k ON k.tenant_id = p.tenant_id AND k.source_kind = p.source_kind AND k.source_id = p.source_id
      WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = ${passage_id}::uuid`);
    return rows.map(({ scope_key }) => scope_key);
  }

  async measureExtent(open: Sql): Promise<SearchedSources> {
    const row = await this.db.current().first<SearchedSources & Record<string, unknown>>(sql`
      SELECT count(*)::integer AS sources, coalesce(sum(o.source_passages), 0)::integer AS passages, coalesce(array_remove(array_agg(DISTINCT o.source_lang), NULL), '{}') AS languages,
             count(*) < ${COUNTED} AS is_whole, CASE WHEN count(*) <= ${NAMED} THEN coalesce(array_agg(o.source_id), '{}') END AS source_ids
      FROM (SELECT s.source_id, s.source_passages, s.source_lang FROM passage_source s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.source_passages > 0 AND ${open} LIMIT ${COUNTED}) o`);
    return row ?? { sources: 0, passages: 0, languages: [], is_whole: true, source_ids: [] };
  }

  async findFrequencies(lexemes: readonly string[]): Promise<Frequencies> {
    const rows = await this.db
      .current()
      .query<{ word: string; passages: number }>(sql`SELECT word, passages FROM search_passages_words(${[...lexemes]}::text[])`);
    return new Map(rows.map(({ word, passages }) => [word, passages]));
  }

  /** Passages to rank; `seen`: how many there were before it was asked whether they may be shown. */
  findCandidates(
    open: Sql,
    { condition, words, weights, together, onlyTogether, lexemes, scopes, source_ids, most }: TextCandidates,
  ): Promise<{ readonly passages: RankedPassage[]; readonly seen: number }> {
    const named = source_ids && [...source_ids];
    return this.placed(
      open,
      lexemes,
      sql`SELECT passage_id, source_kind, source_id FROM search_passages_text(${condition}, ${[...words]}::text[], ${[...weights]}::real[], ${[...together]}::text[], ${onlyTogether}, ${[...scopes]}::text[], ${named}::text[], ${most})`,
    );
  }

  /** Every passage that is searched, to rank them all; of the words `condition` speaks of none is looked for in an index. */
  async findAllPassages(open: Sql, { condition, lexemes }: Pick<TextCandidates, 'condition' | 'lexemes'>): Promise<RankedPassage[]> {
    const has = condition === null ? sql`true` : sql`p.psg_tsv @@ ${condition}::tsquery`;
    return (
      await this.placed(
        open,
        lexemes,
        sql`SELECT p.passage_id, p.source_kind, p.source_id FROM ${WITH_SOURCE} WHERE p.tenant_id = ${requireScope().tenant_id} AND ${open} AND ${has}`,
      )
    ).passages;
  }

  /**
   * Of few sources the passages most worth ranking, read source by source: what a word costs is what is searched, however much the
   * rest of the workspace says it. A word that a passage has three times or more is stressed, which is what the rank says with all
   * positions alike: 0.76 for two of them, 0.83 for three.
   */
  async findChosenPassages(
    open: Sql,
    { condition, words, stressed, weights }: ReadChoice,
    lexemes: readonly string[],
    most: number,
  ): Promise<RankedPassage[]> {
    const { tenant_id } = requireScope();
    return (
      await this.placed(
        open,
        lexemes,
        sql`SELECT p.passage_id, s.source_kind, s.source_id FROM (SELECT s.source_kind, s.source_id FROM passage_source s WHERE s.tenant_id = ${tenant_id} AND s.source_passages > 0 AND ${open} OFFSET 0) s
          CROSS JOIN LATERAL (SELECT p.passage_id, p.psg_length, p.psg_tsv || ''::tsvector AS tsv FROM passage p
            WHERE p.tenant_id = ${tenant_id} AND p.source_kind = s.source_kind AND p.source_id = s.source_id AND p.psg_tsv @@ ${condition}::tsquery OFFSET 0) p
          CROSS JOIN LATERAL (SELECT sum(CASE WHEN p.tsv @@ w.stressed::tsquery OR ts_rank('{1,1,1,1}', p.tsv, w.word::tsquery) > 0.8 THEN 1.5 ELSE 1 END * w.weight) AS weight
            FROM unnest(${[...words]}::text[], ${[...stressed]}::text[], ${[...weights]}::real[]) AS w (word, stressed, weight) WHERE p.tsv @@ w.word::tsquery) w
          ORDER BY w.weight DESC, p.psg_length, p.passage_id LIMIT ${most}`,
      )
    ).passages;
  }

  /** Where the words stand in each of the passages found that may be shown. */
  private async placed(
    open: Sql,
    lexemes: readonly string[],
    found: Sql,
  ): Promise<{ readonly passages: RankedPassage[]; readonly seen: number }> {
    const rows = await this.db.current().query<CandidateRow & Record<string, unknown>>(sql`
      WITH ${shown(found, open)}
      SELECT c.*, n.seen FROM (SELECT count(*)::integer AS seen FROM found) n LEFT JOIN (
        SELECT p.passage_id, p.psg_length, w.lexemes, w.positions, w.weights FROM shown f
        CROSS JOIN LATERAL (SELECT p.passage_id, p.psg_length, p.psg_tsv FROM passage p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = f.passage_id OFFSET 0) p
        CROSS JOIN LATERAL (SELECT array_agg(u.lexeme) AS lexemes, jsonb_agg(u.positions) AS positions, jsonb_agg(u.weights) AS weights FROM unnest(p.psg_tsv) u WHERE u.lexeme = ANY(${[...lexemes]}::text[])) w
        WHERE w.lexemes IS NOT NULL) c ON true`);
    return { passages: rows.flatMap(rankedOf), seen: rows[0]?.seen ?? 0 };
  }

  /** Of the passages those that may be shown. */
  async filterShown(ids: readonly string[], open: Sql): Promise<ReadonlySet<string>> {
    const found = sql`SELECT p.passage_id, p.source_kind, p.source_id FROM passage p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = ANY(${[...ids]}::uuid[])`;
    const rows = await this.db.current().query<{ passage_id: string }>(sql`WITH ${shown(found, open)} SELECT passage_id FROM shown`);
    return new Set(rows.map(({ passage_id }) => passage_id));
  }

  /** The ids of all passages that are searched, as a query. */
  searchedIdsQuery(open: Sql): Sql {
    return sql`SELECT p.passage_id FROM ${WITH_SOURCE} WHERE p.tenant_id = ${requireScope().tenant_id} AND ${open}`;
  }

  /** What each says, and so who says the same. */
  async findIdentities(
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, { readonly hash: string; readonly kind: string; readonly id: string }>> {
    const rows = await this.db
      .current()
      .query<{ passage_id: string; hash: string; kind: string; id: string }>(
        sql`SELECT p.passage_id, p.psg_hash AS hash, p.source_kind AS kind, p.source_id AS id FROM passage p WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = ANY(${[...ids]}::uuid[])`,
      );
    return new Map(rows.map(({ passage_id, ...identity }) => [passage_id, identity]));
  }

  async findHits(ids: readonly string[], open: Sql = sql`true`): Promise<ReadonlyMap<string, HitRow>> {
    const rows = await this.db
      .current()
      .query<HitRow & Record<string, unknown>>(
        sql`SELECT ${HIT} FROM ${WITH_SOURCE} WHERE p.tenant_id = ${requireScope().tenant_id} AND p.passage_id = ANY(${[...ids]}::uuid[]) AND ${open}`,
      );
    return new Map(rows.map((row) => [row.passage_id, row]));
  }

  /** Passages beside others of their source, as far as so many places away. */
  async findNeighbours(hits: readonly HitRow[], reach: number): Promise<HitRow[]> {
    if (reach === 0 || hits.length === 0) return [];
    return this.db.current().query<HitRow & Record<string, unknown>>(sql`
      SELECT DISTINCT ${HIT} FROM unnest(${hits.map(({ source_kind }) => source_kind)}::text[], ${hits.map(({ source_id }) => source_id)}::uuid[], ${hits.map(({ psg_ordinal }) => psg_ordinal)}::integer[]) AS h (kind, id, ordinal)
      JOIN ${WITH_SOURCE} ON p.tenant_id = ${requireScope().tenant_id} AND p.source_kind = h.kind AND p.source_id = h.id AND p.psg_ordinal BETWEEN h.ordinal - ${reach} AND h.ordinal + ${reach} AND p.psg_ordinal <> h.ordinal`);
  }
}

/** `found` passages, and as `filterShown` those of sources that may be searched: each source is asked about once. */
const shown = (found: Sql, open: Sql): Sql => sql`found AS MATERIALIZED (${found}),
  open_sources AS MATERIALIZED (SELECT s.source_kind, s.source_id FROM passage_source s
    WHERE s.tenant_id = ${requireScope().tenant_id} AND s.source_id = ANY(ARRAY(SELECT DISTINCT source_id FROM found)) AND ${open}),
  shown AS (SELECT f.passage_id FROM found f JOIN open_sources o ON o.source_kind = f.source_kind AND o.source_id = f.source_id)`;

function rankedOf({ passage_id, psg_length, lexemes, positions, weights }: CandidateRow): RankedPassage[] {
  if (passage_id === null || psg_length === null) return [];
  const places = new Map<string, Places>();
  for (const [at, lexeme] of (lexemes ?? []).entries()) {
    const [where, by] = [positions?.[at] ?? [], weights?.[at] ?? []];
    places.set(lexeme, {
      text: where.filter((_, index) => by[index] === 'D'),
      inHeading: by.includes('B'),
      inTitle: by.includes('A'),
    });
  }
  return [{ passage_id, length: psg_length, places }];
}
