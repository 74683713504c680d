import { ResourceRepository } from '@atrium/platform/database';
import { ScheduleHost } from '@atrium/platform/messaging';
import {
  busy,
  cutOff,
  eventually,
  halfText,
  ledTo,
  RowsServer,
  status,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { readObject } from './objects';
import { article, articles, MAPPING, Syncing } from './syncing';

const ROWS = 2_500;

let api: RunningApi;
let ours: TestWorkspace;
let server: RowsServer;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  server = await RowsServer.start();
});
afterEach(() => server.stop());
afterAll(() => api.close());

const set = (more: object = {}, config: object = {}): Promise<Syncing> => Syncing.set(api, ours, server, more, config);
const plain = { url: undefined, rows: '$', total: undefined, pagination: undefined };
const atPlain = (): object => ({ ...plain, url: `${server.url}/plain` });

describe('a source', () => {
  it(`[objects 16] of ${ROWS} rows is kept in step: new, unchanged, changed and removed rows, and a source that lost most of them`, async () => {
    server.rows = articles(ROWS);
    const source = await set();
    const first = await source.sync();
    expect(first).toMatchObject({
      status: 'completed',
      done: ROWS,
      total: ROWS,
      created: ROWS,
      unchanged: 0,
      failed: 0,
      conflicts: 0,
      error: null,
    });
    const before = await source.stored();
    expect(before).toEqual({ objects: ROWS, active: ROWS, ids: ROWS, revisions: ROWS });
    const versions = await api.sql(
      'SELECT sum(row_version)::int AS sum, max(xmin::text::bigint)::text AS last FROM object WHERE obj_source = $1',
      [source.osr_id],
    );

    expect(await source.sync()).toMatchObject({ status: 'completed', done: ROWS, unchanged: ROWS, created: 0, updated: 0 });
    expect(await source.stored()).toEqual(before);
    expect(
      await api.sql('SELECT sum(row_version)::int AS sum, max(xmin::text::bigint)::text AS last FROM object WHERE obj_source = $1', [
        source.osr_id,
      ]),
    ).toEqual(versions);

    server.rows = server.rows.map((row, at) => (at === 7 ? { ...row, price: 70.5 } : row));
    const changed = await source.sync();
    expect(changed).toMatchObject({ status: 'completed', updated: 1, unchanged: ROWS - 1 });
    expect(await source.rows(changed.job_id)).toMatchObject([
      { external_id: 'sku-000007', action: 'updated', diff: [{ field: 'obj_content.price', from: 7, to: 70.5 }] },
    ]);
    expect((await source.object('sku-000007'))['obj_content']).toMatchObject({ price: 70.5 });

    const gone = await source.object('sku-000000');
    server.rows = server.rows.slice(1);
    const removed = await source.sync();
    expect(removed).toMatchObject({ status: 'completed', deactivated: 1, unchanged: ROWS - 1, held_deletes: 0 });
    expect(await source.rows(removed.job_id)).toMatchObject([{ external_id: 'sku-000000', action: 'deactivated', obj_id: gone.obj_id }]);
    expect(await source.stored()).toMatchObject({ objects: ROWS, active: ROWS - 1 });

    const kept = Math.round(ROWS * 0.2);
    server.rows = server.rows.slice(0, kept);
    const held = ROWS - 1 - kept;
    const braked = await source.sync();
    expect(braked).toMatchObject({ status: 'partial', deactivated: 0, held_deletes: held, unchanged: kept });
    expect(braked.error).toContain('force_deletes');
    expect(await source.rows(braked.job_id, '&action=held')).toHaveLength(Math.min(held, 1_000));
    expect(await source.stored()).toMatchObject({ active: ROWS - 1 });

    expect(await source.sync({ force_deletes: true })).toMatchObject({ status: 'completed', deactivated: held, held_deletes: 0 });
    expect(await source.stored()).toMatchObject({ objects: ROWS, active: kept });
    server.rows = [article(0), ...server.rows];
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 1, unchanged: kept });
    expect(await readObject(source.client, gone.obj_id)).toMatchObject({ obj_active: true });
  }, 240_000);

  it.each(['source_wins', 'local_wins'])('[objects 18] under %s meets what was edited here as it is set', async (osr_conflict) => {
    server.rows = articles(3);
    const source = await set({ osr_conflict }, atPlain());
    await source.sync();
    const { obj_id } = await source.object('sku-000001');
    const path = `/objects/${obj_id}`;
    const edited = await source.client.patch(path, { obj_content: { price: 999, note: 'by hand' } }).expect(200);
    expect(edited.body).toMatchObject({ obj_locked_fields: ['price', 'note'] });
    const run = await source.sync();
    const object = await readObject(source.client, obj_id);
    if (osr_conflict === 'source_wins') {
      expect(run).toMatchObject({ status: 'completed', updated: 1, conflicts: 0 });
      expect(object).toMatchObject({ obj_content: { price: 1, note: 'by hand' }, obj_locked_fields: ['note'] });
      return;
    }
    expect(run).toMatchObject({ status: 'completed', updated: 0, unchanged: 3, conflicts: 1 });
    expect(await source.rows(run.job_id)).toMatchObject([
      { external_id: 'sku-000001', action: 'conflict', diff: [{ field: 'obj_content.price', from: 999, to: 1 }] },
    ]);
    expect(object).toMatchObject({ obj_content: { price: 999, note: 'by hand' }, obj_locked_fields: ['price', 'note'] });
    // A conflict is reported once; another field of the row goes on.
    expect(await source.sync()).toMatchObject({ unchanged: 3, conflicts: 0 });
    server.rows = server.rows.map((row) => (row['id'] === 'sku-000001' ? { ...row, title: 'Other lamp', price: 2 } : row));
    expect(await source.sync()).toMatchObject({ updated: 1, conflicts: 1 });
    expect(await readObject(source.client, obj_id)).toMatchObject({ obj_content: { price: 999 }, obj_locked_fields: ['price', 'note'] });
    await source.client.delete(`${path}/locks/price`).expect(200);
    expect(await source.sync()).toMatchObject({ updated: 1, conflicts: 0 });
    expect(await readObject(source.client, obj_id)).toMatchObject({
      obj_content: { price: 2, note: 'by hand' },
      obj_locked_fields: ['note'],
    });
  });

  it.each([
    ['page', { rows: '$.items', total: '$.total', pagination: { style: 'page', size_param: 'per_page', size: 4 } }],
    ['page', { rows: '$.items', pagination: { style: 'page' } }],
    ['offset', { rows: '$.items', pagination: { style: 'offset', size_param: 'limit', size: 3 } }],
    ['offset', { rows: '$.items', total: '$.total', method: 'POST', body: {}, pagination: { style: 'offset', in: 'body' } }],
    ['cursor', { rows: '$.items', pagination: { style: 'cursor', path: '$.meta.next', param: 'after' } }],
    ['next', { rows: '$.items', pagination: { style: 'cursor', path: '$.next' } }],
    ['link', { pagination: { style: 'link' } }],
    ['plain', {}],
  ])('reads every page of the style %s by %j', async (path, config) => {
    server.rows = articles(11);
    server.pageSize = 5;
    const source = await set({}, { ...plain, ...config, url: `${server.url}/${path}` });
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 11, done: 11, total: 11, failed: 0 });
    expect(await source.stored()).toMatchObject({ active: 11 });
  });

  it.each([
    ['bearer', ['authorization', 'Bearer s3cret'], { type: 'bearer' }, { token: 's3cret' }],
    [
      'basic',
      ['authorization', `Basic ${Buffer.from('me:s3cret').toString('base64')}`],
      { type: 'basic' },
      { username: 'me', password: 's3cret' },
    ],
    ['header', ['x-shop-key', 's3cret'], { type: 'header', name: 'X-Shop-Key' }, { value: 's3cret' }],
  ] as const)('shows its credentials as %s, and nobody else sees them', async (_, secret, auth, osr_credentials) => {
    server.secret = secret;
    server.rows = articles(2);
    const source = await set({ osr_credentials }, { ...atPlain(), auth });
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 2 });
    const read = await source.client.get(source.path).expect(200);
    expect(read.body).toMatchObject({ osr_credentials_set: true });
    expect(JSON.stringify(read.body)).not.toContain('s3cret');
    server.secret = ['authorization', 'Bearer other'];
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('401') });
    expect(await source.stored()).toMatchObject({ active: 2 });
  });

  it('is asked again where it is busy, breaks off or answers half a text, and not where it refuses', async () => {
    server.rows = articles(6);
    server.pageSize = 3;
    const source = await set({}, { ...plain, url: `${server.url}/link`, pagination: { style: 'link' } });
    server.faults.push(busy(1), cutOff, halfText);
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 6 });
    server.faults.push(status(403));
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('403') });
  });

  it('never leads to private addresses, nor to another host with its credentials', async () => {
    const source = await set({}, atPlain());
    server.faults.push(ledTo('http://169.254.169.254/latest/meta-data'));
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('not public'), created: 0 });
  });

  it('that answers nothing after many rows is taken for broken', async () => {
    server.rows = articles(50);
    const source = await set({ osr_delete_limit: 99 }, atPlain());
    await source.sync();
    server.rows = [];
    const run = await source.sync();
    expect(run).toMatchObject({ status: 'partial', held_deletes: 50, deactivated: 0 });
    expect(await source.stored()).toMatchObject({ active: 50 });
    const [event] = await api.sql(
      `SELECT ev_payload ->> 'status' AS status, (ev_payload ->> 'held_deletes')::int AS held FROM outbox WHERE ev_name = 'object.synced' AND ev_payload ->> 'job_id' = $1`,
      [run.job_id],
    );
    expect(event).toEqual({ status: 'partial', held: 50 });
    expect(await source.sync({ force_deletes: true })).toMatchObject({ status: 'completed', deactivated: 50 });
  });

  it('whose pages repeat or never end is stopped', async () => {
    const repeats = await set({}, { ...plain, url: `${server.url}/anywhere`, rows: '$.items', pagination: { style: 'page' } });
    const always = (body: object) => (_: unknown, response: { end(text: string): unknown }) => response.end(JSON.stringify(body));
    const rows = articles(2);
    server.faults.push(always({ items: rows }), always({ items: rows }));
    expect(await repeats.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('same rows'), deactivated: 0 });
    const circles = await set(
      {},
      { ...plain, url: `${server.url}/anywhere`, rows: '$.items', pagination: { style: 'cursor', path: '$.next', param: 'c' } },
    );
    server.faults.push(
      always({ items: [article(10)], next: 'a' }),
      always({ items: [article(11)], next: 'b' }),
      always({ items: [article(12)], next: 'a' }),
      always({ items: [article(13)], next: 'b' }),
    );
    expect(await circles.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('same page twice'), created: 3 });
  });

  it('that changes its size while it is read loses nothing', async () => {
    server.rows = articles(12);
    const source = await set(
      { osr_delete_limit: 100 },
      { pagination: { style: 'offset', size_param: 'limit', size: 5 }, url: `${server.url}/offset` },
    );
    await source.sync();
    let pages = 0;
    // A row before the second page goes: the one that moves up to its place is never said.
    server.onPage = () => {
      if (++pages === 2) server.rows = server.rows.slice(1);
    };
    const run = await source.sync();
    expect(run).toMatchObject({ status: 'partial', deactivated: 0, error: expect.stringContaining('changed during the run') });
    expect(await source.stored()).toMatchObject({ active: 12 });
    expect(await source.sync()).toMatchObject({ status: 'completed', deactivated: 1 });
  });

  it('that says a row twice has its last word count, on one page and across pages', async () => {
    server.rows = [article(1), article(2), article(1, { price: 100 }), article(3), article(2, { price: 200 })];
    const source = await set({}, { ...plain, url: `${server.url}/link`, pagination: { style: 'link' } });
    server.pageSize = 3;
    const run = await source.sync();
    expect(run).toMatchObject({ status: 'completed', done: 5, conflicts: 2, created: 3, updated: 1 });
    expect((await source.object('sku-000001')).obj_content).toMatchObject({ price: 100 });
    expect((await source.object('sku-000002')).obj_content).toMatchObject({ price: 200 });
  });

  it('takes the rows that are good, and says of each other one why not', async () => {
    server.rows = [article(1), article(2, { price: 'free' }), { title: 'Nameless' }, article(4, { title: null }), 'text' as never];
    const source = await set({}, atPlain());
    const run = await source.sync();
    expect(run).toMatchObject({ status: 'partial', done: 1, created: 1, failed: 4 });
    const rows = await source.rows(run.job_id, '&action=failed');
    expect(rows.map(({ external_id }) => external_id).sort()).toEqual([null, null, 'sku-000002', 'sku-000004'].sort());
    expect(rows.every(({ error }) => error !== null && error.length > 0)).toBe(true);
    server.rows = [article(1)];
    expect(await source.sync()).toMatchObject({ status: 'completed', unchanged: 1 });
  });

  it('has failed where every row did', async () => {
    server.rows = [article(1, { price: 'free' }), article(2, { price: 'free' })];
    const source = await set({}, atPlain());
    expect(await source.sync()).toMatchObject({ status: 'failed', done: 0, failed: 2, error: 'All 2 rows failed.' });
  });

  it('deactivates nothing while rows cannot be distinguished', async () => {
    server.rows = articles(3);
    const source = await set({ osr_delete_limit: 100 }, atPlain());
    await source.sync();
    server.rows = [article(0), { title: 'No id' }];
    expect(await source.sync()).toMatchObject({ status: 'partial', deactivated: 0, failed: 1 });
    expect(await source.stored()).toMatchObject({ active: 3 });
  });

  it('leaves alone what a person deleted, also after the purge', async () => {
    server.rows = articles(3);
    const source = await set({}, atPlain());
    await source.sync();
    const { obj_id } = await source.object('sku-000001');
    await source.client.delete(`/objects/${obj_id}`).expect(204);
    server.rows = server.rows.map((row) => ({ ...row, price: 5 }));
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 2, unchanged: 1, created: 0 });
    await api.sql('DELETE FROM object WHERE obj_id = $1', [obj_id]);
    server.rows = server.rows.map((row) => ({ ...row, price: 6 }));
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 2, unchanged: 1, created: 0 });
    expect(await source.stored()).toMatchObject({ objects: 2 });
  });

  it('leaves alone what a person deleted after a run of it had', async () => {
    server.rows = articles(20);
    const source = await set({}, atPlain());
    await source.sync();
    const { obj_id } = await source.object('sku-000019');
    server.rows = articles(19);
    expect(await source.sync()).toMatchObject({ status: 'completed', deactivated: 1 });
    const read = async () => source.client.get(`/objects/${obj_id}`).expect(200);
    const before = await read();
    await source.client.delete(`/objects/${obj_id}`).expect(204);
    const { body, headers } = await read();
    expect([body, headers['etag']]).toEqual([before.body, before.headers['etag']]);
    server.rows = articles(20);
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 0, unchanged: 20, created: 0 });
    expect(await source.stored()).toMatchObject({ objects: 20, active: 19 });
  });

  it('leaves alone what a person deletes while a run of it compares its rows', async () => {
    server.rows = articles(3);
    const source = await set({}, atPlain());
    await source.sync();
    const { obj_id } = await source.object('sku-000001');
    server.rows = server.rows.map((row) => ({ ...row, price: 5 }));
    const { lockMany } = ResourceRepository.prototype;
    const locking = jest.spyOn(ResourceRepository.prototype, 'lockMany').mockImplementation(async function (this: unknown, ids) {
      if (ids.includes(obj_id)) {
        locking.mockRestore();
        await source.client.delete(`/objects/${obj_id}`).expect(204);
      }
      return lockMany.call(this as never, ids);
    });
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 2, unchanged: 1, created: 0 });
    expect(await source.stored()).toMatchObject({ objects: 3, active: 2 });
  });

  it('marks what is missing or keeps it, as it is set, and deactivates what it says is deleted', async () => {
    server.rows = articles(4);
    const source = await set(
      { osr_on_missing: 'flag', osr_delete_limit: 50, osr_mapping: { ...MAPPING, deleted: { path: '$.gone' } } },
      atPlain(),
    );
    await source.sync();
    server.rows = [article(0), article(1), article(2, { gone: true })];
    const run = await source.sync();
    expect(run).toMatchObject({ status: 'completed', deactivated: 1, updated: 1 });
    expect(await source.object('sku-000003')).toMatchObject({ obj_active: true, obj_issues: [{ field: '$source', code: 'missing' }] });
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 0, deactivated: 0 });
    server.rows = articles(4);
    expect(await source.sync()).toMatchObject({ status: 'completed', updated: 2 });
    expect(await source.object('sku-000003')).toMatchObject({ obj_issues: [] });
    await source.client.patch(source.path, { osr_on_missing: 'keep' }).expect(200);
    server.rows = [article(0)];
    expect(await source.sync()).toMatchObject({ status: 'completed', deactivated: 0, updated: 0, held_deletes: 0 });
    expect(await source.stored()).toMatchObject({ active: 4 });
  });

  it('stops where its schema takes no objects any more, and half of nothing is written', async () => {
    server.rows = articles(3);
    const source = await set({}, atPlain());
    await source.sync();
    server.rows = articles(5);
    let deleted: Promise<unknown> | undefined;
    server.faults.push((_, response) => {
      deleted = Promise.resolve(source.client.delete(`/object-schemas/${source.form_id}`).expect(204)).then(() =>
        response.end(JSON.stringify(articles(5))),
      );
    });
    const run = await source.sync();
    await deleted;
    expect(run).toMatchObject({ status: 'failed', created: 0, done: 0 });
    expect(run.error).toContain('inactive');
    expect(await source.stored()).toMatchObject({ objects: 3 });
    await source.client.post(`${source.path}/sync`, {}).expect(409);
  });

  it('reads a table with its own delimiter and encoding, and cells as their fields take them', async () => {
    const lines = ['Article;Bezeichnung;Preis;Seit', 'a-1;Müller-Lampe;1.234,50;02.01.2026', 'a-2;"Zwei;drei";7;'];
    server.table = Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');
    const source = await set({
      osr_kind: 'http_csv',
      osr_config: { url: `${server.url}/table`, delimiter: ';', encoding: 'windows-1252' },
      osr_mapping: {
        external_id: { path: '$.Article' },
        name: { path: "$['Bezeichnung']", transform: 'trim' },
        price: { path: '$.Preis', transform: 'number(,)' },
        note: { path: '$.Seit', transform: 'date(DD.MM.YYYY)', default: 'always' },
      },
    });
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 2, total: 2 });
    expect((await source.object('a-1')).obj_content).toEqual({ name: 'Müller-Lampe', price: 1234.5, note: '2026-01-02' });
    expect((await source.object('a-2')).obj_content).toEqual({ name: 'Zwei;drei', price: 7, note: 'always' });
    expect(await source.sync()).toMatchObject({ unchanged: 2 });
    server.table = 'Article;Article\na;b\n';
    expect(await source.sync()).toMatchObject({ status: 'failed', error: expect.stringContaining('both named') });
  });

  it.each<[string, (ids: readonly string[]) => string, object, object]>([
    [
      'JSON',
      (ids) => `{"items":[${ids.map((id, at) => `{"id":${id},"title":"Lamp ${at}","price":${at}.5}`).join(',')}]}`,
      {},
      { rows: '$.items', url: '/plain' },
    ],
    [
      'a table',
      (ids) => ['id,title,price', ...ids.map((id, at) => `${id},Lamp ${at},${at}.5`), ''].join('\n'),
      { osr_kind: 'http_csv' },
      {},
    ],
  ])(
    'keeps every digit of ids in %s, so that two rows are two objects',
    async (_, written, more, config) => {
      const ids = ['9007199254740992', '9007199254740993', '1234567890123456789'];
      const { url = '/table', ...said } = config as { url?: string };
      const source = await set(more, { ...plain, rows: undefined, ...said, url: `${server.url}${url}` });
      const answer = (): void => void server.faults.push((__, response) => response.end(written(ids)));
      answer();
      expect(await source.sync()).toMatchObject({ status: 'completed', done: 3, created: 3, conflicts: 0 });
      for (const [at, id] of ids.entries())
        expect(await source.object(id)).toMatchObject({ obj_external_id: id, obj_content: { name: `Lamp ${at}`, price: at + 0.5 } });
      answer();
      expect(await source.sync()).toMatchObject({ status: 'completed', unchanged: 3, created: 0, deactivated: 0 });
    },
    60_000,
  );

  it('runs once at a time, is cancelled, and stops at its next step', async () => {
    server.rows = articles(4);
    const source = await set({}, atPlain());
    let answer: (() => void) | undefined;
    server.faults.push((_, response) => {
      answer = () => response.end(JSON.stringify(server.rows));
    });
    const job_id = await source.start();
    await eventually(
      () => Promise.resolve(answer),
      (open) => open !== undefined,
    );
    expect((await source.client.post(`${source.path}/sync`, {}).expect(409)).body).toMatchObject({ code: 'invalid_state' });
    expect((await source.client.post(`${source.path}/runs/${job_id}/cancel`, {}).expect(200)).body).toMatchObject({ status: 'cancelled' });
    await source.client.post(`${source.path}/runs/${job_id}/cancel`, {}).expect(409);
    answer?.();
    expect(await source.sync()).toMatchObject({ status: 'completed', created: 4 });
    expect(await source.run(job_id)).toMatchObject({ status: 'cancelled', done: 0, created: 0 });
  });

  it('by its clock is nobody’s work', async () => {
    server.rows = articles(2);
    const source = await set({ osr_cron: '*/5 * * * *' }, atPlain());
    await api.sql("UPDATE object_source SET osr_next = now() - interval '1 second' WHERE osr_id = $1", [source.osr_id]);
    await api.worker.get(ScheduleHost, { strict: false }).runNow('objects.sources');
    const run = await eventually(
      async () =>
        ((await source.client.get(`${source.path}/runs`).expect(200)).body as { data: { status: string; trigger: string }[] }).data[0],
      (one) => one?.status === 'completed',
    );
    expect(run).toMatchObject({ trigger: 'schedule', created: 2, job_created_by: null });
    expect(await source.object('sku-000001')).toMatchObject({ obj_created_by: null });
    const [next] = await api.sql(
      "SELECT extract(epoch FROM osr_next)::int % 300 AS past_a_slot, osr_next > now() - interval '5 minutes' AS is_next FROM object_source WHERE osr_id = $1",
      [source.osr_id],
    );
    expect(next).toEqual({ past_a_slot: 0, is_next: true });
  });

  it('stops when the person who asked for the run has lost the right', async () => {
    server.rows = articles(4);
    server.pageSize = 2;
    const source = await set({}, { ...plain, url: `${server.url}/link`, pagination: { style: 'link' } });
    const editor = await ours.member('admin');
    let asked = 0;
    server.onPage = () => {
      asked += 1;
    };
    server.faults.push((_, response) => {
      void api
        .sql('UPDATE workspace_user SET user_status = $2 WHERE user_id = $1', [editor.user_id, 'suspended'])
        .then(() => response.end(JSON.stringify(articles(2))));
    });
    const { job_id } = (await editor.client.post(`${source.path}/sync`, {}).expect(202)).body as { job_id: string };
    const run = await source.ended(job_id);
    expect(run).toMatchObject({ status: 'failed', created: 0, error: expect.stringContaining('lost its rights') });
    expect(asked).toBeLessThanOrEqual(1);
  });

  it('that is deleted leaves its objects to the workspace', async () => {
    server.rows = articles(3);
    const source = await set({}, atPlain());
    await source.sync();
    const { obj_id } = await source.object('sku-000001');
    await source.client.delete(source.path).expect(204);
    await source.client.get(source.path).expect(404);
    expect(await readObject(source.client, obj_id)).toMatchObject({
      obj_source: null,
      obj_external_id: 'sku-000001',
      obj_locked_fields: [],
    });
    expect(await api.sql('SELECT 1 FROM object_source WHERE osr_id = $1', [source.osr_id])).toEqual([]);
  });
});
