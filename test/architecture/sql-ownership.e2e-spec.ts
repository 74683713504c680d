import { WorkspacePurgers } from '@atrium/identity';
import type { RunningApi } from '@atrium/platform/testing';
import { startAtrium } from '../support/api';
import { DECLARED, HANDED_ON, SHARED } from './sql-lists';
import { isStatement, readSchema, readSources, tablesIn, textsIn, wordsOf, type NamedTable, type SourceText } from './sql-texts';
import { contextOfPurger, OWNERS } from './table-owners';

const sources = readSources();
const texts = sources.flatMap((source) => source.texts);
const columns = readSchema();

/** What each context imports of others. */
const imports = new Map<string, Set<string>>();
for (const source of sources) imports.set(source.context, new Set([...(imports.get(source.context) ?? []), ...source.imports]));

const INFRASTRUCTURE = /\/infrastructure\/|\.(?:repository|rows)\.ts$/;
const isOutside = ({ file, context }: SourceText): boolean => context !== 'platform' && !INFRASTRUCTURE.test(file);

const isForeign = (table: string, context: string): boolean => OWNERS.get(table) !== context;
const foreignIn = ({ text, context }: SourceText): NamedTable[] => tablesIn(text).filter(({ table }) => isForeign(table, context));

/** The values of each file in their order, each once. */
function byFile(found: readonly (readonly [file: string, value: string])[]): Record<string, string[]> {
  const files = new Map<string, Set<string>>();
  for (const [file, value] of found) files.set(file, new Set([...(files.get(file) ?? []), value]));
  return Object.fromEntries([...files].map(([file, values]) => [file, [...values].sort()]));
}

/** How often each is there. */
function counted(files: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const file of files) counts[file] = (counts[file] ?? 0) + 1;
  return counts;
}

const isOwnColumn = (context: string, column: string): boolean =>
  [...columns].some(([table, those]) => OWNERS.get(table) === context && those.has(column));

/** Whether a text reads whole rows of a table: by a star, or by the name of the row. */
const readsAll = (text: string, table: string, aliases: ReadonlySet<string>): boolean =>
  [...text.matchAll(/\*\s+FROM\s+(\w+)/gi)].some(([, from]) => from === table) ||
  [...text.matchAll(/\b(\w+)\.\*|\bto_jsonb?\((\w+)\)/g)].some(([, starred, row]) => aliases.has(starred ?? row ?? ''));

/** Columns of shared tables of other contexts that are not on their lists. What is handed to another statement names no table: there a column names its table. */
function unsharedColumnsIn(source: SourceText): string[] {
  const { text, context, isTagged } = source;
  const named = foreignIn(source);
  const isPart = named.length === 0 && isTagged && context !== 'platform';
  if (named.length === 0 && !isPart) return [];
  const words = wordsOf(text).map((word) => word.split('.').reverse());
  const shared = Object.keys(SHARED).filter((table) => isForeign(table, context));
  const tables = isPart ? shared : shared.filter((table) => named.some((one) => one.table === table));
  return tables.flatMap((table) => {
    const aliases = new Set(named.filter((one) => one.table === table).map(({ alias }) => alias));
    const listed = new Set(['tenant_id', ...SHARED[table]!]);
    if (readsAll(text, table, aliases)) return [`${table}.*`];
    return words.flatMap(([column = '', alias]) => {
      if (listed.has(column) || !columns.get(table)?.has(column)) return [];
      const mayBeIts = isPart ? alias !== undefined : alias === undefined;
      const isRead = (alias !== undefined && aliases.has(alias)) || (mayBeIts && !isOwnColumn(context, column));
      return isRead ? [column] : [];
    });
  });
}

describe('every table', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await startAtrium();
  }, 120_000);
  afterAll(() => api.close());

  it('belongs to one context', () => {
    expect([...OWNERS.keys()].sort()).toEqual([...columns.keys()].sort());
    expect([...columns].filter(([, those]) => those.size > 0).length).toBeGreaterThan(180);
  });

  it('is purged with its workspace by the context that it belongs to; those of the platform by identity', () => {
    const purgers = api.app.get(WorkspacePurgers, { strict: false }).all;
    expect(purgers.length).toBeGreaterThan(10);
    const strange = purgers.flatMap(({ context, tables }) =>
      tables.filter((table) => ![contextOfPurger(context), context === 'identity' && 'platform'].includes(OWNERS.get(table) ?? '')),
    );
    expect(strange).toEqual([]);
  });
});

