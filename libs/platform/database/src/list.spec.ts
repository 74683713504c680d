import sql, { type Sql } from 'sql-template-tag';
import { SYSTEM_ACTOR } from './call-scope';
import { runInScope } from './current-scope';
import { decodeCursor, encodeCursor } from './cursor';
import { Choice, Flag, Id, Ref, Resource, Stamp, Text, Whole } from './fields';
import {
  columnsOf,
  filtersOf,
  listPage,
  literalPattern,
  writtenPage,
  type ListOptions,
  type ListParameters,
  type WrittenListOptions,
} from './list';
import type { UnitOfWork } from './unit-of-work';

const TENANT = '0190163d-8694-739b-aea5-966c26f8ad91';

@Resource({ table: 'barge', sort: '-barge_built', served: { barge_harbour: ['barge_built'], barge_insured: ['barge_built'] } })
class Barge {
  @Id() barge_id!: string;
  @Text({ sort: true, filter: 'contains' }) barge_name!: string;
  @Text({ filter: 'prefix' }) barge_cargo!: string;
  @Stamp({ sort: true, filter: 'range' }) barge_built!: Date;
  @Whole({ filter: 'range', sort: 'barge_weight_sort' }) barge_weight!: number;
  @Choice(['afloat', 'docked'], { filter: 'equals' }) barge_state!: string;
  @Flag({ filter: true }) barge_insured!: boolean;
  @Ref({ filter: 'equals', optional: true }) barge_harbour!: string | null;
  @Text({ internal: true, filter: 'equals' }) barge_note!: string;
  @Text({ computed: true, filter: 'equals' }) barge_story!: string;
}

@Resource({ table: 'buoy', sort: '-buoy_colour', isFoundById: false })
class Buoy {
  @Id() buoy_id!: string;
  @Text({ sort: true }) buoy_colour!: string;
}

type Row = Record<string, unknown>;
type Query = ListParameters & Record<string, unknown>;

/** What one page sends, and what it makes of the rows it is given. */
class Recorder {
  text = '';
  values: readonly unknown[] = [];
  steady = false;

  constructor(private readonly rows: Row[]) {}

  query(statement: Sql): Promise<Row[]> {
    this.text = statement.text.replace(/\s+/g, ' ');
    this.values = statement.values;
    return Promise.resolve(this.rows.map((row) => ({ ...row })));
  }

  querySteady(statement: Sql): Promise<Row[]> {
    this.steady = true;
    return this.query(statement);
  }

  get unit(): UnitOfWork {
    return this as unknown as UnitOfWork;
  }

  get where(): string {
    return / WHERE (.*) ORDER BY /.exec(this.text)?.[1] ?? '';
  }

  get ordering(): string {
    return / ORDER BY (.*) LIMIT /.exec(this.text)?.[1] ?? '';
  }

  get size(): string {
    return / LIMIT (.*)$/.exec(this.text)?.[1] ?? '';
  }
}

const inTenant = <T>(work: () => T): T => runInScope({ tenant_id: TENANT, actor: SYSTEM_ACTOR, request_id: 'r' }, work);

async function asked(query: Query, options: ListOptions = {}, rows: Row[] = []): Promise<Recorder> {
  const recorder = new Recorder(rows);
  await inTenant(() => listPage(recorder.unit, Barge, query, options));
  return recorder;
}

const page = (query: Query, rows: Row[], options: ListOptions = {}) =>
  inTenant(() => listPage<Row>(new Recorder(rows).unit, Barge, query, options));
const written = (query: Query, rows: Row[], options: WrittenListOptions = {}) =>
  inTenant(() => writtenPage(new Recorder(rows).unit, Barge, query, options));

const barge = (n: number, more: Row = {}): Row => ({ barge_id: `id-${n}`, barge_built: `2026-01-0${n}`, ...more });
const cursorOf = (sort: string, key: string | number, id = 'id-3'): string => encodeCursor({ sort, key, id });

