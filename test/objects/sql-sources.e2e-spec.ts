import { eventually, SqlDatabase, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { makeSchema } from './objects';
import { FIELDS, makeArticles, MAPPING, sqlBody, Syncing, type RunAnswer } from './syncing';

const ROWS = 250;

let api: RunningApi;
let ours: TestWorkspace;
let database: SqlDatabase;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  database = await SqlDatabase.create();
});
afterEach(() => database.drop());
afterAll(() => api.close());

const set = (config: object = {}, more: object = {}): Promise<Syncing> =>
  Syncing.create(api, ours, (form_id) => sqlBody(database, form_id, more, config));
const form = async (): Promise<string> => (await makeSchema(ours.owner.client, FIELDS)).form_id;
/** What the trial of a source answers. */
const tried = async (status: number, config: object = {}, more: object = {}): Promise<Record<string, unknown>> => {
  const { osr_name: _, ...body } = sqlBody(database, await form(), more, config);
  return (await ours.owner.client.post('/object-sources/test', body).expect(status)).body as Record<string, unknown>;
};
const sleeping = (): Promise<unknown> =>
  eventually(
    () => database.connections(),
    (open) => open.some(({ query }) => query.includes('pg_sleep')),
  );

describe('a database as a source', () => {
  it('is kept in step: new, unchanged, changed and removed rows, and a table that was emptied', async () => {
    await makeArticles(database, ROWS);
    const source = await set();
    expect(await source.sync()).toMatchObject({
      status: 'completed',
      done: ROWS,
      total: ROWS,
      created: ROWS,
      failed: 0,
      conflicts: 0,
      error: null,
    });
    const before = await source.stored();
    expect(before).toEqual({ objects: ROWS, active: ROWS, ids: ROWS, revisions: ROWS });
    expect((await source.object('sku-000007')).obj_content).toMatchObject({ price: 7 });

    expect(await source.sync()).toMatchObject({ status: 'completed', unchanged: ROWS, created: 0, updated: 0 });
    expect(await source.stored()).toEqual(before);

    await database.run("UPDATE article SET price = 70.5 WHERE id = 'sku-000007'; DELETE FROM article WHERE id = 'sku-000249'");
    const changed = await source.sync();
    expect(changed).toMatchObject({ status: 'completed', updated: 1, deactivated: 1, unchanged: ROWS - 2 });
    expect(await source.rows(changed.job_id, '&action=updated')).toMatchObject([
      { external_id: 'sku-000007', diff: [{ field: 'obj_content.price', from: 7, to: 70.5 }] },
    ]);
    expect(await source.stored()).toMatchObject({ objects: ROWS, active: ROWS - 1 });

    await database.run('CREATE TABLE kept AS SELECT * FROM article; TRUNCATE article');
    const braked = await source.sync();
    expect(braked).toMatchObject({ status: 'partial', deactivated: 0, held_deletes: ROWS - 1 });
    expect(await source.stored()).toMatchObject({ active: ROWS - 1 });
    await database.run('INSERT INTO article SELECT * FROM kept');
    expect(await source.sync()).toMatchObject({ status: 'completed', unchanged: ROWS - 1 });
  });

  it('loses and doubles nothing while others write into it', async () => {
    await makeArticles(database, ROWS);
    const source = await set({ page_size: 10, query: 'SELECT * FROM article, (SELECT pg_sleep(0.02)) AS waited (waited)', table: null });
    const job_id = await source.start();
    let at = 0;
    let run: RunAnswer;
    do {
      at += 1;
      await database.run("INSERT INTO article VALUES ('new-' || $1, 'New', 1), ('zzz-' || $1, 'New', 1)", [at]);
      await database.run("UPDATE article SET price = price + 1 WHERE id < 'sku-000100'");
      await database.run('DELETE FROM article WHERE id = $1', [`zzz-${at - 1}`]);
      run = await source.run(job_id);
    } while (['queued', 'running'].includes(run.status));
    expect(run).toMatchObject({ status: 'completed', conflicts: 0, failed: 0 });
    const [met] = await api.sql("SELECT count(*)::int AS old FROM object WHERE obj_source = $1 AND obj_external_id LIKE 'sku-%'", [
      source.osr_id,
    ]);
    expect(met).toEqual({ old: ROWS });
    const { ids, objects } = await source.stored();
    expect(ids).toBe(objects);
  });

  it.each([
    ['bigint', '9007199254740993 + n', '9007199254740993'],
    ['timestamptz', "timestamptz '2026-01-02 03:04:05+00' + n * interval '1 microsecond'", '2026-01-02T03:04:05'],
  ])('is followed by a key of the type %s', async (type, value, first) => {
    await makeArticles(database, 1);
    await database.run(`CREATE TABLE entry (id ${type} PRIMARY KEY, title text); INSERT INTO entry SELECT ${value}, 'Entry ' || n FROM generate_series(0, 24) n;
      GRANT SELECT ON entry TO ${database.username}`);
    const { external_id, name } = MAPPING;
    const source = await set({ table: 'entry', page_size: 4 }, { osr_mapping: { external_id, name } });
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 25, total: 25 });
    expect(await source.stored()).toMatchObject({ ids: 25 });
    const [object] = await api.sql<{ id: string }>('SELECT min(obj_external_id) AS id FROM object WHERE obj_source = $1', [source.osr_id]);
    expect(object?.id).toContain(first);
    expect(await source.sync()).toMatchObject({ status: 'completed', unchanged: 25 });
  });

  it.each<[string, object, object, string]>([
    ['a wrong password', {}, { password: 'wrong-s3cret' }, 'osr_credentials'],
    ['a table that is not there', { table: 'nowhere' }, {}, 'does not exist'],
    ['a table that the user may not read', { table: 'hidden' }, {}, 'permission denied'],
    ['a query that deletes', { table: null, query: 'WITH x AS (DELETE FROM article RETURNING *) SELECT * FROM x' }, {}, 'top level'],
    ['a second statement', { table: null, query: 'SELECT 1 AS id; DROP TABLE article' }, {}, 'syntax error'],
    ['a function that writes', { table: null, query: 'SELECT *, write() FROM article' }, {}, 'can only read'],
    ['a key that is not there', { key: 'sku' }, {}, 'osr_config.key'],
    [
      'a query that takes too long',
      { table: null, query: 'SELECT a.* FROM article a, pg_sleep(60)', statement_timeout: 1 },
      {},
      '1 seconds',
    ],
  ])('with %s is refused when it is tried, with the reason and without secrets', async (_, config, credentials, words) => {
    await makeArticles(database, 3);
    await database.run(`CREATE TABLE hidden AS SELECT * FROM article;
      CREATE FUNCTION write() RETURNS text LANGUAGE sql VOLATILE SECURITY DEFINER AS 'UPDATE public.article SET price = 0 RETURNING id'`);
    const answer = await tried(422, config, { osr_credentials: { ...database.credentials, ...credentials } });
    expect(answer).toMatchObject({ code: 'unprocessable_content', detail: expect.stringContaining(words) });
    for (const secret of [database.password, database.username, 's3cret']) expect(JSON.stringify(answer)).not.toContain(secret);
    expect(await database.run('SELECT sum(price)::int AS sum, count(*)::int AS rows FROM article')).toEqual([{ sum: 3, rows: 3 }]);
  });

  it('shows what its rows say when it is tried', async () => {
    await makeArticles(database, 7);
    const answer = await tried(200);
    expect(answer).toMatchObject({ ok: true, pages_seen: 1 });
    expect((answer as { sample: unknown[] }).sample).toHaveLength(5);
    expect((answer as { sample: unknown[] }).sample[1]).toMatchObject({
      raw: { id: 'sku-000001', title: 'Lamp 1', price: 1 },
      mapped: { obj_external_id: 'sku-000001', obj_name: 'Lamp 1', obj_content: { price: 1 } },
      errors: [],
    });
  });

  it('fails in a run with the reason, deactivates nothing, and keeps its secrets', async () => {
    await makeArticles(database, 3);
    const source = await set();
    await source.sync();
    await database.run(`REVOKE SELECT ON article FROM ${database.username}`);
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('permission denied'), deactivated: 0 });
    await database.run(`ALTER ROLE ${database.username} PASSWORD 'another'`);
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('osr_credentials') });
    expect(await source.stored()).toMatchObject({ active: 3 });
    const read = await source.client.get(source.path).expect(200);
    expect(read.body).toMatchObject({ osr_kind: 'sql', osr_credentials_set: true });
    const kept = await api.sql(
      `SELECT s::text AS kept FROM object_source s WHERE osr_id = $1 UNION ALL SELECT r::text FROM object_sync_run r WHERE job_source = $1
       UNION ALL SELECT a::text FROM audit_event a WHERE tenant_id = $2 UNION ALL SELECT o::text FROM outbox o`,
      [source.osr_id, ours.tenant_id],
    );
    const said = JSON.stringify([read.body, (await source.client.get(`${source.path}/runs`).expect(200)).body, kept]);
    for (const secret of [database.password, database.username]) expect(said).not.toContain(secret);
  });

  it('whose connection an operator ends in the middle of a run goes on', async () => {
    await makeArticles(database, 40);
    const source = await set({ page_size: 10, table: null, query: 'SELECT * FROM article, (SELECT pg_sleep(0.3)) AS waited (waited)' });
    const job_id = await source.start();
    await sleeping();
    expect(await database.terminate()).toBeGreaterThan(0);
    expect(await source.ended(job_id)).toMatchObject({ status: 'completed', created: 40, conflicts: 0 });
    expect(await source.stored()).toMatchObject({ objects: 40, ids: 40 });
  });

  it('is cancelled in a run, and stops at its next step', async () => {
    await makeArticles(database, 40);
    const source = await set({ page_size: 10, table: null, query: 'SELECT * FROM article, (SELECT pg_sleep(0.5)) AS waited (waited)' });
    const job_id = await source.start();
    await sleeping();
    expect((await source.client.post(`${source.path}/runs/${job_id}/cancel`, {}).expect(200)).body).toMatchObject({ status: 'cancelled' });
    await eventually(
      () => database.connections(),
      (open) => open.length === 0,
    );
    expect((await source.run(job_id)).done).toBeLessThan(40);
    await source.client.patch(source.path, { osr_config: { ...database.config, table: 'article', key: 'id' } }).expect(200);
    expect(await source.sync()).toMatchObject({ status: 'completed', done: 40 });
  });

  it.each(['10.0.0.1', '169.254.169.254', '::1'])(
    'at the private address %s is refused when it is entered, tried and run',
    async (host) => {
      const refusal = { code: 'unprocessable_content', detail: expect.stringContaining('not public') };
      expect(
        (await ours.owner.client.post('/object-sources', sqlBody(database, await form(), {}, { host })).expect(422)).body,
      ).toMatchObject(refusal);
      expect(await tried(422, { host })).toMatchObject(refusal);
      await makeArticles(database, 1);
      const source = await set();
      await api.sql(`UPDATE object_source SET osr_config = osr_config || jsonb_build_object('host', $2::text) WHERE osr_id = $1`, [
        source.osr_id,
        host,
      ]);
      expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('not public'), created: 0 });
    },
  );

  it('keeps credentials for the server, and the proof of it, that they were entered for', async () => {
    await makeArticles(database, 1);
    const source = await set();
    const { config } = database;
    const change = (more: object) => source.client.patch(source.path, { osr_config: { ...config, table: 'article', key: 'id', ...more } });
    await change({ database: 'other', page_size: 7 }).expect(200);
    for (const moved of [{ port: config.port + 1 }, { tls: 'require' }])
      expect((await change(moved).expect(400)).body.errors).toMatchObject([{ path: 'osr_credentials' }]);
    await source.client.patch(source.path, { osr_credentials: null }).expect(400);
    await source.client.patch(source.path, { osr_credentials: { token: 'x' } }).expect(400);
  });

  it.each<[object, object, string]>([
    [{ password: 'x' }, {}, 'osr_config.password'],
    [{ url: 'postgres://x:y@z/' }, {}, 'osr_config.url'],
    [{ table: null }, {}, 'osr_config.table'],
    [{ table: null, query: 'DELETE FROM article' }, {}, 'osr_config.query'],
    [{ page_size: 10_001 }, {}, 'osr_config.page_size'],
    [{}, { osr_credentials: { username: 'a', password: 'b', token: 'c' } }, 'osr_credentials.token'],
  ])('is refused with the settings %j and %j', async (config, more, path) => {
    const refused = await ours.owner.client.post('/object-sources', sqlBody(database, await form(), more, config)).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  it('is for those who may edit sources, and stays in its workspace', async () => {
    await makeArticles(database, 2);
    const source = await set();
    const body = sqlBody(database, source.form_id);
    const { osr_name: _, ...trial } = body;
    const viewer = (await ours.member('viewer')).client;
    for (const write of [
      viewer.post('/object-sources', body),
      viewer.post('/object-sources/test', trial),
      viewer.post(`${source.path}/sync`, {}),
    ])
      expect((await write.expect(403)).body).toMatchObject({ code: 'permission_denied' });
    const theirs = (await api.workspace(['module-objects'])).owner.client;
    await theirs.get(source.path).expect(404);
    await theirs.patch(source.path, { osr_config: { ...database.config, table: 'article', key: 'id' } }).expect(404);
    await theirs.post(`${source.path}/sync`, {}).expect(404);
    expect((await theirs.post('/object-sources/test', trial).expect(400)).body.errors).toMatchObject([
      { path: 'osr_form', code: 'reference' },
    ]);
    expect(await database.connections()).toEqual([]);
  });
});
