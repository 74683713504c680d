import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { loadSettings } from '@atrium/platform/config';
import type { JsonObject } from '@atrium/platform/kernel';
import { GuardedSockets, OutboundRetries } from '@atrium/platform/outbound';
import { eventually, SqlDatabase, TEST_CERTIFICATE, TlsFront } from '@atrium/platform/testing';
import { readConfig } from '../domain/source-config';
import type { SourcePage, SourceQuestion } from '../domain/source-port';
import { SqlSource } from './sql-source';

class Hasty extends OutboundRetries {
  override readonly pauseMs = 1;
}

const sourceWith = (allow: string): SqlSource =>
  new SqlSource(
    new GuardedSockets(
      loadSettings({ DATABASE_URL: 'postgres://x@127.0.0.1/x', MASTER_KEY: Buffer.alloc(32).toString('base64'), OUTBOUND_ALLOW: allow }),
    ),
    new Hasty(),
  );
const source = sourceWith('127.0.0.1,localhost');

let database: SqlDatabase;
beforeAll(async () => {
  database = await SqlDatabase.create();
});
afterAll(() => database.drop());
beforeEach(() =>
  database.run(`DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO ${database.username}`),
);

/** What the reader may read from now on. */
const make = (text: string): Promise<unknown> =>
  database.run(`${text}; GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${database.username}`);

const pagesOf = (
  config: JsonObject,
  { by = source, ...more }: Partial<SourceQuestion> & { by?: SqlSource } = {},
): AsyncGenerator<SourcePage, void> =>
  by.readPages({
    config: readConfig('sql', { ...database.config, key: 'id', ...config }),
    credentials: database.credentials,
    cursor: null,
    signal: new AbortController().signal,
    ...more,
  });
async function all(config: JsonObject, more: Partial<SourceQuestion> & { by?: SqlSource } = {}): Promise<SourcePage[]> {
  const pages: SourcePage[] = [];
  for await (const page of pagesOf(config, more)) pages.push(page);
  return pages;
}
const rowsOf = (pages: readonly SourcePage[]): JsonObject[] => pages.flatMap(({ rows }) => rows.map(({ value }) => value as JsonObject));
const ids = (pages: readonly SourcePage[]): unknown[] => rowsOf(pages).map(({ id }) => id);
/** A query of a source is at work in the database. */
const untilAsleep = (): Promise<unknown> =>
  eventually(
    () => database.connections(),
    (open) => open.some(({ query }) => query.includes('pg_sleep')),
  );
/** A query that takes long is left as soon as nobody waits for it, with the reason. */
async function expectLeftAtOnce(config: JsonObject): Promise<void> {
  const leaving = new AbortController();
  const read = all({ query: 'SELECT 1 AS id FROM pg_sleep(20)', ...config }, { signal: leaving.signal });
  await untilAsleep();
  leaving.abort(new Error('the job was cancelled'));
  await expect(read).rejects.toThrow('the job was cancelled');
  await database.terminate();
}
const refused = (words: string): object => ({ code: 'unprocessable_content', detail: expect.stringContaining(words) });