describe('a list asks the database', () => {
  it('for the rows of its own workspace, in the default order with the id after it, one more than the page holds', async () => {
    const { text, values } = await asked({});
    expect(text).toMatch(/ FROM "barge" r WHERE r\.tenant_id = \$1 ORDER BY r\."barge_built" DESC, r\."barge_id" DESC LIMIT \$2$/);
    expect(values).toEqual([TENANT, 51]);
  });

  it('for nothing at all outside of a workspace', async () => {
    await expect(listPage(new Recorder([]).unit, Barge, {})).rejects.toThrow('No workspace is bound');
  });

  it('for the visible columns alone: neither internal nor computed ones', async () => {
    const { text } = await asked({});
    const selected = /^SELECT (.*) FROM /.exec(text)?.[1]?.split(', ');
    expect(selected).toEqual([
      'r."barge_id"',
      'r."barge_name"',
      'r."barge_cargo"',
      'r."barge_built"',
      'r."barge_weight"',
      'r."barge_state"',
      'r."barge_insured"',
      'r."barge_harbour"',
    ]);
    expect(columnsOf(Barge).text).toBe(selected?.join(', '));
    expect(columnsOf(Barge, { barge_state: sql`upper(${'x'})` })).toMatchObject({
      text: expect.stringContaining('upper($1) AS "barge_state"') as string,
      values: ['x'],
    });
  });

  it.each<[string, Query, string, unknown[]]>([
    ['a choice by equality', { barge_state: 'afloat' }, 'r."barge_state" = $2', ['afloat']],
    ['a flag that is false', { barge_insured: false }, 'r."barge_insured" = $2', [false]],
    ['the id', { barge_id: 'one' }, 'r."barge_id" = $2', ['one']],
    ['a part of a text', { barge_name: 'Mar' }, 'dotless(folded(r."barge_name")) LIKE $2', ['%mar%']],
    ['a part with wildcards, as letters', { barge_name: '50%_\\' }, 'dotless(folded(r."barge_name")) LIKE $2', ['%50\\%\\_\\\\%']],
    ['a family of types', { barge_cargo: 'image_x/' }, 'r."barge_cargo" LIKE $2', ['image\\_x/%']],
    ['one type', { barge_cargo: 'image/png%' }, 'r."barge_cargo" = $2', ['image/png%']],
    ['a range with both ends in it', { barge_weight: [0, 9] }, 'r."barge_weight" BETWEEN $2 AND $3', [0, 9]],
    ['a range from one end on', { barge_weight: [7] }, 'r."barge_weight" >= $2', [7]],
  ])('for %s', async (_, query, condition, values) => {
    const sent = await asked(query);
    expect(sent.where).toBe(`r.tenant_id = $1 AND ${condition}`);
    expect(sent.values).toEqual([TENANT, ...values, 51]);
  });

  it('for all filters together, and the conditions of the list besides', async () => {
    const sent = await asked({ barge_state: 'docked', barge_name: 'a', barge_insured: true }, { where: sql`r.barge_owner = ${'me'}` });
    expect(sent.where).toBe(
      'r.tenant_id = $1 AND dotless(folded(r."barge_name")) LIKE $2 AND r."barge_state" = $3 AND r."barge_insured" = $4 AND r.barge_owner = $5',
    );
    expect(sent.values).toEqual([TENANT, '%a%', 'docked', true, 'me', 51]);
  });

  it('not by what is no filter: undeclared, computed, internal, or handled by the caller', async () => {
    const sent = await asked(
      { tenant_id: 'other', 'r.x = 1 OR 1': 1, barge_story: 'x', barge_note: 'x', barge_state: 'docked', barge_name: undefined },
      { ignore: ['barge_state'] },
    );
    expect(sent.where).toBe('r.tenant_id = $1');
    expect(sent.values).toEqual([TENANT, 51]);
    expect(filtersOf(Barge, { barge_state: 'docked', barge_insured: true } as Query, ['barge_state']).map(({ text }) => text)).toEqual([
      'r."barge_insured" = $1',
    ]);
  });

  it('with every value bound, whatever it holds', async () => {
    const evil = `'; DROP TABLE barge; --`;
    const sent = await asked({
      barge_state: evil,
      barge_name: evil,
      barge_cargo: evil,
      barge_weight: [evil, evil],
      sort: evil,
      offset: evil as unknown as number,
      cursor: evil,
    });
    expect(sent.text).not.toContain('DROP');
    const seeking = await asked({ cursor: cursorOf('-barge_built', evil, evil) });
    expect(seeking.text).not.toContain('DROP');
    expect(seeking.values).toEqual([TENANT, evil, evil, 51]);
  });
});

describe('the order of a list', () => {
  it.each([
    ['barge_built', 'r."barge_built" ASC, r."barge_id" ASC'],
    ['-barge_built', 'r."barge_built" DESC, r."barge_id" DESC'],
    ['barge_name', 'r."barge_name_key" ASC, r."barge_id" ASC'],
    ['-barge_weight', 'r."barge_weight_sort" DESC, r."barge_id" DESC'],
  ])('%s ends in the id, in the same direction', async (sort, ordering) => {
    expect((await asked({ sort })).ordering).toBe(ordering);
  });

  it.each(['barge_state', 'barge_note', '--barge_built', 'barge_built DESC', 'constructor', '-', ''])(
    'asked for by %j, which is none, is the default one',
    async (sort) => {
      expect((await asked({ sort })).ordering).toBe('r."barge_built" DESC, r."barge_id" DESC');
    },
  );

  it('may be one of the list’s own, in the place of a field’s too', async () => {
    const orders = { nearest: { key: sql`h.distance`, id: sql`h.barge_id` }, barge_name: { key: sql`h.name` } };
    expect((await asked({ sort: '-nearest' }, { orders })).ordering).toBe('h.distance DESC, h.barge_id DESC');
    expect((await asked({ sort: 'barge_name' }, { orders })).ordering).toBe('h.name ASC, r."barge_id" ASC');
    expect((await asked({ sort: 'toString' }, { orders })).ordering).toContain('barge_built');
  });
});

