import { FormMigrations, type VersionedFormRow } from '@atrium/forms';
import { inWorkspace, sql, type Sql, type UnitOfWork } from '@atrium/platform/database';
import { Problem, type JsonObject } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { startAtrium, startWorker } from '../support/api';
import { makeThingTable, Things, type ListWish } from './things';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let things: Things;
let migrations: FormMigrations;
let count = 0;

beforeAll(async () => {
  api = await startAtrium();
  [ours, theirs] = [await api.workspace(), await api.workspace()];
  await makeThingTable(api);
  things = new Things(api.app);
  migrations = api.app.get(FormMigrations, { strict: false });
});
afterAll(() => api.close());

const inOurs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(ours.tenant_id, work);
const inTheirs = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(theirs.tenant_id, work);

const NAME = { key: 'name', type: 'text', label: 'Name', filterable: true };
const PRICE = { key: 'price', type: 'number', label: 'Price', filterable: true };

const config = (...fields: JsonObject[]): JsonObject => ({ version: 1, fields });
const formOf = (...fields: JsonObject[]): Promise<VersionedFormRow> =>
  inOurs(() => things.rows.create('task', { form_name: `Form ${++count}`, form_config: config(...fields) }));
const changed = (form_id: string, ...fields: JsonObject[]): Promise<VersionedFormRow> =>
  inOurs(() => things.rows.change('task', form_id, { form_config: config(...fields) }));
const create = (form_id: string, content: JsonObject): Promise<string> => inOurs(() => things.create(form_id, content));
const names = async (form_id: string, wish: ListWish): Promise<unknown[]> =>
  (await inOurs(() => things.all(form_id, wish))).map(({ thing_content }) => thing_content.name);

/** The run that the outbox would start: it goes on until it is done. */
const migrate = async (form_id: string, revision?: number): Promise<void> => {
  const { form_revision } = await inOurs(() => things.rows.get('task', form_id));
  const run = { signal: new AbortController().signal, heartbeat: () => Promise.resolve(), givesUpOn: () => Promise.resolve(false) };
  await inOurs(() => migrations.followChange(form_id, revision ?? form_revision, run));
};

const refusal = async (work: Promise<unknown>): Promise<{ code: string; errors: readonly { path: string; code: string }[] }> => {
  const problem = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(problem instanceof Problem)) throw new Error(`No problem: ${String(problem)}`);
  return { code: problem.code, errors: (problem.errors ?? []).map(({ path, code }) => ({ path, code })) };
};

