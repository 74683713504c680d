import { Injectable } from '@nestjs/common';
import { MINUTE, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CmsCall, RemoteList, RemotePage, RemoteSummary } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { linkedId } from '../../domain/contentful/contentful-reading';
import { pageTypesOf, type PageType } from '../../domain/contentful/contentful-settings';
import { assetIds, blockIds, closureOf } from './contentful-links';
import { rawOf, ROW, ROWS, RESPONSE_TOO_BIG, statesOf, versionOf, type Row } from './contentful-answers';
import { ContentfulApi, type EnvironmentFacts } from './contentful-api';

const PER_PAGE = 200;
const MOST_PAGES = 100_000;
const DEEPEST_LINK = 10;
const DEEPEST_PAGE = 20;
const MOST_BLOCKS = 2_000;
const MOST_BLOCKS_AT_ONCE = 5_000;
/** Ids of a request: an address of a few thousand characters is accepted. */
const IDS_AT_ONCE = 80;
const PATHS_REMEMBERED = 50_000;

/** Where a list goes on: the content type, the time of creation, how many of that moment were seen, and how many are asked for. */
const CURSOR = z.object({
  type: z.number().int().nonnegative(),
  since: z.string().nullable(),
  skip: z.number().int().nonnegative(),
  limit: z.number().int().positive(),
  first: z.string().nullable(),
  seen: z.number().int().nonnegative(),
});
type Cursor = z.infer<typeof CURSOR>;
const BEGIN: Cursor = { type: 0, since: null, skip: 0, limit: PER_PAGE, first: null, seen: 0 };

interface PagePlace {
  readonly slug: string;
  readonly parent: string | null;
}

interface TypedPages {
  readonly type: PageType;
  readonly facts: EnvironmentFacts;
}

/** Entries that are pages, with the entries that are blocks of them. */
@Injectable()
export class ContentfulReader {
  /** Ids of pages by path, where the path of a page is its slug. */
  private readonly ids = new LRUCache<string, string>({ max: PATHS_REMEMBERED });
  /** Where pages are, by their id. */
  private readonly places = new LRUCache<string, PagePlace>({ max: PATHS_REMEMBERED, ttl: MINUTE });

  constructor(private readonly api: ContentfulApi) {}

  /** One content type after another, each in the order of creation. */
  async listEntries(call: CmsCall, from: JsonObject | null): Promise<RemoteList> {
    const cursor = from === null ? BEGIN : CURSOR.parse(from);
    const types = pageTypesOf(call.connection.settings);
    const type = types[cursor.type];
    if (!type) return { pages: [], next: null, total: null };
    const { rows, total, limit } = await this.readRows(call, type, cursor);
    const first = rows[0]?.sys.id ?? null;
    if (first !== null && first === cursor.first) throw endless('repeats its pages');
    if (cursor.seen + rows.length > MOST_PAGES) throw endless(`has more than ${MOST_PAGES} entries`);
    const facts = await this.api.getFacts(call);
    await this.learnPlaces(call, rows, { type, facts });
    const blocks = await this.readBlocksOf(call, rows, facts);
    const pages: RemoteSummary[] = [];
    for (const row of rows) pages.push(await this.summaryOf(call, row, { type, facts, blocks: blocks.get(row.sys.id) ?? null }));
    const counted = { ...cursor, limit, first, seen: cursor.seen + rows.length };
    const next = rows.length < total ? nextRows(counted, rows) : nextType(counted, types.length);
    return { pages, next, total: types.length === 1 && cursor.since === null ? total : null };
  }

  async readEntry(call: CmsCall, external_id: string): Promise<RemotePage> {
    return this.toPage(call, await this.api.request(call, ROW, `/entries/${encodeURIComponent(external_id)}`));
  }

  /** The entry with its blocks, and the files that they show. */
  async toPage(call: CmsCall, row: Row): Promise<RemotePage> {
    const facts = await this.api.getFacts(call);
    const type = pageTypesOf(call.connection.settings).find(({ id }) => id === row.sys.contentType?.sys.id);
    if (!type) throw new CmsProblem('not_found', 'The entry is not one of the content types that are pages.');
    const blocks = (await this.readBlocksOf(call, [row], facts)).get(row.sys.id);
    if (!blocks) throw new CmsProblem('too_large', `The page has more than ${MOST_BLOCKS} blocks.`);
    const assets = await this.readAssets(call, [row, ...blocks]);
    const byId = (rows: readonly Row[]): JsonObject => Object.fromEntries(rows.map((one) => [one.sys.id, rawOf(one)]));
    return {
      ...(await this.summaryOf(call, row, { type, facts, blocks })),
      raw: { entry: rawOf(row), blocks: byId(blocks), assets: byId(assets) },
    };
  }