describe('a cursor of a list', () => {
  it.each([
    ['barge_built', '>'],
    ['-barge_built', '<'],
  ])('goes on strictly behind its row in the order %s', async (sort, operator) => {
    const sent = await asked({ sort, cursor: cursorOf(sort, '2026-01-03') });
    expect(sent.where).toBe(`r.tenant_id = $1 AND (r."barge_built", r."barge_id") ${operator} ($2, $3)`);
    expect(sent.values).toEqual([TENANT, '2026-01-03', 'id-3', 51]);
  });

  it('is added to the filters and does not replace them', async () => {
    const sent = await asked({ barge_state: 'docked', cursor: cursorOf('-barge_built', 'k') }, { where: sql`r.open` });
    expect(sent.where).toBe('r.tenant_id = $1 AND r."barge_state" = $2 AND r.open AND (r."barge_built", r."barge_id") < ($3, $4)');
  });

  it.each([
    ['barge_built', cursorOf('-barge_built', 'k')],
    ['-barge_built', cursorOf('barge_built', 'k')],
    ['barge_name', cursorOf('barge_built', 'k')],
    ['barge_built', 'not-a-cursor'],
  ])('in the order %s that was issued under another, or by nobody, is none: the first page answers', async (sort, cursor) => {
    expect((await asked({ sort, cursor })).where).toBe('r.tenant_id = $1');
  });

  it('takes the place of an offset', async () => {
    expect((await asked({ offset: 20 })).text).toContain(' LIMIT $2 OFFSET $3');
    expect((await asked({ offset: 20 })).values).toEqual([TENANT, 51, 20, TENANT]);
    expect((await asked({ offset: 0 })).size).toBe('$2');
    expect((await asked({ offset: 20, cursor: cursorOf('-barge_built', 'k') })).text).not.toContain('OFFSET');
  });

  it('is issued for the last row of the page, not for the one more, and is read in the same order', async () => {
    const { data, has_more, next_cursor } = await page({ limit: 2 }, [barge(1), barge(2), barge(3)]);
    expect(data).toEqual([barge(1), barge(2)]);
    expect(has_more).toBe(true);
    expect(decodeCursor(next_cursor ?? undefined, '-barge_built')).toEqual({ sort: '-barge_built', key: '2026-01-02', id: 'id-2' });
  });

  it('holds the stored key where that is no column clients see, and the key does not leave', async () => {
    const sent = await asked({ sort: 'barge_name' });
    expect(sent.text).toContain('r."barge_name_key" AS "~key" FROM');
    const { data, next_cursor } = await page({ sort: 'barge_name', limit: 1 }, [
      barge(1, { '~key': 'anna' }),
      barge(2, { '~key': 'berta' }),
    ]);
    expect(data).toEqual([barge(1)]);
    expect(decodeCursor(next_cursor ?? undefined, 'barge_name')).toMatchObject({ key: 'anna', id: 'id-1' });
  });
});

describe('a list with an offset', () => {
  const order = 'ORDER BY r."barge_built" DESC, r."barge_id" DESC';

  it('passes over ids, and finds the rows behind them by theirs, in the same order', async () => {
    const { text } = await asked({ offset: 20, barge_state: 'docked' });
    expect(text).toContain(
      `FROM (SELECT r."barge_id" AS "~left" FROM "barge" r WHERE r.tenant_id = $1 AND r."barge_state" = $2 ${order} LIMIT $3 OFFSET $4) "~rows" JOIN "barge" r ON r.tenant_id = $5 AND r."barge_id" = "~left"`,
    );
    expect(text.endsWith(order)).toBe(true);
  });

  it('carries whole rows along where no index finds them by their ids', async () => {
    const recorder = new Recorder([]);
    await inTenant(() => listPage(recorder.unit, Buoy, { offset: 20 }));
    expect(recorder.text).toBe(
      'SELECT r."buoy_id", r."buoy_colour",r."buoy_colour_key" AS "~key" FROM (SELECT r.* FROM "buoy" r WHERE r.tenant_id = $1 ORDER BY r."buoy_colour_key" DESC, r."buoy_id" DESC LIMIT $2 OFFSET $3) r ORDER BY r."buoy_colour_key" DESC, r."buoy_id" DESC',
    );
  });

  it('joins again what its columns and its order are read from', async () => {
    const options = {
      join: sql`JOIN harbour h ON h.barge_id = r.barge_id AND h.pier = ${7}`,
      select: sql`h.name`,
      orders: { nearest: { key: sql`h.distance` } },
    };
    const { text, values } = await asked({ offset: 20, sort: 'nearest' }, options);
    expect(text.split('JOIN harbour h ON h.barge_id = r.barge_id AND h.pier = ')).toHaveLength(3);
    expect(text.endsWith('ORDER BY h.distance ASC, r."barge_id" ASC')).toBe(true);
    expect(values).toEqual([7, TENANT, 51, 20, TENANT, 7]);
  });

  it('is written by the database for the rows of the page alone', async () => {
    const recorder = new Recorder([]);
    await inTenant(() => writtenPage(recorder.unit, Barge, { offset: 20 }));
    expect(recorder.text.indexOf('row_to_json')).toBeLessThan(recorder.text.indexOf('FROM (SELECT r."barge_id" AS "~left"'));
    expect(recorder.text.split('row_to_json')).toHaveLength(2);
  });
});

