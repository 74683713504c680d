import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CmsCall, RemoteList, RemotePage, RemoteSummary } from '../../domain/cms-port';
import { CmsProblem } from '../../domain/cms-problem';
import { linkedId } from '../../domain/contentful/contentful-reading';
import { pageTypesOf, type PageType } from '../../domain/contentful/contentful-settings';
import { rawOf, ROW, ROWS, RESPONSE_TOO_BIG, statesOf, versionOf, type Row } from './contentful-answers';
import { ContentfulApi, type EnvironmentFacts } from './contentful-api';

const PER_PAGE = 200;
const MOST_PAGES = 100_000;
const DEEPEST_LINK = 10;
const MOST_BLOCKS = 2_000;
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

/** Entries that are pages, with the entries that are blocks of them. */
@Injectable()
export class ContentfulReader {
  /** Ids of pages by path, where the path of a page is its slug. */
  private readonly ids = new LRUCache<string, string>({ max: PATHS_REMEMBERED });

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
    const blocks = await this.readBlocks(call, rows, facts);
    const pages: RemoteSummary[] = [];
    for (const row of rows) pages.push(await this.summaryOf(call, row, { type, facts, blocks: closureOf(row, blocks, facts) }));
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
    const blocks = closureOf(row, await this.readBlocks(call, [row], facts), facts);
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

  /** Entries that are blocks, level by level. */
  private async readBlocks(call: CmsCall, rows: readonly Row[], facts: EnvironmentFacts): Promise<ReadonlyMap<string, Row>> {
    const found = new Map<string, Row>();
    let level = rows;
    for (let depth = 0; depth < DEEPEST_LINK && level.length > 0; depth++) {
      const wanted = [...new Set(level.flatMap((row) => blockIds(row, facts)))].filter((id) => !found.has(id));
      if (found.size + wanted.length > MOST_BLOCKS * rows.length)
        throw new CmsProblem('too_large', `A page has more than ${MOST_BLOCKS} blocks.`);
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
    { type, facts, blocks }: { readonly type: PageType; readonly facts: EnvironmentFacts; readonly blocks: readonly Row[] },
  ): Promise<RemoteSummary> {
    const slug = textOf(row.fields[type.slug]?.[facts.defaultLocale]).replace(/^\/|\/$/g, '');
    const title = type.title === null ? '' : textOf(row.fields[type.title]?.[facts.defaultLocale]);
    const linked = type.parent === null ? undefined : linkedId(row.fields[type.parent]?.[facts.defaultLocale], 'Entry');
    const parent = type.parent === null ? await this.pageAbove(call, slug, type) : (linked ?? null);
    return {
      external_id: row.sys.id,
      external_path: type.parent === null || parent === null ? slug : await this.pathBelow(call, parent, { slug, type, facts }),
      external_version: versionOf(row, blocks),
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
    const key = `${call.connection.secrets.token}:${JSON.stringify(call.connection.settings['spaceId'])}:${above}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known === '' ? null : known;
    const [row] = await this.findRows(call, type, above);
    this.ids.set(key, row?.sys.id ?? '', { ttl: 60_000 });
    return row?.sys.id ?? null;
  }

  private async pathBelow(
    call: CmsCall,
    parent: string,
    { slug, type, facts }: { readonly slug: string; readonly type: PageType; readonly facts: EnvironmentFacts },
    above: readonly string[] = [],
  ): Promise<string> {
    if (above.includes(parent) || above.length > 20) return slug;
    const [row] = await this.readByIds(call, 'entries', [parent]);
    if (!row) return slug;
    const own = textOf(row.fields[type.slug]?.[facts.defaultLocale]);
    const next = type.parent === null ? undefined : linkedId(row.fields[type.parent]?.[facts.defaultLocale], 'Entry');
    const path = `${own}/${slug}`;
    return next === undefined ? path : this.pathBelow(call, next, { slug: path, type, facts }, [...above, parent]);
  }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Ids of the entries that a row holds as blocks, in its fields and in its texts. */
function blockIds({ sys, fields }: Row, { book, defaultLocale }: EnvironmentFacts): readonly string[] {
  const schema = book.findByName(sys.contentType?.sys.id ?? '');
  return (schema?.fields ?? []).flatMap(({ remote, type }) => {
    const value = fields[remote]?.[defaultLocale];
    if (type === 'doc') return [...embeddedIds(value)];
    if (type !== 'blocks') return [];
    const links = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    return links.flatMap((link) => linkedId(link, 'Entry') ?? []);
  });
}

function* embeddedIds(node: JsonValue | undefined): Generator<string> {
  if (!isObject(node)) return;
  const target = isObject(node['data']) ? linkedId(node['data']['target'], 'Entry') : undefined;
  if (node['nodeType'] === 'embedded-entry-block' && target !== undefined) yield target;
  const content = node['content'];
  if (Array.isArray(content)) for (const inner of content as readonly JsonValue[]) yield* embeddedIds(inner);
}

function* assetIds(value: JsonValue | undefined): Generator<string> {
  const id = linkedId(value, 'Asset');
  if (id !== undefined) yield id;
  else if (Array.isArray(value)) for (const inner of value as readonly JsonValue[]) yield* assetIds(inner);
  else if (isObject(value)) for (const inner of Object.values(value)) yield* assetIds(inner);
}

/** The blocks of one page among those of several. */
function closureOf(page: Row, blocks: ReadonlyMap<string, Row>, facts: EnvironmentFacts): readonly Row[] {
  const own = new Map<string, Row>();
  const visit = (row: Row): void => {
    for (const id of blockIds(row, facts)) {
      const block = blocks.get(id);
      if (!block || own.has(id) || id === page.sys.id) continue;
      own.set(id, block);
      visit(block);
    }
  };
  visit(page);
  return [...own.values()];
}

/** The next rows of the same content type: those of the last moment that were seen are skipped. */
function nextRows(cursor: Cursor, rows: readonly Row[]): JsonObject {
  const last = rows.at(-1)?.sys.createdAt ?? null;
  const ofMoment = rows.filter(({ sys }) => sys.createdAt === last).length;
  return { ...cursor, since: last, skip: last === cursor.since ? cursor.skip + ofMoment : ofMoment };
}

const nextType = ({ type, seen }: Cursor, types: number): JsonObject | null =>
  type + 1 < types ? { ...BEGIN, type: type + 1, seen } : null;

const endless = (fault: string): CmsProblem => new CmsProblem('endless_list', `The list of entries of Contentful ${fault}.`);