describe('lists by content', () => {
  let form_id: string;
  beforeAll(async () => {
    ({ form_id } = await formOf(
      NAME,
      PRICE,
      { key: 'made', type: 'date', label: 'Made', filterable: true },
      {
        key: 'kind',
        type: 'select',
        label: 'Kind',
        filterable: true,
        options: [
          { value: 'boat', label: 'Boat' },
          { value: 'pier', label: 'Pier' },
        ],
      },
      { key: 'words', type: 'tags', label: 'Words', filterable: true },
      { key: 'owner', type: 'user', label: 'Owner', filterable: true },
      { key: 'open', type: 'boolean', label: 'Open', filterable: true },
      { key: 'address', type: 'group', label: 'Address', fields: [{ key: 'city', type: 'text', label: 'City', filterable: true }] },
      { key: 'notes', type: 'long_text', label: 'Notes', filterable: true },
      { key: 'plain', type: 'text', label: 'Plain' },
      { key: 'secret', type: 'text', label: 'Secret', filterable: true, sensitive: true },
    ));
    const rows: JsonObject[] = [
      {
        name: 'Alba',
        price: 10,
        made: '2025-01-01',
        kind: 'boat',
        words: ['red', 'old'],
        owner: ours.owner.user_id,
        open: true,
        address: { city: 'Arezzo' },
        notes: `${'x'.repeat(300)} END one`,
      },
      {
        name: 'brezza',
        price: 9.5,
        made: '2026-01-01',
        kind: 'pier',
        words: ['red'],
        open: false,
        address: { city: 'Bari' },
        notes: `${'x'.repeat(300)} END two`,
      },
      { name: 'Cala', price: -3, kind: 'boat', words: [] },
      { name: 'Darsena' },
    ];
    for (const content of rows) await create(form_id, content);
  });

  it.each<[string, ListWish, string[]]>([
    ['a number from a bound on', { filter: { price: { gte: '9.5' } } }, ['brezza', 'Alba']],
    ['a number between bounds', { filter: { price: { gt: '-3', lt: '10' } } }, ['brezza']],
    ['below a bound, without those that have none', { filter: { price: { lte: '9.5' } } }, ['Cala', 'brezza']],
    ['a value', { filter: { price: '-3' } }, ['Cala']],
    ['a text without regard to case', { filter: { name: 'BREZZA' } }, ['brezza']],
    ['part of a text', { filter: { name: { contains: 'SEN' } } }, ['Darsena']],
    ['one of several options', { filter: { kind: { in: 'boat,pier' } } }, ['Cala', 'brezza', 'Alba']],
    ['an option by its label', { filter: { kind: 'Boat' } }, ['Cala', 'Alba']],
    ['another value, or none', { filter: { kind: { ne: 'boat' } } }, ['Darsena', 'brezza']],
    ['a day', { filter: { made: { gte: '2025-06-01' } } }, ['brezza']],
    ['a word among several', { filter: { words: { contains: 'old' } } }, ['Alba']],
    ['no value', { filter: { price: { empty: 'true' } } }, ['Darsena']],
    ['no word', { filter: { words: { empty: 'true' } } }, ['Darsena', 'Cala']],
    ['some value', { filter: { made: { empty: 'false' } } }, ['brezza', 'Alba']],
    ['a member', { filter: { owner: '' } }, []],
    ['yes', { filter: { open: 'true' } }, ['Alba']],
    ['part of a group', { filter: { 'address.city': 'arezzo' } }, ['Alba']],
    ['a long text by all of it', { filter: { notes: `${'x'.repeat(300)} end ONE` } }, ['Alba']],
    ['the end of a long text', { filter: { notes: { contains: 'end tw' } } }, ['brezza']],
    ['several conditions', { filter: { kind: 'boat', price: { gte: '0' } } }, ['Alba']],
    ['in the order of a number, absent ones last', { sort: 'obj_content_price' }, ['Cala', 'brezza', 'Alba', 'Darsena']],
    ['against that order, absent ones last again', { sort: '-obj_content_price' }, ['Alba', 'brezza', 'Cala', 'Darsena']],
    ['in the order of a text', { sort: 'obj_content_name', limit: 1 }, ['Alba', 'brezza', 'Cala', 'Darsena']],
    ['in the order of part of a group', { sort: '-obj_content_address.city', limit: 1 }, ['brezza', 'Alba', 'Darsena', 'Cala']],
    ['a filter in its own order', { filter: { price: { gte: '0' } }, sort: '-obj_content_price', limit: 1 }, ['Alba', 'brezza']],
    ['no value in its own order', { filter: { price: { empty: 'true' } }, sort: 'obj_content_price' }, ['Darsena']],
    ['a filter in the order of another field', { filter: { kind: 'boat' }, sort: 'obj_content_price', limit: 1 }, ['Cala', 'Alba']],
  ])('find %s', async (what, wish, expected) => {
    const asked = what === 'a member' ? { filter: { owner: ours.owner.user_id } } : wish;
    expect(await names(form_id, asked)).toEqual(what === 'a member' ? ['Alba'] : expected);
  });

  it.each<[string, ListWish, string]>([
    ['a field that is not there', { filter: { gone: '1' } }, 'obj_content[gone] unknown_field'],
    ['a field that is not indexed', { filter: { plain: 'x' } }, 'obj_content[plain] unknown_field'],
    ['a sensitive field', { filter: { secret: 'x' } }, 'obj_content[secret] unknown_field'],
    ['an order by a sensitive field', { sort: 'obj_content_secret' }, 'sort=obj_content_secret unknown_field'],
    ['an order of several values', { sort: 'obj_content_words' }, 'sort=obj_content_words option'],
    ['a value of another type', { filter: { price: 'much' } }, 'obj_content[price] format'],
    ['an operator that is none', { filter: { price: { like: '1' } } }, 'obj_content[price][like] option'],
    ['an order of references', { filter: { owner: { gt: '0190a8c4-0000-7000-8000-000000000000' } } }, 'obj_content[owner] option'],
    ['a name that is no own key', { filter: { constructor: '1' } }, 'obj_content[constructor] unknown_field'],
  ])('refuse %s', async (_, wish, expected) => {
    const { code, errors } = await refusal(inOurs(() => things.list(form_id, wish)));
    expect({ code, errors: errors.map((one) => `${one.path} ${one.code}`) }).toEqual({ code: 'validation_failed', errors: [expected] });
  });

  it('[objects 10] go through 2,000 rows without a repeat or a gap while others insert', async () => {
    const { form_id: big } = await formOf(NAME, PRICE);
    const rows = Array.from({ length: 2_000 }, (_, at) => ({ name: `n${at}`, price: at % 50 }));
    await inOurs(() => things.createAll(big, rows));
    const seen = await inOurs(() =>
      things.all(big, { filter: { price: { gte: '10' } }, sort: 'obj_content_price', limit: 100 }, () =>
        things.create(big, { name: 'late', price: Math.floor(Math.random() * 50) }),
      ),
    );
    const early = seen.filter(({ thing_content }) => thing_content.name !== 'late');
    expect(new Set(seen.map(({ thing_id }) => thing_id)).size).toBe(seen.length);
    expect(early).toHaveLength(1_600);
    const prices = seen.map(({ thing_content }) => Number(thing_content.price));
    expect(prices).toEqual([...prices].sort((a, b) => a - b));
  });

  it('have index rows written for what a change changes, and for nothing else', async () => {
    const words = { key: 'words', type: 'tags', label: 'Words', filterable: true };
    const { form_id } = await formOf(NAME, PRICE, words);
    const id = await create(form_id, { name: 'same', price: 1, words: ['red', 'old', 'low'] });
    const places = async (): Promise<Record<string, unknown>> => {
      const found = await api.sql<{ place: string; row: string }>(
        "SELECT field_key || ' ' || coalesce(value_text, value_num::text) AS place, ctid::text AS row FROM form_value WHERE owner_id = $1",
        [id],
      );
      return Object.fromEntries(found.map(({ place, row }) => [place, row]));
    };
    const before = await places();
    await inOurs(() => things.change(id, { price: 2, words: ['red', 'new'] }));
    const after = await places();
    expect(Object.keys(after).sort()).toEqual(['name same', 'price 2', 'words new', 'words red']);
    expect([after['name same'], after['words red']]).toEqual([before['name same'], before['words red']]);
    await inOurs(() => things.change(id, { price: null }));
    const left = await places();
    expect(left['name same']).toBe(before['name same']);
    expect(Object.keys(left)).not.toContain('price 2');
  });

  it('have a cursor for the longest text under the longest name', async () => {
    const key = 'k'.repeat(40);
    const text = { key, type: 'text', label: 'T', filterable: true, max_length: 1_000 };
    const { form_id: deep } = await formOf({
      key,
      type: 'group',
      label: 'G',
      fields: [{ key, type: 'group', label: 'G', fields: [text] }],
    });
    for (const letter of ['b', 'a', 'c']) await create(deep, { [key]: { [key]: { [key]: `${'"\\😀'.repeat(100)}${letter}` } } });
    expect(await inOurs(() => things.all(deep, { sort: `-obj_content_${key}.${key}.${key}`, limit: 1 }))).toHaveLength(3);
  });

  it('show nothing of another workspace', async () => {
    expect(await refusal(inTheirs(() => things.list(form_id, {})))).toMatchObject({ code: 'not_found' });
    const seen = await inTheirs(() =>
      things.db.read(async (tx) => ({
        values: await tx.query(sql`SELECT 1 FROM form_value`),
        uniques: await tx.query(sql`SELECT 1 FROM form_unique`),
        forms: await tx.query(sql`SELECT 1 FROM form WHERE form_managed_by IS NULL`),
      })),
    );
    expect(seen).toEqual({ values: [], uniques: [], forms: [] });
    expect(await inTheirs(() => things.values.findPointers([ours.owner.user_id], 10))).toEqual([]);
    expect(await inOurs(() => things.values.findPointers([ours.owner.user_id], 10))).toMatchObject([{ form_id, field_key: 'owner' }]);
  });
});