describe('rows of a database', () => {
  it.each([
    ['integer', 'n'],
    ['bigint', '9007199254740990 + n'],
    ['numeric', 'n / 7.0'],
    ['double precision', 'n / 7.0'],
    ['text', "chr(65 + n % 26) || CASE WHEN n % 3 = 0 THEN 'é' ELSE '' END || n"],
    ['text COLLATE "C"', 'chr(97 - 32 * (n % 2)) || n'],
    ['char(12)', "'k' || n"],
    ['uuid', 'md5(n::text)::uuid'],
    ['timestamptz', "timestamptz '2026-01-02 03:04:05+00' + n * interval '1 microsecond'"],
    ['timestamp', "timestamp '2026-01-02 03:04:05' + n * interval '1 microsecond'"],
    ['date', "date '2026-01-02' + n"],
    ['bytea', 'int4send(n)'],
  ])('are followed by a key of the type %s, each once, and from a cursor on', async (type, value) => {
    await make(
      `CREATE TABLE article (id ${type} PRIMARY KEY, n integer); INSERT INTO article SELECT ${value}, n FROM generate_series(1, 50) n`,
    );
    const read = { table: 'article', page_size: 7 };
    const pages = await all(read);
    expect(pages.map(({ rows }) => rows.length)).toEqual([7, 7, 7, 7, 7, 7, 7, 1]);
    expect(pages.map(({ next }) => next === null)).toEqual([...Array.from({ length: 7 }, () => false), true]);
    const numbers = rowsOf(pages).map(({ n }) => Number(n));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    for (const at of [0, 3]) expect(await all(read, { cursor: pages[at]?.next ?? null })).toEqual(pages.slice(at + 1));
    expect(await all(read, { cursor: pages[3]?.cursor ?? null })).toEqual(pages.slice(3));
    expect(pages.every(({ total }) => total === null)).toBe(true);
  });

  it('begin again where the cursor is one of other rows', async () => {
    await make('CREATE TABLE article AS SELECT id FROM generate_series(1, 5) id; CREATE VIEW other AS SELECT * FROM article');
    const [first] = await all({ table: 'article', page_size: 2 });
    expect(ids(await all({ table: 'public.other', page_size: 2 }, { cursor: first?.next ?? null }))).toEqual([1, 2, 3, 4, 5]);
  });

  it('are one page where there are none, and no further page where the last one is full', async () => {
    await make('CREATE TABLE article (id integer)');
    expect(await all({ table: 'article' })).toMatchObject([{ rows: [], next: null }]);
    await make('INSERT INTO article VALUES (1), (2)');
    expect(await all({ table: 'article', page_size: 2 })).toHaveLength(1);
  });

  it('that are there all the time are met once while others come, go and change', async () => {
    await make(
      'CREATE TABLE article (id integer PRIMARY KEY, n integer); INSERT INTO article SELECT i * 10, 0 FROM generate_series(1, 30) i',
    );
    const met: unknown[] = [];
    for await (const page of pagesOf({ table: 'article', page_size: 4 })) {
      met.push(...ids([page]));
      const last = Number(met.at(-1));
      await database.run('DELETE FROM article WHERE id = $1 - 20 OR id = $1 + 50', [last]);
      await database.run('INSERT INTO article VALUES ($1 - 5, 1), ($1 + 5, 1) ON CONFLICT DO NOTHING', [last]);
      await database.run('UPDATE article SET n = n + 1');
    }
    expect(new Set(met).size).toBe(met.length);
    const left = await database.run<{ id: number }>('SELECT id FROM article WHERE id % 10 = 0');
    expect(left.filter(({ id }) => !met.includes(id))).toEqual([]);
  });

  it('come from a query with its own names, comments and semicolon', async () => {
    await make("CREATE TABLE a (sku text, price numeric); INSERT INTO a VALUES ('x', 1.50), ('y', NULL)");
    const query = `WITH priced AS (SELECT sku AS "Article No", price FROM a) SELECT * FROM priced; -- all of them`;
    await expect(all({ query, key: 'Article No' })).rejects.toMatchObject(refused('syntax error'));
    expect(rowsOf(await all({ query: query.replace(';', ''), key: 'Article No' }))).toEqual([
      { 'Article No': 'x', price: 1.5 },
      { 'Article No': 'y', price: null },
    ]);
  });

  it('have their values as the database means them, and no bytes', async () => {
    await make(`CREATE TYPE mood AS ENUM ('good', 'dark red');
      CREATE TABLE "Odd ""Name""" (id integer, big bigint, price numeric(20, 2), flag boolean, at timestamptz, local timestamp, day date, span interval,
        doc jsonb, tags text[], moods mood[], mood mood, bytes bytea, "__proto__" text, long text);
      INSERT INTO "Odd ""Name""" VALUES (1, 9007199254740993, 12.50, true, '2026-01-02 03:04:05.123456+00', '2026-01-02 03:04:05.5', '2026-01-02', '1 day 2 hours',
        '{"a": [1, null]}', '{a,"b,c"}', '{good,"dark red"}', 'good', '\\x00ff', 'own', repeat('ä', 1000000))`);
    await database.run(
      `ALTER ROLE ${database.username} SET timezone = 'Asia/Kolkata'; ALTER ROLE ${database.username} SET datestyle = 'German'`,
    );
    const [row] = rowsOf(await all({ table: 'public.Odd "Name"' }));
    expect(row).toEqual(
      Object.fromEntries(
        Object.entries({
          id: 1,
          big: '9007199254740993',
          price: 12.5,
          flag: true,
          at: '2026-01-02T08:34:05.123456+05:30',
          local: '2026-01-02T03:04:05.5',
          day: '2026-01-02',
          span: 'P1DT2H',
          doc: { a: [1, null] },
          tags: ['a', 'b,c'],
          moods: ['good', 'dark red'],
          mood: 'good',
          ['__proto__']: 'own',
          long: 'ä'.repeat(1_000_000),
        }),
      ),
    );
    expect(Object.keys(row ?? {})).toContain('__proto__');
    await database.run(`ALTER ROLE ${database.username} RESET ALL`);
  });
});