  async findEntryAt(call: CmsCall, path: string): Promise<RemotePage | null> {
    const slug = path.split('/').at(-1) ?? '';
    for (const type of pageTypesOf(call.connection.settings)) {
      const found = await this.findRows(call, type, type.parent === null ? path : slug);
      for (const row of found) {
        const page = await this.toPage(call, row);
        if (page.external_path === path) return page;
      }
    }
    return null;
  }

  /** Other entries that link to one: a block that several pages use. */
  async findParents(call: CmsCall, id: string): Promise<{ readonly ids: readonly string[]; readonly total: number }> {
    const { items, total } = await this.api.request(call, ROWS, `/entries?links_to_entry=${encodeURIComponent(id)}&limit=10`);
    return { ids: items.map(({ sys }) => sys.id), total };
  }

  /** The path of a page that is given by its id, for the slugs of pages below it. */
  async slugPathsOf(call: CmsCall, external_id: string, type: PageType): Promise<JsonObject> {
    const row = await this.api.request(call, ROW, `/entries/${encodeURIComponent(external_id)}`);
    return row.fields[type.slug] ?? {};
  }

  private async readRows(
    call: CmsCall,
    type: PageType,
    { since, skip, limit }: Cursor,
  ): Promise<{ rows: readonly Row[]; total: number; limit: number }> {
    const query = new URLSearchParams({ content_type: type.id, order: 'sys.createdAt,sys.id', limit: String(limit), skip: String(skip) });
    if (since !== null) query.set('sys.createdAt[gte]', since);
    try {
      const { items, total } = await this.api.request(call, ROWS, `/entries?${query.toString()}`);
      return { rows: items, total: total - skip, limit };
    } catch (error) {
      const isTooBig = error instanceof CmsProblem && error.reason === 'too_large' && error.detail.includes(RESPONSE_TOO_BIG);
      if (!isTooBig || limit === 1) throw error;
      return this.readRows(call, type, { ...BEGIN, since, skip, limit: Math.floor(limit / 2) });
    }
  }

  private async findRows(call: CmsCall, type: PageType, slug: string): Promise<readonly Row[]> {
    const query = new URLSearchParams({ content_type: type.id, [`fields.${type.slug}`]: slug, limit: '20' });
    return (await this.api.request(call, ROWS, `/entries?${query.toString()}`)).items;
  }

  /** The blocks of each page; of as many pages at once as fit into memory, and none of a page that has too many. */
  private async readBlocksOf(call: CmsCall, rows: readonly Row[], facts: EnvironmentFacts): Promise<ReadonlyMap<string, readonly Row[]>> {
    const blocks = await this.readBlocks(call, rows, facts);
    if (blocks) return new Map(rows.map((row) => [row.sys.id, closureOf(row, blocks, facts)]));
    if (rows.length === 1) return new Map();
    const half = Math.ceil(rows.length / 2);
    const [first, second] = [
      await this.readBlocksOf(call, rows.slice(0, half), facts),
      await this.readBlocksOf(call, rows.slice(half), facts),
    ];
    return new Map([...first, ...second]);
  }

  /** Entries that are blocks, level by level; null where they are too many. */
  private async readBlocks(call: CmsCall, rows: readonly Row[], facts: EnvironmentFacts): Promise<ReadonlyMap<string, Row> | null> {
    const most = rows.length === 1 ? MOST_BLOCKS : MOST_BLOCKS_AT_ONCE;
    const found = new Map<string, Row>();
    let level = rows;
    for (let depth = 0; depth < DEEPEST_LINK && level.length > 0; depth++) {
      const wanted = [...new Set(level.flatMap((row) => blockIds(row, facts)))].filter((id) => !found.has(id));
      if (found.size + wanted.length > most) return null;
      level = await this.readByIds(call, 'entries', wanted);
      for (const row of level) found.set(row.sys.id, row);
    }
    return found;
  }

  private async readAssets(call: CmsCall, rows: readonly Row[]): Promise<readonly Row[]> {
    const ids = new Set(rows.flatMap((row) => Object.values(row.fields).flatMap((values) => [...assetIds(values)])));
    return this.readByIds(call, 'assets', [...ids]);
  }