describe('statements', () => {
  it('are found', () => {
    expect(texts.filter(isStatement).length).toBeGreaterThan(1_200);
    expect(texts.flatMap(({ text }) => tablesIn(text)).length).toBeGreaterThan(1_200);
  });

  it('are in infrastructure; elsewhere are queries that are handed to another statement, as many as the list says', () => {
    expect(counted(texts.filter((source) => isOutside(source) && isStatement(source)).map(({ file }) => file))).toEqual(HANDED_ON);
  });

  it('name tables of their own context, and read of others those that are shared', () => {
    const strange = texts.flatMap((source) =>
      foreignIn(source)
        .filter(({ table, isWritten }) => isWritten || SHARED[table] === undefined)
        .map(({ table }): [string, string] => [source.file, table]),
    );
    expect(byFile(strange)).toEqual({});
  });

  it('read of shared tables the columns that are on their lists', () => {
    const unshared = texts.flatMap((source) => unsharedColumnsIn(source).map((column): [string, string] => [source.file, column]));
    expect(byFile(unshared)).toEqual({});
  });

  it('read every column that is shared', () => {
    const words = new Map(Object.keys(SHARED).map((table): [string, Set<string>] => [table, new Set()]));
    for (const { text, context } of texts.filter(({ isTagged }) => isTagged)) {
      const names = wordsOf(text).map((word) => word.split('.').at(-1)!);
      for (const [table, read] of words) if (isForeign(table, context)) names.forEach((name) => read.add(name));
    }
    const unread = Object.entries(SHARED).flatMap(([table, shared]) =>
      shared.filter((column) => !words.get(table)?.has(column)).map((column) => `${table}.${column}`),
    );
    expect(unread).toEqual([]);
  });

  it('name tables only of contexts that theirs imports', () => {
    const unknown = texts.flatMap((source) =>
      foreignIn(source)
        .filter(({ table }) => !imports.get(source.context)?.has(OWNERS.get(table) ?? ''))
        .map(({ table }): [string, string] => [source.file, table]),
    );
    expect(byFile(unknown)).toEqual({});
  });

  it('are built from names of tables that are declared, in the context that owns the table or where the list says why', () => {
    const declared = texts.flatMap(({ file, context, text, property }): [string, string][] =>
      property === 'table' && OWNERS.has(text) && isForeign(text, context) ? [[file, text]] : [],
    );
    expect(byFile(declared)).toEqual(Object.fromEntries(Object.entries(DECLARED).map(([file, { tables }]) => [file, tables])));
    expect(Object.values(DECLARED).filter(({ because }) => because.length < 20)).toEqual([]);
  });
});

describe('the reader of statements', () => {
  it.each([
    ['SELECT 1 FROM file f WHERE f.x IS DISTINCT FROM role', ['file f']],
    ['SELECT extract(epoch FROM f.taken) FROM album a, file AS f JOIN role ON true', ['album a', 'file f', 'role role']],
    ['SELECT (SELECT count(*) FROM face), (SELECT 1 FROM unnest(…) u, person p) FROM album', ['face face', 'person p', 'album album']],
    ['SELECT \'FROM file\' -- FROM role\n FROM "album" r ORDER BY a, file', ['album r']],
    ['INSERT INTO role (a) SELECT b FROM public.file', ['role role written', 'file public.file']],
    ['UPDATE role r SET a = 1, file = 2 FROM album', ['role r written', 'album album']],
    ['DELETE FROM file f USING album a, role WHERE a = b FOR UPDATE OF f', ['file f written', 'album a', 'role role']],
    ['SELECT file FROM file(…) f', []],
    ['SELECT 1 FROM file f, role r WHERE a = b FOR NO KEY UPDATE OF f SKIP LOCKED', ['file f written', 'role r']],
    ['SELECT 1 FROM (SELECT 1 FROM role FOR SHARE) r, file f', ['role role written', 'file f']],
    ['SELECT 1 FROM (file f JOIN role r ON true) WHERE EXISTS (SELECT 1 FROM album)', ['file f', 'role r', 'album album']],
    ['UPDATE ONLY role SET a = 1', ['role role written']],
    ['TRUNCATE TABLE role', ['role role written']],
    ['LOCK TABLE file', ['file file written']],
  ])('finds the tables of %s', (text, tables) => {
    expect(tablesIn(text).map(({ table, alias, isWritten }) => `${table} ${alias}${isWritten ? ' written' : ''}`)).toEqual(tables);
  });

  it('reads templates with their holes, texts within the holes, and the properties of declarations', () => {
    const source =
      "const a = sql`SELECT ${one} FROM ${b ? sql`(SELECT 2)` : 'album'} r`; @Resource({ table: 'album' }) class X {}; html`<p>`;";
    expect(textsIn('libs/media/a.ts', source).map(({ text, isTagged, property }) => [text, isTagged, property])).toEqual([
      ['SELECT … FROM … r', true, undefined],
      ['(SELECT 2)', true, undefined],
      ['album', false, undefined],
      ['album', false, 'table'],
    ]);
  });

  it.each([
    ['SELECT 1', true, true],
    ['  WITH a AS (SELECT 1) SELECT 2', true, true],
    ['EXISTS (SELECT 1)', true, false],
    ['UPDATE', false, false],
    ['UPDATE a SET b = 1', false, true],
    ['SELECTED', true, false],
    ['(SELECT 1) UNION ALL (SELECT 2)', true, true],
    ['(SELECT max(a) FROM b)', true, false],
    ['… SELECT 1', true, true],
    ['-- why\n  select 1', true, true],
  ])('distinguishes a statement from a part of one: %s', (text, isTagged, expected) => {
    expect(isStatement({ text, isTagged })).toBe(expected);
  });
});
