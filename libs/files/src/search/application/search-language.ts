import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { requireScope, type Sql } from '@atrium/platform/database';
import { Clock, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { canonicalQuery } from '../domain/canonical-query';
import { mentionedFields, QueryReader } from '../domain/read-query';
import { leavesOf, queryText, type SearchLeaf, type SearchQuery, type SearchScope } from '../domain/search-query';
import { LibraryFiles } from '../../core/application/library-files';
import { SearchRows } from '../infrastructure/searches.rows';
import { conditionOfLeaf, warningOf, type AskedLeaf, type AskedQuery } from './asked-queries';
import { allOf, conditionOf, NOTHING, oneOf, positiveOf } from './search-compiler';
import { SearchContext, SearchMoments } from './search-context';
import { SearchFields, type SearchField } from './search-fields';
import { textCandidates, textCondition } from './text-search';

/** One query of one reader. */
export interface SearchRequest {
  readonly scope: SearchScope;
  readonly query: SearchQuery;
  readonly reader: Principal;
}

/** A leaf as a condition on the file row `r`; `text` is a leaf of its own. */
export interface CompiledLeaf {
  readonly path: string;
  readonly leaf: SearchLeaf;
  readonly where: Sql;
}

/** A query as a condition on the file row `r`. It may be null where it is not true: negate it with `IS NOT TRUE`. */
export interface CompiledSearch {
  readonly where: Sql;
  readonly sort: string | undefined;
  readonly leaves: readonly CompiledLeaf[];
}

/** How many files there are, exactly up to 10,000. */
export interface SearchCount {
  readonly count: number;
  readonly count_exact: boolean;
}

export const COUNT_LIMIT = 10_000;
/** So many files found through an index replace their condition; more are common enough to be come across. */
const FEW = 10_000;
/** Of several conditions each is replaced by fewer, and of very many the rest by none: all files found are fetched and bound again. */
const FEW_TOGETHER = 2 * FEW;
const FEWEST = 1_000;
const MOST_LOOKUPS = 20;
const COUNTS_KEPT = 10_000;
const COUNT_KEPT_MS = 3_000;
const TEXT_LEAF = 'text';

/** The orders that a query may ask of the listing of its scope. */
export const SEARCH_SORTS: Readonly<Record<SearchScope, readonly string[]>> = {
  media: ['file_created', 'file_updated', 'file_name', 'file_size', 'file_type', 'taken'],
  docs: ['file_created', 'file_updated', 'file_name', 'file_size', 'file_type', 'file_pages'],
};

/**
 * The search language: reads queries, brings them in canonical form and turns them into conditions with bound values by
 * the table of fields. A query runs with the reader's rights, at the moment of reading. All methods but `readQuery` of a
 * plain query talk to the open unit of work, in a number of statements that does not grow with the queries.
 */
@Injectable()
export class SearchLanguage {
  private readonly counted = new LRUCache<string, SearchCount>({ max: COUNTS_KEPT, ttl: COUNT_KEPT_MS });

  constructor(
    private readonly fields: SearchFields,
    private readonly library: LibraryFiles,
    private readonly clock: Clock,
    private readonly rows: SearchRows,
  ) {}

  /** What a client sent as a query, in canonical form; else `validation_failed` with every fault and its path below `at`. */
  async readQuery(input: unknown, scope: SearchScope, at = 'query_search'): Promise<SearchQuery> {
    const fields = await this.fields.findFields(mentionedFields(input));
    const operatorsOf = (name: string): ReadonlyMap<string, SearchField['operators'][string]> | 'unknown' | 'out_of_scope' => {
      const field = fields.get(name);
      if (!field) return 'unknown';
      return field.scopes.includes(scope) ? new Map(Object.entries(field.operators)) : 'out_of_scope';
    };
    const reader = new QueryReader({ at, sorts: SEARCH_SORTS[scope], operatorsOf });
    const query = reader.readQuery(input);
    if (!query) throw invalidFields(reader.faults);
    return canonicalQuery(query, (field, op) => Object.hasOwn(fields.get(field)?.operators ?? {}, op));
  }

  /** The same for a query that is to be kept: what it names must exist and be open to its author. */
  async readQueryToStore(input: unknown, scope: SearchScope, author: Principal, at = 'query_search'): Promise<SearchQuery> {
    const query = await this.readQuery(input, scope, at);
    const [missing = []] = await this.findWarnings([{ scope, query, reader: author }]);
    if (missing.length > 0) throw invalidFields(missing.map((fault) => ({ ...fault, path: `${at}.${fault.path}` })));
    return query;
  }

  async compileQuery(request: SearchRequest): Promise<CompiledSearch> {
    const [compiled] = await this.compileMany([request]);
    return compiled as CompiledSearch;
  }

  async compileMany(requests: readonly SearchRequest[]): Promise<CompiledSearch[]> {
    const moments = new SearchMoments(this.clock.now());
    const asked = await this.ask(requests, moments);
    await this.settle(asked, moments);
    const found = await this.few(asked);
    return asked.map(({ query, context, leaves, text }) => {
      const compiled = leaves.map((asking): CompiledLeaf => ({
        path: asking.path,
        leaf: asking.leaf,
        where: conditionOfLeaf(asking, found),
      }));
      const byLeaf = new Map(compiled.map(({ leaf, where }) => [leaf, where]));
      const words: CompiledLeaf[] = text
        ? [{ path: text.path, leaf: text.leaf, where: found.has(text) ? oneOf(found.get(text) ?? []) : textCondition(text.words) }]
        : [];
      const conditions = [
        query.where ? [conditionOf(query.where, (leaf) => byLeaf.get(leaf) ?? NOTHING)] : [],
        words.map(({ where }) => where),
        this.fields.unnamedConditions(context, new Set(leaves.map(({ leaf }) => leaf.field))),
      ].flat();
      return { where: allOf(conditions), sort: query.sort, leaves: [...compiled, ...words] };
    });
  }

  /** For each query the leaves that name what is not there, or not open to its reader. */
  async findWarnings(requests: readonly SearchRequest[]): Promise<FieldFault[][]> {
    const asked = await this.ask(requests, new SearchMoments(this.clock.now()));
    const groups = new Map<string, { readonly asking: AskedLeaf; readonly names: Set<string> }>();
    for (const asking of asked.flatMap(({ leaves }) => leaves)) {
      const group = groups.get(asking.referenced) ?? { asking, names: new Set<string>() };
      groups.set(asking.referenced, group);
      for (const name of asking.names) group.names.add(name);
    }
    const there = new Map<string, ReadonlySet<string>>();
    for (const [key, { asking, names }] of groups)
      if (names.size > 0) there.set(key, (await asking.field?.references?.findKnown([...names], asking.context)) ?? new Set());
    return asked.map(({ leaves }) => leaves.flatMap((asking) => warningOf(asking, there)));
  }

  /** The files of a library that the reader sees in lists, as a condition on `r`. */
  scopeCondition(scope: SearchScope, reader: Principal): Sql {
    return this.library.visibleCondition(reader, scope);
  }

  async countMatches(request: SearchRequest, options: { readonly fresh?: boolean } = {}): Promise<SearchCount> {
    const [count] = await this.countMatchesMany([request], options);
    return count as SearchCount;
  }

  /** The counts of many queries in one statement. Unless they are to be fresh, they may be some seconds old. */
  async countMatchesMany(requests: readonly SearchRequest[], { fresh = false }: { readonly fresh?: boolean } = {}): Promise<SearchCount[]> {
    const keys = requests.map(countKey);
    const kept = keys.map((key) => (fresh ? undefined : this.counted.get(key)));
    const asked = [...new Map(requests.map((request, at) => [keys[at] ?? '', request] as const).filter((_, at) => !kept[at])).entries()];
    const compiled = await this.compileMany(asked.map(([, request]) => request));
    const counted = await this.countAll(compiled.map(({ where }, at) => ({ where, request: asked[at]?.[1] as SearchRequest })));
    const found = new Map(asked.map(([key], at) => [key, counted[at] as SearchCount]));
    for (const [key, count] of found) this.counted.set(key, count);
    return keys.map((key, at) => kept[at] ?? found.get(key) ?? { count: 0, count_exact: true });
  }

  /** How many files each leaf of a query matches on its own. */
  async explainLeaves(request: SearchRequest): Promise<readonly (CompiledLeaf & SearchCount)[]> {
    const { leaves } = await this.compileQuery(request);
    const counts = await this.countAll(leaves.map(({ where }) => ({ where, request })));
    return leaves.map((leaf, at) => ({ ...leaf, ...(counts[at] as SearchCount) }));
  }

  /** Which leaves of a query are true of one file that the reader sees; null when it is not one of those. */
  async explainFile(request: SearchRequest, file_id: string): Promise<readonly (CompiledLeaf & { readonly matched: boolean })[] | null> {
    const { leaves } = await this.compileQuery(request);
    const matched = await this.rows.findMatches(
      file_id,
      this.scopeCondition(request.scope, request.reader),
      leaves.map(({ where }) => where),
    );
    return matched ? leaves.map((leaf, at) => ({ ...leaf, matched: matched[at] === true })) : null;
  }

  private async countAll(asked: readonly { readonly where: Sql; readonly request: SearchRequest }[]): Promise<SearchCount[]> {
    if (asked.length === 0) return [];
    const counts = await this.rows.countMatches(
      asked.map(({ where, request }) => ({ visible: this.scopeCondition(request.scope, request.reader), where })),
      COUNT_LIMIT + 1,
    );
    return asked.map((_, at) => ({
      count: Math.min(counts[at] ?? 0, COUNT_LIMIT),
      count_exact: (counts[at] ?? 0) <= COUNT_LIMIT,
    }));
  }

  /** Turns the moments that the leaves speak of into constants; no statement when all are. */
  private async settle(asked: readonly AskedQuery[], moments: SearchMoments): Promise<void> {
    for (const asking of asked.flatMap(({ leaves }) => leaves)) asking.field?.compileLeaf(asking.positive, asking.context);
    if (moments.open.length === 0) return;
    moments.setInstants(await this.rows.readInstants(moments.open));
  }

  /** For leaves that an index finds by a function: the files, where they are few; in one statement for all. */
  private async few(asked: readonly AskedQuery[]): Promise<ReadonlyMap<object, readonly string[]>> {
    const offered = asked.flatMap(({ leaves, text }) => [
      ...leaves.flatMap((asking) => {
        const { field, positive, context } = asking;
        return field?.candidateQuery ? [{ key: asking, of: (most: number) => field.candidateQuery?.(positive, context, most) }] : [];
      }),
      ...(text ? [{ key: text as object, of: (most: number) => textCandidates(text.words, most) }] : []),
    ]);
    const few = Math.min(FEW, Math.max(FEWEST, Math.floor(FEW_TOGETHER / offered.length)));
    const lookups = offered.slice(0, MOST_LOOKUPS).flatMap(({ key, of }) => {
      const ids = of(few + 1);
      return ids ? [{ key, ids }] : [];
    });
    if (lookups.length === 0) return new Map();
    const candidates = await this.rows.findCandidates(lookups.map(({ ids }) => ids));
    const found = new Map<object, readonly string[]>();
    for (const [at, { key }] of lookups.entries()) {
      const ids = candidates[at] ?? [];
      if (ids.length <= few) found.set(key, ids);
    }
    return found;
  }

  private async ask(requests: readonly SearchRequest[], moments: SearchMoments): Promise<AskedQuery[]> {
    const fields = await this.fields.findFields(requests.flatMap(({ query }) => leavesOf(query).map(({ leaf }) => leaf.field)));
    return requests.map(({ scope, query, reader }) => {
      const context = new SearchContext(scope, reader, moments);
      const leaves = leavesOf(query).map(({ path, leaf }): AskedLeaf => {
        const field = fields.get(leaf.field);
        const { leaf: positive, negated } = positiveOf(leaf);
        const names = field?.references?.namesIn(positive, context) ?? [];
        return {
          path,
          leaf,
          positive,
          negated,
          field,
          context,
          names,
          referenced: `${field?.references?.kind}:${scope}:${reader.user_id}`,
        };
      });
      const words = query.text;
      return {
        query,
        context,
        leaves,
        text: words === undefined ? null : { path: TEXT_LEAF, leaf: { field: TEXT_LEAF, op: 'matches', value: words }, words },
      };
    });
  }
}

const countKey = ({ scope, query, reader }: SearchRequest): string =>
  `${requireScope().tenant_id}:${reader.user_id}:${scope}:${createHash('sha256').update(queryText(query)).digest('hex')}`;