describe('a key', () => {
  it.each([
    ['is null in the first row', 'SELECT NULL::integer AS id UNION ALL SELECT 1', 'is null'],
    ['is null in the last of many rows', 'SELECT nullif(n, 30) AS id FROM generate_series(1, 30) n', 'is null'],
    ['comes twice on one page', 'SELECT n / 2 AS id FROM generate_series(2, 5) n', 'same value'],
    ['comes twice at the end of a page', 'SELECT id FROM unnest(ARRAY[1, 2, 3, 3, 4]) id', 'same value'],
    ['is written otherwise and means the same', 'SELECT id FROM unnest(ARRAY[1.0, 2.0, 3.0, 3.00, 4]) id', 'same value'],
    ['is none of the columns', 'SELECT 1 AS other', 'no column id'],
    ['has no order', `SELECT '{}'::json AS id`, 'cannot be sorted'],
    ['is the name of two columns', 'SELECT 1 AS id, 2 AS id', 'id'],
    ['is too long to be kept', `SELECT repeat('x', 5000) || n AS id FROM generate_series(1, 9) n`, '4096'],
  ])('that %s is refused with what to check', async (_, query, words) => {
    await expect(all({ query, page_size: 3 })).rejects.toMatchObject(refused(words));
  });

  it('does not hide another column that is named twice', async () => {
    await expect(all({ query: 'SELECT 1 AS id, 2 AS a, 3 AS a' })).rejects.toMatchObject(refused('two columns named a'));
  });
});

describe('a query', () => {
  it.each([
    ['WITH x AS (DELETE FROM article RETURNING id) SELECT id FROM x', 'at the top level'],
    ['SELECT 1 AS id) AS q) AS p; DROP TABLE article; SELECT p.* FROM (SELECT * FROM (SELECT 1 AS id', 'multiple commands'],
    ['SELECT 1 AS id; DROP TABLE article', 'syntax error'],
    ['SELECT write() AS id', 'can only read'],
    ["SELECT nextval('counter') AS id", 'can only read'],
    ['SELECT id FROM article FOR UPDATE', 'can only read'],
    ["SELECT id FROM article, set_config('transaction_read_only', 'off', false)", ''],
    ["SELECT write() AS id FROM set_config('transaction_read_only', 'off', true)", ''],
    ['SELECT id INTO other FROM article', ''],
    ['SELECT * FROM hidden', 'permission denied for table hidden'],
    ['SELECT * FROM nowhere', 'relation "nowhere" does not exist (at character 15 of the query)'],
    ['SELECT 1 / 0 AS id', '22012'],
  ])('%s is refused, and nothing is written', async (query, words) => {
    await make(`CREATE TABLE article (id integer); INSERT INTO article VALUES (1); CREATE SEQUENCE counter;
      CREATE FUNCTION write() RETURNS integer LANGUAGE sql VOLATILE SECURITY DEFINER AS 'INSERT INTO public.article VALUES (2) RETURNING id';
      GRANT ALL ON SEQUENCE counter TO ${database.username}`);
    await database.run('CREATE TABLE hidden (id integer)');
    await expect(all({ query })).rejects.toMatchObject(refused(words));
    expect(await database.run('SELECT id FROM article')).toEqual([{ id: 1 }]);
    expect(await database.run("SELECT to_regclass('other') AS other, (SELECT last_value::int FROM counter) AS last")).toEqual([
      { other: null, last: 1 },
    ]);
  });

  it('that is slow ends with its time', async () => {
    await expect(all({ query: 'SELECT 1 AS id FROM pg_sleep(60)', statement_timeout: 1 }, { once: true })).rejects.toMatchObject({
      code: 'upstream_timeout',
      detail: expect.stringContaining('1 seconds'),
    });
  });

  it('whose page is too large names the size of pages', async () => {
    const query = `SELECT n AS id, repeat('x', 1000000) AS long FROM generate_series(1, 30) n`;
    await expect(all({ query })).rejects.toMatchObject(refused('osr_config.page_size'));
    expect(ids(await all({ query, page_size: 10 }))).toHaveLength(30);
  });

  it('with hundreds of columns is refused', async () => {
    const columns = Array.from({ length: 501 }, (_, at) => `1 AS c${at}`).join(', ');
    await expect(all({ query: `SELECT 1 AS id, ${columns}` })).rejects.toMatchObject(refused('500 columns'));
  });

  it('that nobody waits for any longer is left at once, with the reason', () => expectLeftAtOnce({}));
});

