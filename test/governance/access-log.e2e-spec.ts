import { inspectIsolation } from '@atrium/platform/database';
import { Edge, type FinishedRequest } from '@atrium/platform/http';
import { ScheduleHost } from '@atrium/platform/messaging';
import { Metrics } from '@atrium/platform/observability';
import { newId } from '@atrium/platform/kernel';
import { eventually, TEST_PASSWORD, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { AccessLogWriter } from '@atrium/governance';
import { Client } from 'pg';
import { OPERATOR_TOKENS, operatorOf } from '../support/operating';
import { accessLogWritten } from '../support/access-log';
import { startAtrium, startWorker } from '../support/api';

interface LogRow {
  readonly log_method: string;
  readonly log_url: string;
  readonly log_status: number;
  readonly log_body: unknown;
  readonly [field: string]: unknown;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium({ OPERATOR_TOKENS });
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const rowsOf = (request_id: string): Promise<LogRow[]> =>
  api.sql<LogRow>('SELECT * FROM access_log WHERE log_request_id = $1', [request_id]);
const countOf = async (tenant_id: string): Promise<number> =>
  Number((await api.sql<{ n: string }>('SELECT count(*) AS n FROM access_log WHERE tenant_id = $1', [tenant_id]))[0]?.n);

/** The one row of a request, once it is written. */
const rowOf = async (request_id: string): Promise<LogRow> =>
  (
    await eventually(
      () => rowsOf(request_id),
      (rows) => rows.length > 0,
    )
  )[0]!;

/** Rows that the service sees for a workspace (or for none), as the policies let it. */
async function visibleTo(tenant_id: string, request_id: string): Promise<number> {
  const client = new Client({ connectionString: api.database.appUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT set_config('app.tenant_id', $1, true)", [tenant_id]);
    return (await client.query('SELECT FROM access_log WHERE log_request_id = $1', [request_id])).rowCount ?? 0;
  } finally {
    await client.end();
  }
}

/** Holds the database's door shut for everybody while the work runs. */
async function whileUnreachable(database: string, work: () => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: process.env.TEST_PG_ADMIN_URL });
  await admin.connect();
  try {
    await admin.query(`ALTER DATABASE ${database} CONNECTION LIMIT 0`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
    await work();
  } finally {
    await admin.query(`ALTER DATABASE ${database} CONNECTION LIMIT -1`);
    await admin.end();
  }
}

const isolationFaults = async (): Promise<string[]> =>
  (await inspectIsolation(api.database.appUrl)).filter((fault) => fault.includes('access_log'));
const lostCount = async (): Promise<number> => (await api.app.get(Metrics).accessLogLost.get()).values[0]?.value ?? 0;

describe('a request of a workspace', () => {
  it('leaves a row that says who asked for what, and how it ended', async () => {
    const client = ours.owner.client.with({
      'X-Request-Id': 'log-1',
      'User-Agent': 'robot/1',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      'Idempotency-Key': 'once',
    });
    await client.post('/albums?', { album_name: 'Harbour' }).expect(201);
    expect(await rowOf('log-1')).toMatchObject({
      tenant_id: ours.tenant_id,
      log_user: ours.owner.user_id,
      log_key: ours.owner.key_id,
      log_session: null,
      log_principal: 'person',
      log_method: 'POST',
      log_url: '/api/v1/albums',
      log_route: '/api/v1/albums',
      log_operation: 'createAlbum',
      log_permission: 'media:edit',
      log_code: null,
      log_sampled: false,
      log_params: null,
      log_query: null,
      log_body: { album_name: 'Harbour' },
      log_status: 201,
      log_ip: expect.stringContaining('127.0.0.1'),
      log_user_agent: 'robot/1',
      log_trace_id: 'a'.repeat(32),
      log_idempotency_key: expect.stringMatching(/^[0-9a-f]{16}$/),
      log_replayed: false,
      log_bytes_in: String(JSON.stringify({ album_name: 'Harbour' }).length),
    });
    await client.with({ 'X-Request-Id': 'log-2' }).post('/albums?', { album_name: 'Harbour' }).expect(201);
    expect(await rowOf('log-2')).toMatchObject({ log_replayed: true });
  });

  it('is recorded with its parameters, whatever it was answered', async () => {
    const id = '0190b2f4-0000-7000-8000-000000000000';
    await ours.owner.client
      .with({ 'X-Request-Id': 'log-3' })
      .get(`/albums/${id}?album_created=2026-01-01&album_created=2026-02-01`)
      .expect(400);
    const row = await rowOf('log-3');
    expect(row).toMatchObject({
      log_url: `/api/v1/albums/${id}`,
      log_params: { id },
      log_query: { album_created: ['2026-01-01', '2026-02-01'] },
      log_status: 400,
      log_code: 'validation_failed',
      log_body: null,
    });
    expect(row.log_route).toMatch(/^\/api\/v1\/albums\/:/);
  });

  it('leaves no secret behind, neither by name nor by looks', async () => {
    const { 'X-Api-Key': key } = ours.owner.client.headers;
    const body = {
      album_name: `my key ${key}`,
      album_metadata: { deep: [{ password: 'hunter2', link: 'https://s3.example.com/o?X-Amz-Signature=5ec2e7' }] },
      refresh_token: 'hunter3',
    };
    await ours.owner.client.with({ 'X-Request-Id': 'log-4' }).post(`/albums?api_key=hunter4&album_name=${key}`, body).expect(400);
    const row = await rowOf('log-4');
    expect(row.log_body).toEqual({
      album_name: 'my key [redacted]',
      album_metadata: { deep: [{ password: '[redacted]', link: 'https://s3.example.com/o?X-Amz-Signature=[redacted]' }] },
      refresh_token: '[redacted]',
    });
    expect(row).toMatchObject({ log_query: { api_key: '[redacted]', album_name: '[redacted]' } });
    const [{ everything }] = (await api.sql<{ everything: string }>(
      "SELECT string_agg(access_log::text, E'\\n') AS everything FROM access_log",
    )) as [{ everything: string }];
    for (const secret of [key!, 'hunter', '5ec2e7']) expect(everything).not.toContain(secret);
  });

  it('keeps of a large body its size and the names at its top', async () => {
    const body = { album_name: 'x', album_description: 'y'.repeat(4_200) };
    await ours.owner.client.with({ 'X-Request-Id': 'log-5' }).post('/albums', body).expect(201);
    expect((await rowOf('log-5')).log_body).toEqual({
      _truncated: true,
      _bytes: JSON.stringify(body).length,
      _keys: ['album_name', 'album_description'],
    });
  });

  it('is recorded even when it holds what the database cannot store', async () => {
    await ours.owner.client.with({ 'X-Request-Id': 'log-6' }).post('/albums', { album_name: 'a\0b\ud800' }).expect(400);
    expect((await rowOf('log-6')).log_body).toEqual({ album_name: 'a\ufffdb\ufffd' });
  });

  it('that names no workspace, or comes from nobody, leaves none', async () => {
    await api.stranger.with({ 'X-Request-Id': 'log-7', 'X-Tenant-Id': ours.tenant_id }).get('/albums').expect(401);
    await theirs.owner.client.with({ 'X-Request-Id': 'log-7', 'X-Tenant-Id': ours.tenant_id }).get('/albums').expect(403);
    await ours.owner.client.with({ 'X-Request-Id': 'log-8' }).get('/albums').expect(200);
    await rowOf('log-8');
    expect(await rowsOf('log-7')).toEqual([]);
  });
});

describe('what a route keeps in the log', () => {
  const everything = async (): Promise<string> =>
    (await api.sql<{ everything: string }>("SELECT string_agg(access_log::text, E'\\n') AS everything FROM access_log"))[0]?.everything ??
    '';

  it('is all of a body, its shape alone, or nothing; no password and no private text is anywhere in the table', async () => {
    const { client, email } = ours.owner;
    await api.stranger.with({ 'X-Request-Id': 'depth-login' }).post('/auth/login', { email, password: TEST_PASSWORD }).expect(200);
    await client.with({ 'X-Request-Id': 'depth-full' }).post('/albums', { album_name: 'Lighthouse' }).expect(201);
    await client
      .with({ 'X-Request-Id': 'depth-shape' })
      .post(`/admin/issuers/${newId()}/test?note=whispered`, { token: 'a whispered text' })
      .expect(400);
    await client.with({ 'X-Request-Id': 'depth-none' }).post('/admin/api-keys', { key_name: 'a key whose name is not kept' }).expect(201);
    expect((await rowOf('depth-full')).log_body).toEqual({ album_name: 'Lighthouse' });
    expect(await rowOf('depth-shape')).toMatchObject({
      log_body: { token: '[redacted]' },
      log_query: { note: '[string 9]' },
      log_code: 'validation_failed',
      log_permission: 'admin:settings',
    });
    expect(await rowOf('depth-none')).toMatchObject({
      log_operation: 'createApiKey',
      log_body: null,
      log_params: null,
      log_query: null,
      log_status: 201,
      log_permission: 'admin:api-keys',
    });
    const table = await everything();
    for (const private_ of [TEST_PASSWORD, 'whispered', 'is not kept']) expect(table).not.toContain(private_);
  });

  it('[governance 20] is neither the password of a sign-in nor the text of a memory, while the body of a new album says its name', async () => {
    const { client, email } = ours.owner;
    const secret = 'My therapist is Doctor Wolf of Fenchurch Street.';
    await api.stranger.with({ 'X-Request-Id': 'twenty-login' }).post('/auth/login', { email, password: TEST_PASSWORD }).expect(200);
    await client.with({ 'X-Request-Id': 'twenty-memory' }).post('/memories', { mem_value: secret }).expect(201);
    await client.with({ 'X-Request-Id': 'twenty-album' }).post('/albums', { album_name: 'Fen' }).expect(201);
    expect(await rowOf('twenty-memory')).toMatchObject({
      log_operation: 'createMemory',
      log_body: { mem_value: `[string ${secret.length}]` },
    });
    expect((await rowOf('twenty-album')).log_body).toEqual({ album_name: 'Fen' });
    await accessLogWritten(api);
    const table = await everything();
    for (const private_ of [TEST_PASSWORD, secret, 'Doctor Wolf', 'Fenchurch']) expect(table).not.toContain(private_);
  });

  it('is the shape of content wherever it is written, and of what was searched for; ids, days and the size of the page stay', async () => {
    const { client } = ours.owner;
    const id = newId();
    await client.post('/prompts', { prompt_name: 'Zanzibar', prompt_text: 'Say Zanzibar.' });
    await client.post('/threads', { thread_title: 'Zanzibar' });
    await client.post(`/threads/${id}/messages`, { msg_text: 'Zanzibar' });
    await client.post(`/agents/${id}/run`, { messages: [{ role: 'user', content: 'Zanzibar' }] });
    await client.post('/assist/summarize', { text: 'Zanzibar is an island.' });
    await client.post('/objects', { obj_form: id, obj_name: 'Zanzibar', obj_content: { name: 'Zanzibar' } });
    await client.post(`/knowledge-bases/${id}/records`, { rec_content: { name: 'Zanzibar' } });
    await client.post(`/knowledge-bases/${id}/search`, { query: 'Zanzibar', filter: { fields: { name: 'Zanzibar' } } });
    await client.post('/retrieval/search', { query: 'Zanzibar' });
    await client.post('/knowledge-bases', { ds_name: 'Zanzibar', _truncated: true, _bytes: 1, _keys: ['Zanzibar'] });
    const query = `full_text_search=Zanzibar&obj_content[name]=Zanzibar&obj_content[salary][gte]=60123&obj_form=${id}&obj_created=2026-01-01&limit=7&sort=-obj_created`;
    await client.with({ 'X-Request-Id': 'shape-query' }).get(`/objects?${query}`);
    expect(await rowOf('shape-query')).toMatchObject({
      log_query: {
        full_text_search: '[string 8]',
        'obj_content[name]': '[string 8]',
        'obj_content[salary][gte]': '[string 5]',
        obj_form: id,
        obj_created: '2026-01-01',
        limit: '7',
        sort: '-obj_created',
      },
    });
    await accessLogWritten(api);
    const table = await everything();
    for (const private_ of ['Zanzibar', '60123']) expect(table).not.toContain(private_);
  });

  it('was more once: rows of that time are shaped by a worker, a page at a time, and are found by what they still say', async () => {
    const worker = await startWorker(api);
    const old = (request_id: string, row: object): Promise<object[]> =>
      api.sqlAsService('SELECT access_log_append(jsonb_build_array($1::jsonb))', [
        JSON.stringify({
          tenant_id: ours.tenant_id,
          log_id: newId(),
          log_timestamp: new Date(),
          log_request_id: request_id,
          log_principal: 'person',
          log_method: 'POST',
          log_status: 201,
          log_duration_ms: 1,
          ...row,
        }),
      ]);
    const id = newId();
    await old('old-provider', {
      log_url: '/api/v1/model-providers',
      log_operation: 'createModelProvider',
      log_body: { mp_key: 'MP-KEY-of-long-ago', mp_models: [{ model: 'Quillfeather' }], mp_active: true },
      log_query: { q: 'Quillfeather', ws: id },
    });
    await old('old-large', {
      log_url: '/api/v1/prompts',
      log_operation: 'createPrompt',
      log_body: { _truncated: true, _bytes: 9_000, _keys: ['prompt_text'] },
    });
    await old('old-album', { log_url: '/api/v1/albums', log_operation: 'createAlbum', log_body: { album_name: 'Kept of old' } });
    await api.sql(
      "UPDATE access_log_scrubbing SET scrub_due = now(), scrub_tenant = '00000000-0000-0000-0000-000000000000', scrub_time = '-infinity'",
    );
    await api.sqlAsService('SELECT access_log_scrub(2)');
    await worker.get(ScheduleHost).runNow('governance.access-log-scrub');
    expect(await rowOf('old-provider')).toMatchObject({
      log_body: { mp_key: '[string 18]', mp_models: [{ model: '[string 12]' }], mp_active: '[boolean]' },
      log_query: { q: '[string 12]', ws: id },
    });
    expect((await rowOf('old-large')).log_body).toEqual({ _truncated: true, _bytes: 9_000, _keys: ['prompt_text'] });
    expect((await rowOf('old-album')).log_body).toEqual({ album_name: 'Kept of old' });
    const table = await everything();
    for (const private_ of ['MP-KEY-of-long-ago', 'Quillfeather']) expect(table).not.toContain(private_);
    const { body } = await ours.owner.client.get(`/admin/access-logs?log_query=${id}&log_body=mp_key`).expect(200);
    expect(body.data).toMatchObject([{ log_request_id: 'old-provider' }]);
    const left = await api.sql('SELECT scrub_part FROM access_log_scrubbing WHERE scrub_due <= now()');
    expect(left).toEqual([]);
  });

  it('is the code of its refusal as well, and no permission when none let it pass', async () => {
    const viewer = await ours.member('viewer');
    await viewer.client.with({ 'X-Request-Id': 'refused-1' }).post('/albums', { album_name: 'x' }).expect(403);
    await viewer.client.with({ 'X-Request-Id': 'refused-2' }).get(`/albums/${newId()}`).expect(404);
    expect(await rowOf('refused-1')).toMatchObject({
      log_status: 403,
      log_code: 'permission_denied',
      log_permission: null,
      log_operation: 'createAlbum',
    });
    expect(await rowOf('refused-2')).toMatchObject({ log_status: 404, log_code: 'not_found', log_permission: 'media:view' });
  });
});

describe('a request that is refused before its workspace is known', () => {
  it("is counted by its code, and fills nobody's log", async () => {
    const counted = async (code: string): Promise<number> =>
      (await api.app.get(Metrics).refused.get()).values.find(({ labels }) => labels.code === code)?.value ?? 0;
    const before = [await counted('unauthenticated'), await counted('tenant_required'), await counted('tenant_forbidden')];
    await accessLogWritten(api);
    const rows = await api.sql<{ n: string }>('SELECT count(*) AS n FROM access_log');
    await api.stranger.get('/albums').expect(401);
    await ours.owner.client.without('X-Tenant-Id').get('/albums').expect(400);
    await ours.owner.client.with({ 'X-Tenant-Id': theirs.tenant_id }).get('/albums').expect(403);
    const after = await eventually(
      async () => [await counted('unauthenticated'), await counted('tenant_required'), await counted('tenant_forbidden')],
      (counts) => counts.every((count, i) => count > before[i]!),
    );
    expect(after).toEqual(before.map((count) => count + 1));
    await accessLogWritten(api);
    expect(await api.sql('SELECT count(*) AS n FROM access_log')).toEqual(rows);
  });
});

describe('the table', () => {
  it('shows a workspace its own rows only, and none without one', async () => {
    await ours.owner.client.with({ 'X-Request-Id': 'log-9' }).get('/albums').expect(200);
    await rowOf('log-9');
    expect(await visibleTo(ours.tenant_id, 'log-9')).toBe(1);
    expect(await visibleTo(theirs.tenant_id, 'log-9')).toBe(0);
    expect(await visibleTo('', 'log-9')).toBe(0);
  });

  it('lets the service neither change nor remove nor forge a row, and not reach a partition', async () => {
    for (const statement of [
      'UPDATE access_log SET log_status = 200',
      'DELETE FROM access_log',
      `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id) VALUES ('${ours.tenant_id}', gen_random_uuid(), now(), 'person', 'GET', '/', 200, 1, 'forged')`,
      'SELECT FROM access_log_default',
      'DROP TABLE access_log_default',
    ]) {
      await expect(api.sqlAsService(statement)).rejects.toThrow(/permission denied|must be owner/);
    }
    expect(await isolationFaults()).toEqual([]);
  });
});

describe('the months', () => {
  const nameOf = (month: number): string => {
    const now = new Date();
    return `access_log_${new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + month, 1)).toISOString().slice(0, 7).replace('-', '_')}`;
  };
  const partitions = async (): Promise<string[]> =>
    (
      await api.sql<{ name: string }>(
        "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'access_log'::regclass ORDER BY 1",
      )
    ).map(({ name }) => name);
  const insert = (request_id: string, timestamp: string): Promise<object[]> =>
    api.sqlAsService(
      'SELECT access_log_append(jsonb_build_array(jsonb_build_object($1::text, $2::uuid, $3::text, gen_random_uuid(), $4::text, $5::text, $6::text, $7::text) || $8::jsonb))',
      [
        'tenant_id',
        ours.tenant_id,
        'log_id',
        'log_timestamp',
        timestamp,
        'log_request_id',
        request_id,
        '{"log_principal":"person","log_method":"GET","log_url":"/","log_status":200,"log_duration_ms":1}',
      ],
    );

  it('of now and of the three to come are there', async () => {
    expect(await partitions()).toEqual(expect.arrayContaining(['access_log_default', nameOf(0), nameOf(1), nameOf(2), nameOf(3)]));
  });

  it('are shown to operators, with rows that are in none', async () => {
    const { data } = (await operatorOf(api).get('/partitions').expect(200)).body as { data: { part_table: string }[] };
    expect(data.map(({ part_table }) => part_table)).toEqual(['access_log', 'audit_event', 'share_event', 'usage_entry']);
    expect(data[0]).toEqual({
      part_table: 'access_log',
      part_count: expect.any(Number),
      part_last: nameOf(3).slice(-7),
      part_default_rows: 0,
    });
    await ours.owner.client.get('/../../operator/v1/partitions').expect(404);
  });

  it('are made by a worker: rows that came before their month move into it, and months kept long enough go', async () => {
    await api.sql(`DROP TABLE ${nameOf(1)}`);
    const early = `${nameOf(1).slice(-7).replace('_', '-')}-03T00:00:00Z`;
    await insert('early', early);
    await insert('ancient', '2001-01-01T00:00:00Z');
    await api.sql(
      "SET LOCAL ROLE atrium_definer; CREATE TABLE access_log_2001_02 PARTITION OF access_log FOR VALUES FROM ('2001-02-01Z') TO ('2001-03-01Z')",
    );
    const worker = await startWorker(api);
    await worker.get(ScheduleHost).runNow('governance.partitions');
    expect(await partitions()).toContain(nameOf(1));
    expect(await partitions()).not.toContain('access_log_2001_02');
    expect(await api.sql('SELECT tableoid::regclass::text AS place FROM access_log WHERE log_request_id = $1', ['early'])).toEqual([
      { place: nameOf(1) },
    ]);
    expect(await rowsOf('ancient')).toEqual([]);
    expect(await isolationFaults()).toEqual([]);
  });

  it('that the service asks to drop early stay for thirty days', async () => {
    await ours.owner.client.with({ 'X-Request-Id': 'log-10' }).get('/albums').expect(200);
    await rowOf('log-10');
    await api.sqlAsService("SELECT partitions_prepare('access_log', 0)");
    expect(await rowsOf('log-10')).toHaveLength(1);
  });
});

describe('a host that stops', () => {
  it('has written every request it answered, those that ended while it stopped too', async () => {
    const second = await startAtrium();
    const workspace = await second.workspace();
    const answers = Array.from({ length: 40 }, async () => (await workspace.owner.client.get('/albums')).status);
    await Promise.race(answers);
    await second.close();
    const answered = (await Promise.allSettled(answers)).filter((answer) => answer.status === 'fulfilled');
    expect(answered.length).toBeGreaterThan(0);
    expect(await countOf(workspace.tenant_id)).toBe(answered.length);
  });
});

describe('a database that is away', () => {
  it('gets the rows when it is back', async () => {
    const writer = api.app.get(AccessLogWriter, { strict: false });
    await ours.owner.client.with({ 'X-Request-Id': 'log-11' }).get('/albums').expect(200);
    await whileUnreachable(api.database.name, async () => {
      await ours.owner.client.with({ 'X-Request-Id': 'log-12' }).get('/albums').expect(503);
      await writer.flushBacklog();
    });
    for (const id of ['log-11', 'log-12'])
      expect(
        await eventually(
          () => rowsOf(id),
          (rows) => rows.length > 0,
        ),
      ).toHaveLength(1);
  });

  it('costs bounded memory: the newest 10,000 requests wait, the rest are counted', async () => {
    const writer = api.app.get(AccessLogWriter, { strict: false });
    const edge = api.app.get(Edge);
    let seen: FinishedRequest | undefined;
    edge.recordWith((finished) => (seen = finished));
    await accessLogWritten(api);
    await api.sql('REVOKE EXECUTE ON FUNCTION access_log_write FROM atrium_app');
    try {
      await theirs.owner.client.get('/albums').expect(200);
      await eventually(
        async () => writer.backlog,
        (backlog) => backlog === 1,
      );
      const lost = await lostCount();
      for (let i = 0; i < 10_049; i++) for (const record of edge.recorders) record(seen!);
      expect(writer.backlog).toBe(10_000);
      expect(await lostCount()).toBe(lost + 50);
      await writer.flushBacklog();
      expect(writer.backlog).toBe(10_000);
    } finally {
      await api.sql('GRANT EXECUTE ON FUNCTION access_log_write TO atrium_app');
    }
    const before = await countOf(theirs.tenant_id);
    expect(
      await eventually(
        () => countOf(theirs.tenant_id),
        (count) => count >= before + 10_000,
      ),
    ).toBe(before + 10_000);
    expect(writer.backlog).toBe(0);
  });
});