  private async readByIds(call: CmsCall, kind: 'entries' | 'assets', ids: readonly string[]): Promise<readonly Row[]> {
    const rows: Row[] = [];
    for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
      const some = ids.slice(at, at + IDS_AT_ONCE);
      const query = new URLSearchParams({ 'sys.id[in]': some.join(','), limit: String(IDS_AT_ONCE) });
      rows.push(...(await this.api.request(call, ROWS, `/${kind}?${query.toString()}`)).items);
    }
    return rows;
  }

  private async summaryOf(
    call: CmsCall,
    row: Row,
    { type, facts, blocks }: TypedPages & { readonly blocks: readonly Row[] | null },
  ): Promise<RemoteSummary> {
    const slug = textOf(row.fields[type.slug]?.[facts.defaultLocale]).replace(/^\/|\/$/g, '');
    const title = type.title === null ? '' : textOf(row.fields[type.title]?.[facts.defaultLocale]);
    const linked = type.parent === null ? undefined : linkedId(row.fields[type.parent]?.[facts.defaultLocale], 'Entry');
    const parent = type.parent === null ? await this.pageAbove(call, slug, type) : (linked ?? null);
    const external_path = type.parent === null || parent === null ? slug : await this.pathBelow(call, parent, { slug, type, facts });
    return {
      external_id: row.sys.id,
      external_path,
      path: external_path,
      // A page that has too many blocks to be read fails by itself, once it is read.
      external_version: blocks ? versionOf(row, blocks) : `${row.sys.version}.unread`,
      name: title || slug || row.sys.id,
      parent,
      states: statesOf(row.sys),
      isDeleted: row.sys.archivedVersion !== undefined && row.sys.archivedVersion !== null,
    };
  }

  /** The page whose path is the beginning of this one. */
  private async pageAbove(call: CmsCall, path: string, type: PageType): Promise<string | null> {
    const above = path.split('/').slice(0, -1).join('/');
    if (above === '') return null;
    const key = placeKey(call, above);
    const known = this.ids.get(key);
    if (known !== undefined) return known === '' ? null : known;
    const [row] = await this.findRows(call, type, above);
    this.ids.set(key, row?.sys.id ?? '', { ttl: MINUTE });
    return row?.sys.id ?? null;
  }

  private async pathBelow(
    call: CmsCall,
    parent: string,
    { slug, ...typed }: TypedPages & { readonly slug: string },
    above: readonly string[] = [],
  ): Promise<string> {
    if (above.includes(parent) || above.length > DEEPEST_PAGE) return slug;
    const place = this.places.get(placeKey(call, parent)) ?? (await this.readPlace(call, parent, typed));
    if (!place) return slug;
    const path = `${place.slug}/${slug}`;
    return place.parent === null ? path : this.pathBelow(call, place.parent, { ...typed, slug: path }, [...above, parent]);
  }

  private async readPlace(call: CmsCall, id: string, typed: TypedPages): Promise<PagePlace | undefined> {
    const [row] = await this.readByIds(call, 'entries', [id]);
    return row && this.rememberPlace(call, row, typed);
  }

  /** Where the pages above those of a list are: most were listed before, the rest is read many at once. */
  private async learnPlaces(call: CmsCall, rows: readonly Row[], typed: TypedPages): Promise<void> {
    if (typed.type.parent === null) return;
    let places = rows.map((row) => this.rememberPlace(call, row, typed));
    for (let level = 0; level < DEEPEST_PAGE && places.length > 0; level++) {
      const wanted = new Set(places.flatMap(({ parent }) => (parent === null || this.places.has(placeKey(call, parent)) ? [] : [parent])));
      places = (await this.readByIds(call, 'entries', [...wanted])).map((row) => this.rememberPlace(call, row, typed));
    }
  }

  private rememberPlace(call: CmsCall, { sys, fields }: Row, { type, facts }: TypedPages): PagePlace {
    const parent = type.parent === null ? undefined : linkedId(fields[type.parent]?.[facts.defaultLocale], 'Entry');
    const place = { slug: textOf(fields[type.slug]?.[facts.defaultLocale]), parent: parent ?? null };
    this.places.set(placeKey(call, sys.id), place);
    return place;
  }
}

const placeKey = ({ connection: { secrets, settings } }: CmsCall, name: string): string =>
  JSON.stringify([secrets.token, settings['spaceId'], settings['environment'], name]);

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** The next rows of the same content type: those of the last moment that were seen are skipped. */
function nextRows(cursor: Cursor, rows: readonly Row[]): JsonObject {
  const last = rows.at(-1)?.sys.createdAt ?? null;
  const ofMoment = rows.filter(({ sys }) => sys.createdAt === last).length;
  return { ...cursor, since: last, skip: last === cursor.since ? cursor.skip + ofMoment : ofMoment };
}

const nextType = ({ type, seen }: Cursor, types: number): JsonObject | null =>
  type + 1 < types ? { ...BEGIN, type: type + 1, seen } : null;

const endless = (fault: string): CmsProblem => new CmsProblem('endless_list', `The list of entries of Contentful ${fault}.`);