describe('a page by content', () => {
  const ROWS = 50_000;
  let form_id: string;

  beforeAll(async () => {
    ({ form_id } = await formOf(NAME, PRICE, { key: 'kind', type: 'text', label: 'Kind', filterable: true }));
    for (let from = 0; from < ROWS; from += 5_000) {
      const rows = Array.from({ length: 5_000 }, (_, at) => ({
        name: `n${((from + at) * 7_919) % ROWS}`,
        price: from + at,
        kind: `k${at % 4}`,
      }));
      await inOurs(() => things.createAll(form_id, rows));
    }
    await api.sql('ANALYZE form_value');
    await api.sql('ANALYZE thing');
  }, 300_000);

  interface PlanNode {
    readonly 'Relation Name'?: string;
    readonly 'Actual Rows': number;
    readonly 'Actual Loops': number;
    readonly 'Rows Removed by Filter'?: number;
    readonly 'Shared Hit Blocks': number;
    readonly 'Shared Read Blocks': number;
    readonly Plans?: readonly PlanNode[];
  }

  const rowsRead = async (wish: ListWish): Promise<number> => (await read(wish)).rows;

  /** Rows that all scans of the page's statement read, those included that they threw away, and blocks that it read. */
  async function read(wish: ListWish): Promise<{ readonly rows: number; readonly blocks: number }> {
    return inOurs(() =>
      things.db.read(async (tx) => {
        let statement: Sql | undefined;
        const capture = (asked: Sql) => ((statement = asked), Promise.resolve([]));
        const capturing = { query: capture, queryByValues: capture } as unknown as UnitOfWork;
        await things.page(capturing, form_id, wish);
        const [explained] = await tx.query<{ 'QUERY PLAN': readonly { Plan: PlanNode }[] }>(
          sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement ?? sql`SELECT 1`}`,
        );
        const scanned = (node: PlanNode): number =>
          (node['Relation Name'] ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'] : 0) +
          (node.Plans ?? []).reduce((sum, inner) => sum + scanned(inner), 0);
        const plan = explained?.['QUERY PLAN'][0]?.Plan;
        if (!plan) throw new Error('The statement has no plan.');
        return { rows: scanned(plan), blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
      }),
    );
  }

  const deep = async (wish: ListWish, pages: number): Promise<string | undefined> => {
    let cursor: string | undefined;
    for (let page = 0; page < pages; page++)
      cursor = (await inOurs(() => things.list(form_id, { ...wish, limit: 1_000, cursor }))).next_cursor ?? undefined;
    return cursor;
  };

  it.each<[string, ListWish]>([
    ['in the order of a number', { sort: 'obj_content_price' }],
    ['against the order of a text', { sort: '-obj_content_name' }],
    ['of a range in its own order', { sort: 'obj_content_price', filter: { price: { gte: '40000' } } }],
    ['of one value in a thousand in its own order', { sort: '-obj_content_price', filter: { price: { lt: '50' } } }],
    ['of one row', { filter: { price: '777' } }],
  ])('%s reads no more than the page', async (_, wish) => {
    expect(await rowsRead({ ...wish, limit: 50 })).toBeLessThanOrEqual(3 * 51);
  });

  it.each<[string, ListWish]>([
    ['of a number', { sort: 'obj_content_price' }],
    ['against a text', { sort: '-obj_content_name' }],
    ['of a range, in its own order', { sort: 'obj_content_price', filter: { price: { gte: '5000' } } }],
    ['of a range, against its own order', { sort: '-obj_content_price', filter: { price: { lt: '45000' } } }],
  ])('far behind in the order %s reads no more than the first one, of the index too', async (_, wish) => {
    const cursor = await deep(wish, 30);
    expect(cursor).toBeDefined();
    const [first, far] = [await read({ ...wish, limit: 50 }), await read({ ...wish, limit: 50, cursor })];
    expect(far.rows).toBeLessThanOrEqual(3 * 51);
    expect(far.blocks).toBeLessThanOrEqual(first.blocks + 40);
  });

  it('keeps to its filter behind a cursor of another one', async () => {
    const sort = 'obj_content_price';
    const { next_cursor } = await inOurs(() => things.list(form_id, { sort, filter: { price: { lt: '60' } }, limit: 20 }));
    const page = await inOurs(() =>
      things.list(form_id, { sort, filter: { price: { gte: '40', lt: '45' } }, limit: 20, cursor: next_cursor ?? undefined }),
    );
    expect(page.data.map(({ thing_content }) => thing_content.price)).toEqual([40, 41, 42, 43, 44]);
  });

  it('of a filter in another order reads the page and what it skips', async () => {
    expect(await rowsRead({ sort: 'obj_content_price', filter: { kind: 'k1' }, limit: 50 })).toBeLessThanOrEqual(4 * 4 * 51);
  });
});

describe('a unique value', () => {
  const SKU = { key: 'sku', type: 'text', label: 'Sku', unique: true };

  it('[objects 8] raced by 20 creates goes to one of them', async () => {
    const { form_id } = await formOf(SKU);
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create(form_id, { sku: 'A-1' })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        expect(outcome.reason).toMatchObject({ code: 'already_exists', errors: [{ path: 'obj_content.sku', code: 'unique' }] });
    }
  });

  it('is free again when it changes, is given up or its row is gone', async () => {
    const { form_id } = await formOf(SKU, { key: 'code', type: 'decimal', label: 'Code', unique: true });
    const first = await create(form_id, { sku: 'A', code: '1.50' });
    expect(await refusal(create(form_id, { sku: 'B', code: '1.5' }))).toEqual({
      code: 'already_exists',
      errors: [{ path: 'obj_content.code', code: 'unique' }],
    });
    await inOurs(() => things.change(first, { code: '2' }));
    const second = await create(form_id, { sku: 'B', code: '1.5' });
    expect(await refusal(inOurs(() => things.change(second, { sku: 'A' })))).toMatchObject({ code: 'already_exists' });
    await inOurs(() => things.db.write(() => things.values.freeUniqueValues([first])));
    await inOurs(() => things.change(second, { sku: 'A' }));
    const form = await inOurs(() => things.rows.openForm('task', form_id));
    expect(await inOurs(() => things.values.findOwners(form, 'sku', ['A', 'B']))).toEqual(new Map([['A', second]]));
  });

  it('crossed by two changes at once leaves one winner and no deadlock', async () => {
    const { form_id } = await formOf(SKU, { key: 'code', type: 'text', label: 'Code', unique: true });
    const pairs = Array.from({ length: 10 }, (_, at) => [
      create(form_id, { sku: `s${at}`, code: `c${at}` }),
      create(form_id, { code: `c${at}`, sku: `s${at}` }),
    ]);
    const outcomes = await Promise.allSettled(pairs.flat());
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(outcomes.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Problem).code] : []))).toEqual(
      Array.from({ length: 10 }, () => 'already_exists'),
    );
  });

  it('is the same for two workspaces and two forms', async () => {
    const [{ form_id }, { form_id: other }] = [await formOf(SKU), await formOf(SKU)];
    await create(form_id, { sku: 'A' });
    await create(other, { sku: 'A' });
    const { form_id: foreign } = await inTheirs(() => things.rows.create('task', { form_name: 'Theirs', form_config: config(SKU) }));
    await inTheirs(() => things.create(foreign, { sku: 'A' }));
  });
});

it('[objects 9] an automatic number under 50 creates at once has no gap and no repeat, also after one that failed', async () => {
  const { form_id } = await formOf(
    { key: 'number', type: 'auto_number', label: 'Number' },
    { key: 'sku', type: 'text', label: 'Sku', unique: true },
  );
  await create(form_id, { sku: 'taken' });
  const outcomes = await Promise.allSettled([
    ...Array.from({ length: 49 }, (_, at) => create(form_id, { sku: `s${at}` })),
    create(form_id, { sku: 'taken' }),
  ]);
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  const rows = await inOurs(() => things.all(form_id, {}));
  const numbers = rows.map(({ thing_content }) => Number(thing_content.number)).sort((a, b) => a - b);
  expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
});

describe('a reference', () => {
  it('to a member is asked after, and one of another workspace is as unknown as any', async () => {
    const { form_id } = await formOf({ key: 'owner', type: 'user', label: 'Owner' }, { key: 'file', type: 'file', label: 'File' });
    await create(form_id, { owner: ours.owner.user_id });
    const foreign = await refusal(create(form_id, { owner: theirs.owner.user_id }));
    expect(foreign).toEqual(await refusal(create(form_id, { owner: '0190a8c4-0000-7000-8000-000000000000' })));
    expect(foreign).toEqual({ code: 'validation_failed', errors: [{ path: 'obj_content.owner', code: 'reference' }] });
  });
});

describe('a change of a form', () => {
  it('[objects 3] hides the values of a field that is removed, and shows them when it is back', async () => {
    const { form_id } = await formOf(NAME, PRICE);
    const id = await create(form_id, { name: 'a', price: 5 });
    expect((await changed(form_id, NAME)).form_revision).toBe(2);
    await migrate(form_id);
    expect(await inOurs(() => things.shown(id))).toEqual({ name: 'a' });
    await inOurs(() => things.change(id, { name: 'b' }));
    await changed(form_id, NAME, PRICE);
    await migrate(form_id);
    expect(await inOurs(() => things.shown(id))).toEqual({ name: 'b', price: 5 });
    expect(await names(form_id, { filter: { price: '5' } })).toEqual(['b']);
  });

  it('[objects 3] renames at once for readers and writers, and afterwards for good', async () => {
    const { form_id } = await formOf(NAME, PRICE, {
      key: 'g',
      type: 'list',
      label: 'G',
      fields: [{ key: 'old', type: 'integer', label: 'Old' }],
    });
    const [first, second] = [
      await create(form_id, { name: 'a', price: 5, g: [{ old: 1 }] }),
      await create(form_id, { name: 'b', price: 6 }),
    ];
    const next: JsonObject[] = [
      NAME,
      { ...PRICE, key: 'cost', renamed_from: 'price' },
      { key: 'g', type: 'list', label: 'G', fields: [{ key: 'now', type: 'decimal', label: 'Now', renamed_from: 'old' }] },
    ];
    expect((await changed(form_id, ...next)).form_migration).toEqual({ status: 'queued', done: 0, total: 2 });
    expect(await inOurs(() => things.shown(first))).toMatchObject({ name: 'a', cost: 5, g: [{ now: '1' }] });
    await inOurs(() => things.change(second, { cost: 7 }));
    expect((await inOurs(() => things.stored(second))).thing_content).toEqual({ name: 'b', cost: 7 });
    expect(await refusal(inOurs(() => things.list(form_id, { sort: 'obj_content_cost' })))).toMatchObject({ code: 'invalid_state' });
    expect(await refusal(changed(form_id, NAME, PRICE))).toMatchObject({ code: 'invalid_state' });
    await migrate(form_id);
    expect((await inOurs(() => things.stored(first))).thing_content).toMatchObject({ name: 'a', cost: 5, g: [{ now: '1' }] });
    expect((await inOurs(() => things.rows.get('task', form_id))).form_migration).toEqual({ status: 'done', done: 2, total: 2 });
    expect(await names(form_id, { sort: '-obj_content_cost' })).toEqual(['b', 'a']);
    expect(await api.sql(`SELECT 1 FROM form_value WHERE form_id = $1 AND field_key = 'price'`, [form_id])).toEqual([]);
  });

  it('[objects 4] to a type that loses values is refused with their number, and taken where nothing is stored', async () => {
    const { form_id } = await formOf(NAME, PRICE);
    const asDate = { key: 'price', type: 'date', label: 'Price' };
    await create(form_id, { name: 'a' });
    await changed(form_id, NAME, asDate);
    await migrate(form_id);
    await changed(form_id, NAME, PRICE);
    await migrate(form_id);
    await create(form_id, { name: 'b', price: 5 });
    expect(await refusal(changed(form_id, NAME, asDate))).toEqual({
      code: 'in_use',
      errors: [{ path: 'form_config.fields[1]', code: 'type' }],
    });
    await changed(form_id, NAME);
    await migrate(form_id);
    expect(await refusal(changed(form_id, NAME, asDate))).toMatchObject({ code: 'in_use' });
  });

  it('converts without a loss', async () => {
    const options = [{ value: 'x', label: 'X' }];
    const { form_id } = await formOf(
      PRICE,
      { key: 'kind', type: 'select', label: 'Kind', options },
      { key: 'open', type: 'boolean', label: 'Open' },
    );
    const id = await create(form_id, { price: 0.0000001, kind: 'x', open: true });
    await changed(
      form_id,
      { ...PRICE, type: 'decimal' },
      { key: 'kind', type: 'multi_select', label: 'Kind', options },
      { key: 'open', type: 'text', label: 'Open' },
    );
    const expected = { price: '0.0000001', kind: ['x'], open: 'true' };
    expect(await inOurs(() => things.shown(id))).toEqual(expected);
    await migrate(form_id);
    expect((await inOurs(() => things.stored(id))).thing_content).toEqual(expected);
  });

  it('[objects 5] that tightens is taken; rows below it are read, and refused when next written', async () => {
    const { form_id } = await formOf(NAME, PRICE);
    const id = await create(form_id, { name: 'a', price: 5 });
    await changed(form_id, NAME, { ...PRICE, min: 10 });
    expect(await inOurs(() => things.shown(id))).toEqual({ name: 'a', price: 5 });
    expect(await refusal(inOurs(() => things.change(id, { name: 'b' })))).toEqual({
      code: 'validation_failed',
      errors: [{ path: 'obj_content.price', code: 'minimum' }],
    });
  });

  it('that makes a field unique is refused while values stand twice, and claims them where they do not', async () => {
    const { form_id } = await formOf(NAME, PRICE);
    const [first] = [await create(form_id, { name: 'a', price: 1 }), await create(form_id, { name: 'a', price: 2 })];
    expect(await refusal(changed(form_id, { ...NAME, unique: true }, PRICE))).toEqual({
      code: 'in_use',
      errors: [{ path: 'form_config.fields[0]', code: 'unique' }],
    });
    await inOurs(() => things.change(first, { name: 'b' }));
    await changed(form_id, { ...NAME, unique: true }, PRICE);
    await migrate(form_id);
    expect(await refusal(create(form_id, { name: 'b' }))).toMatchObject({ code: 'already_exists' });
    await changed(form_id, NAME, PRICE);
    await migrate(form_id);
    await create(form_id, { name: 'b' });
  });

  it('goes on where an interrupted run ended, and does each row once', async () => {
    const { form_id } = await formOf(NAME, { ...PRICE, filterable: false });
    for (let batch = 0; batch < 3; batch++)
      await inOurs(() =>
        things.createAll(
          form_id,
          Array.from({ length: 500 }, (_, at) => ({ name: `n${at}`, price: at })),
        ),
      );
    await changed(form_id, NAME, { ...PRICE, key: 'cost', renamed_from: 'price' });
    things.takenBack = [];
    let batches = 0;
    things.interrupt = () => {
      if (++batches === 2) throw new Error('killed');
    };
    await expect(migrate(form_id)).rejects.toThrow('killed');
    things.interrupt = undefined;
    const moved = await api.sql('SELECT 1 FROM thing WHERE thing_form = $1 AND thing_content ? $2', [form_id, 'cost']);
    expect(things.takenBack).toHaveLength(moved.length);
    expect((await inOurs(() => things.rows.get('task', form_id))).form_migration).toEqual({
      status: 'running',
      done: moved.length,
      total: 1_500,
    });
    await migrate(form_id);
    await migrate(form_id);
    expect(things.takenBack).toHaveLength(1_500);
    expect(new Set(things.takenBack.map(({ id }) => id)).size).toBe(1_500);
    expect((await inOurs(() => things.list(form_id, { filter: { cost: { gte: '499' } } }))).data).toHaveLength(3);
  });

  it('is followed by the run of the change before, whose job was not closed when its worker was lost', async () => {
    const { form_id } = await formOf(NAME, PRICE);
    const id = await create(form_id, { name: 'a', price: 5 });
    await changed(form_id, NAME, { ...PRICE, key: 'cost', renamed_from: 'price' });
    await migrate(form_id);
    await changed(form_id, NAME, { ...PRICE, key: 'worth', renamed_from: 'cost' });
    const open = await api.sql(`SELECT 1 FROM outbox WHERE ev_name = 'forms.migrate' AND ev_key = $1 AND ev_done IS NULL`, [form_id]);
    expect(open).toHaveLength(2);
    await migrate(form_id, 2);
    expect((await inOurs(() => things.stored(id))).thing_content).toEqual({ name: 'a', worth: 5 });
    expect((await inOurs(() => things.rows.get('task', form_id))).form_migration).toEqual({ status: 'done', done: 1, total: 1 });
  });

  it('[objects 10] is followed by the worker: a key made filterable over stored rows is found by', async () => {
    const worker = new Things(await startWorker(api));
    const { form_id } = await formOf(NAME, { ...PRICE, filterable: false });
    await inOurs(() =>
      things.createAll(
        form_id,
        Array.from({ length: 700 }, (_, at) => ({ name: `n${at}`, price: at })),
      ),
    );
    await changed(form_id, NAME, PRICE);
    const done = await eventually(
      () => inOurs(() => things.rows.get('task', form_id)),
      ({ form_migration }) => form_migration?.status === 'done',
    );
    expect(done.form_migration).toEqual({ status: 'done', done: 700, total: 700 });
    expect(worker.takenBack).toHaveLength(700);
    expect(await names(form_id, { filter: { price: '699' } })).toEqual(['n699']);
  });
});

describe('forms as rows', () => {
  it('have one name among the active ones of a kind, whichever request is first', async () => {
    const make = (form_name: string) => inOurs(() => things.rows.create('task', { form_name }));
    const outcomes = await Promise.allSettled([make('Harbour'), make('harbour'), make('HARBOUR')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'already_exists' });
    await inOurs(() => things.rows.create('record', { form_name: 'Harbour' }));
    const one = (await inOurs(() => things.rows.list('task', { form_name: 'harbour' } as object))).data[0];
    await inOurs(() => things.rows.deactivate('task', one?.form_id ?? ''));
    const { form_id } = await make('Harbour');
    expect(await refusal(inOurs(() => things.rows.change('task', one?.form_id ?? '', { form_active: true })))).toMatchObject({
      code: 'already_exists',
    });
    expect(await refusal(inOurs(() => things.rows.get('record', form_id)))).toMatchObject({ code: 'not_found' });
    expect(await refusal(inTheirs(() => things.rows.change('task', form_id, { form_name: 'x' })))).toMatchObject({ code: 'not_found' });
  });

  it('[objects 6] take no content while inactive', async () => {
    const { form_id } = await formOf(NAME);
    await inOurs(() => things.rows.deactivate('task', form_id));
    expect(await refusal(create(form_id, { name: 'a' }))).toMatchObject({ code: 'invalid_state' });
    await inOurs(() => things.rows.change('task', form_id, { form_active: true }));
    await create(form_id, { name: 'a' });
  });

  it('that are managed are read only, stand once, and can be copied', async () => {
    const planted = { form_id: '0190a8c4-0000-7000-8000-0000000000f1', form_name: 'Question', form_config: config(NAME) };
    const plant = () => inOurs(() => things.rows.insertManagedForms('record', [planted], '00000000-0000-4000-8000-000000000001'));
    expect([await plant(), await plant()]).toEqual([1, 0]);
    expect(await refusal(inOurs(() => things.rows.change('record', planted.form_id, { form_name: 'x' })))).toMatchObject({
      code: 'invalid_state',
    });
    expect(await refusal(inOurs(() => things.rows.deactivate('record', planted.form_id)))).toMatchObject({ code: 'invalid_state' });
    const copy = await inOurs(() => things.rows.copy('record', planted.form_id, 'Our question'));
    expect(copy).toMatchObject({ form_managed_by: null, form_config: planted.form_config, form_revision: 1 });
    await inOurs(() => things.rows.change('record', copy.form_id, { form_config: config(NAME, PRICE) }));
  });

  it('keep a log of their configurations', async () => {
    const { form_id } = await formOf(NAME);
    await changed(form_id, NAME, PRICE);
    await inOurs(() => things.rows.change('task', form_id, { form_description: 'x' }));
    const log = await api.sql<{ frl_revision: number; frl_changes: readonly { field: string; change: string }[] }>(
      'SELECT frl_revision, frl_changes FROM form_revision_log WHERE frl_form = $1 ORDER BY 1',
      [form_id],
    );
    expect(
      log.map(({ frl_revision, frl_changes }) => [frl_revision, frl_changes.map(({ field, change }) => `${field} ${change}`)]),
    ).toEqual([
      [1, []],
      [2, ['price added']],
    ]);
  });

  it('refuse a configuration with a fault from every caller', async () => {
    const bad = { form_name: 'Bad', form_config: config({ key: '__proto__', type: 'text', label: 'x' }) };
    expect(await refusal(inOurs(() => things.rows.create('task', bad)))).toEqual({
      code: 'validation_failed',
      errors: [{ path: 'form_config.fields[0].key', code: 'format' }],
    });
  });
});