describe('a page of a list', () => {
  it('that is exactly full is the last one when there is no row more', async () => {
    expect(await page({ limit: 2 }, [barge(1), barge(2)])).toEqual({ data: [barge(1), barge(2)], has_more: false, next_cursor: null });
    expect(await page({ limit: 2 }, [])).toEqual({ data: [], has_more: false, next_cursor: null });
  });

  it.each<[ListParameters, number]>([
    [{}, 50],
    [{ limit: 7 }, 7],
    [{ limit: 1_001 }, 1_000],
    [{ limit_extended: 5_000 }, 5_000],
    [{ limit_extended: 10_001 }, 10_000],
    [{ limit: 5, limit_extended: 2_000 }, 2_000],
  ])('asked for by %j holds at most %d rows', async (query, limit) => {
    expect((await asked({ ...query })).values.at(-1)).toBe(limit + 1);
  });

  it('ends before the row with which completing it would cost too much, after one row in any case', async () => {
    const rows = [1, 2, 3, 4].map((n) => barge(n));
    const of = (row: Row): number => (row.barge_id === 'id-1' ? 9 : 4);
    const ids = async (most: number): Promise<unknown> => {
      const { data, has_more, next_cursor } = await page({ limit: 4 }, rows, { effort: { most, of } });
      expect(next_cursor === null).toBe(!has_more);
      return [data.map(({ barge_id }) => barge_id), has_more];
    };
    expect(await ids(21)).toEqual([['id-1', 'id-2', 'id-3', 'id-4'], false]);
    expect(await ids(20)).toEqual([['id-1', 'id-2', 'id-3'], true]);
    expect(await ids(1)).toEqual([['id-1'], true]);
  });

  it('written by the database reads as the page of rows, cursor included', async () => {
    const rows = [1, 2, 3].map((n) => ({ '~row': JSON.stringify(barge(n)) }));
    const page = await written({ limit: 2 }, rows);
    const answer = JSON.parse(page.text) as { data: Row[]; has_more: boolean; next_cursor: string };
    expect(answer).toMatchObject({ data: [barge(1), barge(2)], has_more: true });
    expect(decodeCursor(answer.next_cursor, '-barge_built')).toMatchObject({ key: '2026-01-02', id: 'id-2' });
    expect(JSON.parse((await written({ limit: 3 }, rows)).text)).toMatchObject({ data: { length: 3 }, has_more: false, next_cursor: null });
  });
});

describe('a plan is kept', () => {
  it.each<[string, Query, boolean]>([
    ['without a filter', {}, true],
    ['with a filter that an index serves in this order', { barge_harbour: 'h' }, true],
    ['with such a filter in another order', { barge_harbour: 'h', sort: 'barge_name' }, false],
    ['with a filter that no index serves', { barge_state: 'docked' }, false],
    ['with a second filter besides', { barge_harbour: 'h', barge_state: 'docked' }, false],
    ['with two that are each served', { barge_harbour: 'h', barge_insured: true }, false],
    ['with an offset', { offset: 1 }, false],
    ['with a size nobody else asks for', { limit: 51 }, false],
  ])('%s: %j', async (_, query, steady) => {
    const sent = await asked(query, { steady: true });
    expect(sent.steady).toBe(steady);
    expect(sent.size.startsWith('$')).toBe(!steady);
    expect((await asked(query)).steady).toBe(false);
  });

  it('with its size written out, for nothing else of it is', async () => {
    const sent = await asked({ limit: 100, barge_harbour: 'h' }, { steady: true });
    expect(sent.size).toBe('101');
    expect(sent.values).toEqual([TENANT, 'h']);
  });
});

describe('a literal pattern', () => {
  it('takes the meaning of every wildcard, not of the first alone', () => {
    expect(literalPattern('100%_a%b_\\')).toBe('100\\%\\_a\\%b\\_\\\\');
  });
});