describe('a connection', () => {
  it('is not kept between pages', async () => {
    await make('CREATE TABLE article AS SELECT id FROM generate_series(1, 5) id');
    for await (const page of pagesOf({ table: 'article', page_size: 2 })) {
      expect(page.rows.length).toBeGreaterThan(0);
      await eventually(
        () => database.connections(),
        (open) => open.length === 0,
      );
    }
  });

  it('that an operator ends in the middle is made again', async () => {
    await make('CREATE TABLE article AS SELECT id FROM generate_series(1, 5) id');
    const read = all({ query: 'SELECT id FROM article, pg_sleep(0.5)', page_size: 2 });
    await untilAsleep();
    expect(await database.terminate()).toBeGreaterThan(0);
    expect(ids(await read)).toEqual([1, 2, 3, 4, 5]);
  });

  it('to a server that is away is tried six times, and once where somebody waits', async () => {
    let tried = 0;
    const gone = createServer((socket) => {
      tried += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    await expect(all({ port, table: 'article' })).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(tried).toBe(6);
    await expect(all({ port, table: 'article' }, { once: true })).rejects.toMatchObject({ code: 'upstream_failed' });
    expect(tried).toBe(7);
    await new Promise((closed) => gone.close(closed));
  });

  it('to a server that says more than a page before it has even greeted is ended', async () => {
    const endless = createServer((socket) => {
      const flood = (): void => {
        while (!socket.destroyed && socket.write(Buffer.alloc(1024 * 1024, 'R\xff')));
      };
      socket.on('error', () => undefined).on('drain', flood);
      socket.write(Buffer.from([0x52, 0x7f, 0xff, 0xff, 0xff]));
      flood();
    }).listen(0, '127.0.0.1');
    await once(endless, 'listening');
    await expect(all({ port: (endless.address() as AddressInfo).port, table: 'article' })).rejects.toMatchObject(refused('20 MB'));
    await new Promise((closed) => endless.close(closed));
  });

  it.each<[string, JsonObject, JsonObject, string]>([
    ['a wrong password', {}, { password: 'wrong-s3cret' }, 'osr_credentials'],
    ['an unknown user', {}, { username: 'nobody-s3cret' }, 'osr_credentials'],
    ['an unknown database', { database: 'nowhere' }, {}, 'no database nowhere'],
    ['no encryption where it is demanded', { tls: 'verify' }, {}, 'not accept encrypted connections'],
  ])('with %s says what to check, and no secret', async (_, config, credentials, words) => {
    const read = all({ table: 'article', ...config }, { credentials: { ...database.credentials, ...credentials } });
    await expect(read).rejects.toMatchObject(refused(words));
    const fault = await read.catch((error: Error) => `${error.message} ${JSON.stringify(error)} ${error.stack}`);
    for (const secret of [database.password, database.username, 's3cret']) expect(fault).not.toContain(secret);
  });

  it.each(['127.0.0.1', 'localhost', '169.254.169.254', '::1'])('to %s is made only where the operator has opened it', async (host) => {
    await expect(all({ host, table: 'article' }, { by: sourceWith('') })).rejects.toMatchObject(refused('not public'));
  });

  describe('that is encrypted', () => {
    let front: TlsFront;
    beforeAll(async () => {
      front = await TlsFront.start(database.server);
    });
    afterAll(() => front.stop());
    beforeEach(() => make('CREATE TABLE article AS SELECT id FROM generate_series(1, 5) id'));
    const through = (config: JsonObject): Promise<SourcePage[]> => all({ port: front.port, table: 'article', page_size: 2, ...config });

    it('proves the server by its certificate', async () => {
      await expect(through({ tls: 'verify' })).rejects.toMatchObject(refused('osr_config.ca'));
      expect(ids(await through({ tls: 'verify', ca: TEST_CERTIFICATE }))).toHaveLength(5);
      await expect(through({ tls: 'verify', ca: TEST_CERTIFICATE, host: 'localhost' })).rejects.toMatchObject(refused('ALTNAME'));
    });

    it('may leave the proof out', async () => {
      expect(ids(await through({ tls: 'require' }))).toHaveLength(5);
    });

    it('is bounded and left at once as well', async () => {
      const long = { table: null, query: `SELECT n AS id, repeat('x', 1000000) AS long FROM generate_series(1, 30) n`, page_size: 100 };
      await expect(through({ ...long, tls: 'require' })).rejects.toMatchObject(refused('osr_config.page_size'));
      await expectLeftAtOnce({ port: front.port, tls: 'require' });
    });
  });
});
