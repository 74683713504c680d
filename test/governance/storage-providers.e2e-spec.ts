import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newId, SystemClock } from '@atrium/platform/kernel';
import { StrictS3Server, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { openS3Store } from '@atrium/platform/storage';
import { accessLogWritten } from '../support/access-log';
import { sharedAtrium } from '../support/shared-atrium';

const STEPS = ['connect', 'auth', 'bucket', 'put', 'get', 'presigned_put', 'presigned_get', 'list', 'delete', 'clock'];
const MINUTE = 60_000;

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let s3: StrictS3Server;
let redirecting: Server;

beforeAll(async () => {
  s3 = await new StrictS3Server().start();
  redirecting = createServer((_, res) => void res.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end()).listen(
    0,
    '127.0.0.1',
  );
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  for (const bucket of ['acme-media', 'acme-more']) await makeBucket(bucket);
});
afterAll(async () => {
  await api.close();
  redirecting.close();
  await s3.stop();
});

interface Provider {
  readonly sto_id: string;
  readonly sto_status: string;
  readonly [field: string]: unknown;
}

async function makeBucket(bucket: string): Promise<void> {
  const store = await openS3Store({
    endpoint: s3.endpoint,
    bucket,
    pathStyle: true,
    credentials: s3.credentials,
    clock: new SystemClock(),
  });
  await store.prepare({ createBucket: true });
}

let made = 0;
const body = (more: object = {}): object => ({
  sto_name: `Archive ${++made}`,
  sto_endpoint: s3.endpoint,
  sto_region: s3.credentials.region,
  sto_bucket: 'acme-media',
  sto_access_key: s3.credentials.accessKey,
  sto_secret: s3.credentials.secretKey,
  ...more,
});
const create = async (client: Client, more: object = {}): Promise<Provider> =>
  (await client.post('/admin/storage/providers', body(more)).expect(201)).body as Provider;
const path = ({ sto_id }: Pick<Provider, 'sto_id'>, rest = ''): string => `/admin/storage/providers/${sto_id}${rest}`;
const told = async (name: string, sto_id: string): Promise<object[]> =>
  (
    await api.sql<{ ev_payload: object }>('SELECT ev_payload FROM outbox WHERE ev_name = $1 AND ev_subject = $2 ORDER BY ev_id', [
      name,
      sto_id,
    ])
  ).map(({ ev_payload }) => ev_payload);

describe('a storage provider', () => {
  it('[governance 17] is refused by the step that fails and taken when all ten work; its secret is in no answer, log row or audit event', async () => {
    const { client } = ours.owner;
    const wrong = `wrong-${newId()}`;
    const refused = async (more: object, step: string): Promise<void> => {
      const answer = await client.post('/admin/storage/providers', body(more)).expect(422);
      expect(answer.body).toMatchObject({
        code: 'unprocessable_content',
        detail: expect.stringContaining(`step ${step}:`),
        errors: [{ path: step }],
      });
      expect(JSON.stringify(answer.body)).not.toContain(s3.credentials.secretKey);
    };
    await refused({ sto_secret: wrong }, 'auth');
    await refused({ sto_access_key: 'somebody-else' }, 'auth');
    await refused({ sto_bucket: 'nowhere-here' }, 'bucket');
    s3.skewMs = 20 * MINUTE;
    await refused({}, 'clock');
    s3.skewMs = 0;
    await refused({ sto_endpoint: 'http://127.0.0.1:9' }, 'connect');

    const answer = await client.post('/admin/storage/providers', body({ sto_name: 'Frankfurt', sto_prefix: 'atrium/one' })).expect(201);
    const provider = answer.body as Provider;
    expect(provider).toEqual({
      sto_id: expect.any(String),
      sto_name: 'Frankfurt',
      sto_kind: 's3',
      sto_endpoint: s3.endpoint,
      sto_region: s3.credentials.region,
      sto_bucket: 'acme-media',
      sto_prefix: 'atrium/one',
      sto_path_style: true,
      sto_access_key: 'stri…cess',
      sto_sse: 'none',
      sto_managed_by: 'workspace',
      sto_default: false,
      sto_active: true,
      sto_status: 'ok',
      sto_checked_at: expect.any(String),
      sto_error: null,
      sto_bytes: 0,
      sto_objects: 0,
      sto_created: expect.any(String),
      sto_updated: expect.any(String),
    });
    expect(answer.headers).toMatchObject({ etag: '"1"', location: `/api/v1${path(provider)}` });
    expect((await client.post(path(provider, '/verify')).expect(200)).body).toEqual({
      sto_status: 'ok',
      steps: STEPS.map((step) => ({ step, ok: true, detail: '' })),
    });
    const [first, second] = ['acme-media', 'acme-more'].map((bucket) => ({ bucket, created: '2026-01-02T03:04:05.000Z' }));
    expect((await client.get(path(provider, '/buckets')).expect(200)).body).toEqual({
      data: [first, second],
      has_more: false,
      next_cursor: null,
    });
    const { body: page } = await client.get(path(provider, '/buckets?sort=-bucket&limit=1')).expect(200);
    expect(page).toEqual({ data: [second], has_more: true, next_cursor: expect.any(String) });
    expect((await client.get(path(provider, `/buckets?sort=-bucket&limit=1&cursor=${page.next_cursor}`)).expect(200)).body).toEqual({
      data: [first],
      has_more: false,
      next_cursor: null,
    });

    await accessLogWritten(api);
    const everything = await api.sql<{ rows: string }>(
      `SELECT coalesce(string_agg(x::text, ' '), '') AS rows FROM (SELECT a::text AS x FROM access_log a UNION ALL SELECT e::text FROM audit_event e UNION ALL SELECT o::text FROM outbox o UNION ALL SELECT p::text FROM storage_provider p UNION ALL SELECT i::text FROM idempotency_key i) t`,
    );
    expect(everything[0]!.rows).toContain('Frankfurt');
    expect(everything[0]!.rows).toContain('createStorageProvider');
    for (const secret of [s3.credentials.secretKey, wrong]) expect(everything[0]!.rows).not.toContain(secret);
    const [event] = await api.sql<{ after: Record<string, unknown> }>(
      "SELECT aud_after AS after FROM audit_event WHERE tenant_id = $1 AND aud_type = 'storage_provider.created' AND aud_target_name = 'Frankfurt'",
      [ours.tenant_id],
    );
    expect(event?.after).toMatchObject({ sto_bucket: 'acme-media', sto_credential: '[set]' });
  });

  it('leaves nothing of its probes behind, whatever fails', async () => {
    const provider = await create(ours.owner.client, { sto_bucket: 'acme-more' });
    await ours.owner.client.post(path(provider, '/verify')).expect(200);
    for (const bucket of ['acme-more', 'acme-media']) {
      const store = await openS3Store({
        endpoint: s3.endpoint,
        bucket,
        pathStyle: true,
        credentials: s3.credentials,
        clock: new SystemClock(),
      });
      for await (const { key } of store.list('')) throw new Error(`${key} was left`);
    }
  });

  it.each([
    ['the loopback by another number', 'http://127.0.0.2:9000'],
    ['a private network', 'https://10.1.2.3'],
    ['the metadata of a cloud', 'http://169.254.169.254'],
    ['a file', 'file:///etc/passwd'],
    ['no address', 'somewhere'],
    ['a name and a password', 'https://me:secret@s3.example.com'],
    ['a path', 'https://s3.example.com/bucket'],
  ])('is refused with 400 where its endpoint is %s', async (_, sto_endpoint) => {
    const { body: problem } = await ours.owner.client.post('/admin/storage/providers', body({ sto_endpoint })).expect(400);
    expect(problem.errors).toEqual([expect.objectContaining({ path: 'sto_endpoint' })]);
  });

  it('is refused with 400 where its endpoint redirects, and for fields that are none', async () => {
    const { body: problem } = await ours.owner.client
      .post('/admin/storage/providers', body({ sto_endpoint: `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}` }))
      .expect(400);
    expect(problem.errors).toEqual([expect.objectContaining({ path: 'sto_endpoint', code: 'redirect' })]);
    for (const [path, value] of [
      ['sto_name', ''],
      ['sto_kind', 'disk'],
    ] as const) {
      const refused = await ours.owner.client.post('/admin/storage/providers', body({ [path]: value })).expect(400);
      expect((refused.body as { errors: object[] }).errors).toMatchObject([{ path }]);
    }
  });

  it('bears a name of its own, is changed under its version, and is tried out before new credentials are kept', async () => {
    const { client } = ours.owner;
    const provider = await create(client, { sto_name: 'Lisbon' });
    await client.post('/admin/storage/providers', body({ sto_name: 'LISBON' })).expect(409, /already_exists/);
    const renamed = await client.with({ 'If-Match': '"1"' }).patch(path(provider), { sto_name: 'Porto', sto_active: false }).expect(200);
    expect(renamed.body).toMatchObject({ sto_name: 'Porto', sto_active: false, sto_status: 'ok' });
    expect(renamed.headers.etag).toBe('"2"');
    await client.with({ 'If-Match': '"1"' }).patch(path(provider), { sto_name: 'Faro' }).expect(412);
    await client.patch(path(provider), { sto_secret: 'not-the-one' }).expect(422, /step auth/);
    await client.patch(path(provider), { sto_bucket: 'nowhere-here' }).expect(422, /step bucket/);
    expect(
      (await client.patch(path(provider), { sto_bucket: 'acme-more', sto_secret: s3.credentials.secretKey, sto_active: true }).expect(200))
        .body,
    ).toMatchObject({ sto_bucket: 'acme-more', sto_status: 'ok' });
    await client.delete(path(provider)).expect(204);
    await client.get(path(provider)).expect(404);
    const types = await api.sql<{ aud_type: string }>(
      'SELECT aud_type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_id',
      [ours.tenant_id, provider.sto_id],
    );
    expect(types.map(({ aud_type }) => aud_type)).toEqual([
      'storage_provider.created',
      'storage_provider.updated',
      'storage_provider.updated',
      'storage_provider.deleted',
    ]);
  });

  it('that holds objects keeps its place and stays', async () => {
    const { client } = ours.owner;
    const provider = await create(client);
    await api.sql(
      `INSERT INTO storage_delta (tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects) VALUES ($1, $2, 'original', 'media', 'image', $3, 900, 3)`,
      [ours.tenant_id, provider.sto_id, ours.owner.user_id],
    );
    expect((await client.get(path(provider)).expect(200)).body).toMatchObject({ sto_bytes: 900, sto_objects: 3 });
    for (const change of [{ sto_bucket: 'acme-more' }, { sto_prefix: 'elsewhere' }, { sto_endpoint: 'http://127.0.0.1:9' }])
      await client.patch(path(provider), change).expect(409, /in_use/);
    await client.delete(path(provider)).expect(409, /in_use/);
    await client.patch(path(provider), { sto_name: 'Holding' }).expect(200);
  });

  it('that the platform manages is listed, first the default, and changed by nobody here', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const { data } = (await client.get('/admin/storage/providers').expect(200)).body as { data: Provider[] };
    expect(data).toEqual([
      expect.objectContaining({
        sto_id: workspace.tenant_id,
        sto_managed_by: 'platform',
        sto_default: true,
        sto_status: 'ok',
        sto_endpoint: null,
        sto_bucket: null,
        sto_access_key: null,
      }),
    ]);
    const platform = { sto_id: workspace.tenant_id };
    await client.get(path(platform)).expect(200);
    await client.patch(path(platform), { sto_name: 'Mine' }).expect(403, /permission_denied/);
    await client.delete(path(platform)).expect(403, /permission_denied/);
    await client.post(path(platform, '/verify')).expect(403, /permission_denied/);
    await client.get(path(platform, '/buckets')).expect(403, /permission_denied/);
    await client.post(path(platform, '/default')).expect(200);
  });

  it('reports when it begins to fail and when it works again', async () => {
    const { client } = ours.owner;
    const provider = await create(client);
    s3.skewMs = -20 * MINUTE;
    for (let twice = 0; twice < 2; twice++) {
      const { sto_status, steps } = (await client.post(path(provider, '/verify')).expect(200)).body as {
        sto_status: string;
        steps: { step: string; ok: boolean; detail: string }[];
      };
      expect(sto_status).toBe('failing');
      expect(steps.at(-1)).toEqual({ step: 'clock', ok: false, detail: expect.stringContaining('20 minutes behind') });
    }
    expect((await client.get(path(provider)).expect(200)).body).toMatchObject({
      sto_status: 'failing',
      sto_error: expect.stringContaining('clock: '),
    });
    await client.post(path(provider, '/default')).expect(409, /invalid_state/);
    s3.skewMs = 0;
    expect((await client.post(path(provider, '/verify')).expect(200)).body.sto_status).toBe('ok');
    expect(await told('storage_provider.failing', provider.sto_id)).toHaveLength(1);
    expect(await told('storage_provider.recovered', provider.sto_id)).toHaveLength(1);
    await client.delete(path(provider)).expect(204);
  });

  it('is visible to permitted members, and by no other workspace', async () => {
    const provider = await create(ours.owner.client);
    const editor = await ours.member('editor');
    const operations = (client: Client) => [
      () => client.get(path(provider)),
      () => client.patch(path(provider), { sto_name: 'Taken' }),
      () => client.delete(path(provider)),
      () => client.post(path(provider, '/verify')),
      () => client.post(path(provider, '/default')),
      () => client.get(path(provider, '/buckets')),
    ];
    for (const operation of [
      ...operations(editor.client),
      () => editor.client.get('/admin/storage/providers'),
      () => editor.client.post('/admin/storage/providers', body()),
    ]) {
      expect((await operation().expect(403)).body.detail).toContain('admin:storage');
    }
    for (const operation of operations(theirs.owner.client)) await operation().expect(404);
    expect((await theirs.owner.client.get('/admin/storage/providers').expect(200)).body.data.map(({ sto_id }: Provider) => sto_id)).toEqual(
      [theirs.tenant_id],
    );
    expect((await ours.owner.client.get(path(provider)).expect(200)).body).toEqual(provider);
  });
});
