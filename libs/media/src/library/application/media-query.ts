import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { empty, join, sql, type ListParameters, type Sql } from '@atrium/platform/database';
import { invalidField, notFound, type JsonValue } from '@atrium/platform/kernel';
import {
  isInstant,
  metadataCondition,
  SavedSearches,
  SearchLanguage,
  wallClock,
  type MetadataFilter,
  type SearchLeaf,
  type SearchNode,
  type SearchQuery,
} from '@atrium/files';

/** The filters of the media library besides those of every list of files. */
export interface MediaFilters extends ListParameters {
  readonly album?: string;
  readonly album_any?: readonly string[];
  readonly no_album?: boolean;
  readonly person?: readonly string[];
  /** `Group:Value`, or a group alone; every one must be there. */
  readonly tag?: readonly string[];
  readonly tag_any?: readonly string[];
  readonly kind?: string;
  readonly file_format?: string;
  readonly favorite?: boolean;
  /** Days or times as they are written; their zones are left out. */
  readonly taken?: readonly string[];
  readonly has_faces?: boolean;
  readonly has_consent_issue?: boolean;
  readonly q?: string;
  readonly embedding_search?: string;
  readonly similarityThreshold?: number;
  readonly similar_to?: string;
  readonly color?: string;
  /** JSON of the search language. */
  readonly query?: string;
  readonly saved_search?: string;
  readonly file_name?: string;
  readonly file_metadata?: MetadataFilter;
}

/** What filters ask for: a condition on `r`, and the order that a query of them wishes. */
export interface AskedFor {
  readonly where: Sql;
  readonly sort: string | undefined;
}

const COLOR_TOLERANCE = 20;
const MOST_QUERY_BYTES = 4 * 1024;

/** Turns the filters of the library into leaves of the search language: one place says what each of them means. */
@Injectable()
export class MediaQuery {
  constructor(
    private readonly language: SearchLanguage,
    private readonly searches: SavedSearches,
  ) {}

  /** A number of statements that does not grow with the filters; within a unit of work. */
  async compileFilters(reader: Principal, filters: MediaFilters): Promise<AskedFor> {
    const queries = [leavesQuery(filters), ...(await this.written(filters)), ...(await this.saved(filters))].filter(
      ({ where, text, sort }) => where !== undefined || text !== undefined || sort !== undefined,
    );
    const compiled = await this.language.compileMany(queries.map((query) => ({ scope: 'media', query, reader })));
    const metadata = metadataCondition(filters.file_metadata);
    const where = join(
      [takenCondition(filters.taken), ...(metadata === empty ? [] : [metadata]), ...compiled.map(({ where: one }) => sql`(${one})`)],
      ' AND ',
    );
    return { where, sort: queries.find(({ sort }) => sort !== undefined)?.sort };
  }

  private async written({ query }: MediaFilters): Promise<readonly SearchQuery[]> {
    if (query === undefined) return [];
    if (Buffer.byteLength(query) > MOST_QUERY_BYTES) throw invalidField('query', `must have at most ${MOST_QUERY_BYTES} bytes`, 'too_long');
    return [await this.language.readQuery(parsed(query), 'media', 'query')];
  }

  private async saved({ saved_search: id }: MediaFilters): Promise<readonly SearchQuery[]> {
    if (id === undefined) return [];
    const query =
      (await this.searches.findScope(id)) === 'media' ? (await this.searches.findQueries([id])).get(id.toLowerCase()) : undefined;
    if (!query) throw notFound('saved search');
    return [query];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidField('query', 'must be JSON', 'json');
  }
}

/** Days and times are compared with what the clock of the camera showed. */
function takenCondition(taken: readonly string[] | undefined): Sql {
  const fault = taken?.find((text) => !isInstant(text));
  if (fault !== undefined) throw invalidField('taken', 'must be a date-time (ISO 8601)', 'date_time');
  const [from, to] = taken ?? [];
  if (from === undefined) return sql`true`;
  return to === undefined ? sql`r.file_taken >= ${wallClock(from)}` : sql`r.file_taken BETWEEN ${wallClock(from)} AND ${wallClock(to)}`;
}

function leavesQuery(filters: MediaFilters): SearchQuery {
  const all: SearchNode[] = leavesOf(filters);
  return { ...(all.length > 0 ? { where: { all } } : {}), ...(filters.q === undefined ? {} : { text: filters.q }) };
}

function leavesOf({
  album_any,
  no_album,
  person,
  tag,
  tag_any,
  kind,
  file_format,
  favorite,
  has_faces,
  has_consent_issue,
  color,
  file_name,
}: MediaFilters): SearchLeaf[] {
  const given = (field: string, op: string, value: JsonValue | undefined): SearchLeaf[] =>
    value === undefined ? [] : [{ field, op, value }];
  return [
    ...given('album', 'in_any', lowered(album_any)),
    ...given('album', 'exists', no_album === undefined ? undefined : !no_album),
    ...given('person', 'has_all', lowered(person)),
    ...given('tag', 'has_all', tag?.map(tagOf)),
    ...given('tag', 'has_any', tag_any?.map(tagOf)),
    ...given('kind', 'eq', kind),
    ...given('format', 'eq', file_format?.toLowerCase().replace(/^\./, '')),
    ...given('favorite', 'eq', favorite),
    ...given('face_count', has_faces ? 'gte' : 'eq', has_faces === undefined ? undefined : Number(has_faces)),
    ...given('has_consent_issue', 'eq', has_consent_issue),
    ...given('color', 'near', color === undefined ? undefined : { hex: color.toLowerCase(), tolerance: COLOR_TOLERANCE }),
    ...given('file_name', 'contains', file_name),
  ];
}

const lowered = (ids: readonly string[] | undefined): string[] | undefined => ids?.map((id) => id.toLowerCase());

/** Group names hold no colon, values may. */
function tagOf(written: string): { readonly group: string; readonly value?: string } {
  const at = written.indexOf(':');
  const [group, value] = at < 0 ? [written.trim(), ''] : [written.slice(0, at).trim(), written.slice(at + 1).trim()];
  return value === '' ? { group } : { group, value };
}
