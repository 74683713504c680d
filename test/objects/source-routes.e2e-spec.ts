import { newId } from '@atrium/platform/kernel';
import { ledTo, RowsServer, status, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { makeSchema } from './objects';
import { article, articles, FIELDS, MAPPING, sourceBody, Syncing } from './syncing';

let api: RunningApi;
let ours: TestWorkspace;
let server: RowsServer;
let form_id: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  server = await RowsServer.start();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ form_id } = await makeSchema(ours.owner.client, FIELDS));
  server.rows = articles(3);
});
afterAll(async () => {
  await server.stop();
  await api.close();
});

const body = (more: object = {}, config: object = {}): Record<string, unknown> => sourceBody(server, form_id, more, config);
const make = async (more: object = {}, config: object = {}): Promise<Record<string, unknown>> =>
  (await ours.owner.client.post('/object-sources', body(more, config)).expect(201)).body as Record<string, unknown>;
const test = (more: object = {}, config: object = {}) => {
  const { osr_kind, osr_form, osr_config, osr_mapping } = body({}, config);
  return ours.owner.client.post('/object-sources/test', { osr_kind, osr_form, osr_config, osr_mapping, ...more });
};

describe('the routes of sources', () => {
  it('create, list, read, change and delete a source', async () => {
    const { client } = ours.owner;
    const made = await client
      .post('/object-sources', body({ osr_name: 'Shop', osr_cron: '0 3 * * *', osr_timezone: 'Europe/Lisbon' }))
      .expect(201);
    const { osr_id } = made.body as { osr_id: string };
    expect(made.body).toMatchObject({
      osr_name: 'Shop',
      osr_mode: 'full',
      osr_on_missing: 'deactivate',
      osr_delete_limit: 15,
      osr_conflict: 'local_wins',
      osr_active: true,
      osr_credentials_set: false,
      osr_last_run: null,
      osr_created_by: ours.owner.user_id,
    });
    expect(made.headers['location']).toBe(`/api/v1/object-sources/${osr_id}`);
    expect((await client.post('/object-sources', body({ osr_name: 'SHOP' })).expect(409)).body).toMatchObject({ code: 'already_exists' });
    await make({ osr_name: 'Other' });
    const { data } = (await client.get('/object-sources?osr_name=sho').expect(200)).body as { data: object[] };
    expect(data).toMatchObject([{ osr_id }]);
    const path = `/object-sources/${osr_id}`;
    const { headers } = await client.get(path).expect(200);
    const changed = await client
      .patch(path, { osr_name: 'Store', osr_delete_limit: 40, osr_conflict: 'source_wins', osr_cron: null })
      .expect(200);
    expect(changed.body).toMatchObject({ osr_name: 'Store', osr_delete_limit: 40, osr_conflict: 'source_wins', osr_cron: null });
    await client
      .with({ 'If-Match': headers['etag'] ?? '' })
      .patch(path, { osr_name: 'Third' })
      .expect(412);
    await client.patch(path, { osr_name: 'other' }).expect(409);
    await client.delete(path).expect(204);
    await client.get(path).expect(404);
    await make({ osr_name: 'Store' });
    const entries = await api.sql<{ type: string }>(
      'SELECT aud_type AS type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_timestamp, aud_id',
      [ours.tenant_id, osr_id],
    );
    expect(entries.map(({ type }) => type)).toEqual(['object_source.created', 'object_source.updated', 'object_source.deleted']);
  });

  it('keep credentials for the host that they were entered for', async () => {
    const secret = { osr_credentials: { token: 's3cret' } };
    const auth = { auth: { type: 'bearer' } };
    const { osr_id } = (await make(secret, auth)) as { osr_id: string };
    const path = `/object-sources/${osr_id}`;
    const { osr_config } = body({}, auth) as { osr_config: Record<string, unknown> };
    await ours.owner.client.patch(path, { osr_config: { ...osr_config, url: `${server.url}/other` } }).expect(200);
    const moved = { ...osr_config, url: `http://127.0.0.1:9/page` };
    const refused = await ours.owner.client.patch(path, { osr_config: moved }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'osr_credentials' }]);
    await ours.owner.client.patch(path, { osr_config: moved, ...secret }).expect(200);
    await ours.owner.client.patch(path, { osr_credentials: null }).expect(400);
    const [{ kept } = { kept: '' }] = await api.sql<{ kept: string }>(
      'SELECT osr_credentials AS kept FROM object_source WHERE osr_id = $1',
      [osr_id],
    );
    expect(kept).toMatch(/^v1\./);
    expect(kept).not.toContain('s3cret');
  });

  it('refuse settings that are none, at what is wrong', () =>
    inTurn<[object, object, string]>(
      [
        [{ osr_name: '' }, {}, 'osr_name'],
        [{ osr_form: newId() }, {}, 'osr_form'],
        [{ osr_cron: '* * * * *' }, {}, 'osr_cron'],
        [{ osr_cron: '0,58 * * * *' }, {}, 'osr_cron'],
        [{ osr_cron: '0 6 * *' }, {}, 'osr_cron'],
        [{ osr_timezone: 'Mars/Olympus' }, {}, 'osr_timezone'],
        [{ osr_credentials: { token: 'x' } }, {}, 'osr_credentials.token'],
        [{}, { auth: { type: 'bearer' } }, 'osr_credentials.token'],
        [{}, { auth: { type: 'oauth2' } }, 'osr_config.auth.type'],
        [{}, { headers: { Cookie: 'a=b' } }, 'osr_config.headers.Cookie'],
        [{}, { pagination: { style: 'endless' } }, 'osr_config.pagination.style'],
        [{ osr_mapping: { external_id: { path: '$.id' } } }, {}, 'osr_mapping.name'],
        [{ osr_mapping: { ...MAPPING, weight: { path: '$.w' } } }, {}, 'osr_mapping.weight'],
        [{ osr_mapping: { ...MAPPING, note: { path: 'w' } } }, {}, 'osr_mapping.note.path'],
        [{ osr_mapping: { ...MAPPING, note: { path: '$.w', transform: 'html_to_markdown' } } }, {}, 'osr_mapping.note.transform'],
        [{ osr_mapping: { ...MAPPING, note: { path: '$.w', unknown: 1 } } }, {}, 'osr_mapping.note.unknown'],
      ],
      async (more, config, path) => {
        const refused = await ours.owner.client.post('/object-sources', body(more, config)).expect(400);
        expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
      },
    ));

  it('refuse an unknown wish at a sync, naming it', async () => {
    const { osr_id } = (await make()) as { osr_id: string };
    const refused = await ours.owner.client.post(`/object-sources/${osr_id}/sync`, { full: true }).expect(400);
    expect(refused.body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'full', code: 'unknown_field' }] });
  });

  it.each(['http://10.0.0.1/rows', 'https://169.254.169.254/latest', 'https://[::1]/'])('refuse the address %s', async (url) => {
    expect((await ours.owner.client.post('/object-sources', body({}, { url })).expect(422)).body).toMatchObject({
      code: 'unprocessable_content',
    });
    expect((await test({}, { url }).expect(422)).body).toMatchObject({ code: 'unprocessable_content' });
  });

  it('try a source: what its rows say, and what is wrong with them', async () => {
    server.rows = [article(1, { price: '12.50' }), article(2, { price: 'free' }), { id: 'x' }, article(4), article(5), article(6)];
    const tried = await test({ osr_mapping: { ...MAPPING, name: { path: '$.title' } } }).expect(200);
    expect(tried.body).toMatchObject({ ok: false, pages_seen: 1 });
    const { sample } = tried.body as { sample: { raw: object; mapped: { obj_content: object }; errors: { path: string }[] }[] };
    expect(sample).toHaveLength(5);
    expect(sample[0]).toMatchObject({
      raw: { price: '12.50' },
      mapped: { obj_external_id: 'sku-000001', obj_content: { price: 12.5 } },
      errors: [],
    });
    expect(sample[1]?.errors).toMatchObject([{ path: 'price' }]);
    expect(sample[2]?.errors.length).toBeGreaterThan(0);
    server.rows = [article(1)];
    expect((await test().expect(200)).body).toMatchObject({ ok: true, sample: [{ errors: [] }], pages_seen: 1 });
    expect(await api.sql('SELECT 1 FROM object WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
    expect(await api.sql('SELECT 1 FROM object_source WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  });

  it('answer 422 with the reason where a source cannot be tried', async () => {
    server.faults.push(status(503));
    expect((await test().expect(422)).body).toMatchObject({ detail: expect.stringContaining('503') });
    server.faults.push(ledTo('http://192.168.0.1/'));
    expect((await test().expect(422)).body).toMatchObject({ detail: expect.stringContaining('not public') });
    expect((await test({}, { rows: '$.elsewhere' }).expect(422)).body).toMatchObject({ detail: expect.stringContaining('$.elsewhere') });
    expect((await test({}, { url: 'http://127.0.0.1:9/page' }).expect(422)).body).toMatchObject({ code: 'unprocessable_content' });
  });

  it('do not run a source that is inactive', async () => {
    const { osr_id } = (await make({ osr_active: false })) as { osr_id: string };
    expect((await ours.owner.client.post(`/object-sources/${osr_id}/sync`, {}).expect(409)).body).toMatchObject({ code: 'invalid_state' });
  });

  it('are for those who may edit sources, are licensed, and stay in their workspace', async () => {
    const source = await Syncing.set(api, ours, server);
    const { job_id } = await source.sync();
    const run = `${source.path}/runs/${job_id}`;
    const viewer = (await ours.member('viewer')).client;
    for (const path of ['/object-sources', source.path, `${source.path}/runs`, run, `${run}/rows`]) await viewer.get(path).expect(200);
    const writes = [
      () => viewer.post('/object-sources', body()),
      () => viewer.post('/object-sources/test', body()),
      () => viewer.patch(source.path, { osr_name: 'Mine' }),
      () => viewer.delete(source.path),
      () => viewer.post(`${source.path}/sync`, {}),
      () => viewer.post(`${run}/cancel`, {}),
    ];
    for (const write of writes) expect((await write().expect(403)).body).toMatchObject({ code: 'permission_denied' });

    const theirs = (await api.workspace(['module-objects'])).owner.client;
    for (const path of [source.path, `${source.path}/runs`, run, `${run}/rows`]) await theirs.get(path).expect(404);
    await theirs.patch(source.path, { osr_name: 'Mine' }).expect(404);
    await theirs.delete(source.path).expect(404);
    await theirs.post(`${source.path}/sync`, {}).expect(404);
    await theirs.post(`${run}/cancel`, {}).expect(404);
    expect((await theirs.post('/object-sources', body()).expect(400)).body.errors).toMatchObject([{ path: 'osr_form', code: 'reference' }]);
    expect((await theirs.post('/object-sources/test', pick(body())).expect(400)).body.errors).toMatchObject([
      { path: 'osr_form', code: 'reference' },
    ]);

    const unlicensed = (await api.workspace()).owner.client;
    for (const path of ['/object-sources', source.path, `${source.path}/runs`, run, `${run}/rows`])
      expect((await unlicensed.get(path).expect(403)).body).toMatchObject({ code: 'license_required' });
    expect((await unlicensed.post('/object-sources', body()).expect(403)).body).toMatchObject({ code: 'license_required' });
    expect((await unlicensed.post(`${source.path}/sync`, {}).expect(403)).body).toMatchObject({ code: 'license_required' });
  });

  it('show of a run only rows of objects that the caller may read, and sensitive values to those who may change objects', async () => {
    const source = await Syncing.set(api, ours, server, { osr_mapping: { ...MAPPING, secret: { path: '$.pin' } } });
    server.rows = [article(0, { pin: '1234' }), article(1)];
    await source.sync();
    const { obj_id } = await source.object('sku-000001');
    await source.client.patch(`/objects/${obj_id}`, { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    server.rows = [article(0, { pin: '9876' }), article(1, { price: 50 })];
    const run = await source.sync();
    expect(run).toMatchObject({ updated: 2 });
    const rows = await source.rows(run.job_id);
    expect(rows.map(({ external_id }) => external_id).sort()).toEqual(['sku-000000', 'sku-000001']);
    expect(JSON.stringify(rows)).toMatch(/1234.*9876/);
    const viewer = (await ours.member('viewer')).client;
    const { data } = (await viewer.get(`${source.path}/runs/${run.job_id}/rows`).expect(200)).body as { data: { external_id: string }[] };
    expect(data.map(({ external_id }) => external_id)).toEqual(['sku-000000']);
    expect(JSON.stringify(data)).not.toMatch(/1234|9876/);
  });
});

const pick = ({ osr_kind, osr_form, osr_config, osr_mapping }: Record<string, unknown>): object => ({
  osr_kind,
  osr_form,
  osr_config,
  osr_mapping,
});
