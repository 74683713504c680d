import { newId } from '@atrium/platform/kernel';
import { type Member, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { accessLogWritten } from '../support/access-log';
import { startAtrium } from '../support/api';
import { Client as Postgres } from 'pg';
import { asAdmin, ask } from '../architecture/asking';
import { repeated } from '../support/repeated';

interface Row {
  readonly log_id: string;
  readonly log_timestamp: string;
  readonly log_request_id: string;
  readonly [field: string]: unknown;
}

interface Page {
  readonly data: Row[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let editor: Member;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  editor = await ours.member('editor');
});
afterAll(() => api.close());

const LIST = '/admin/access-logs';
const list = async (query: string, workspace = ours): Promise<Page> =>
  (await workspace.owner.client.get(`${LIST}?${query}`).expect(200)).body as Page;
const ids = (page: Page): string[] => page.data.map(({ log_request_id }) => log_request_id);

/** Rows of long ago, without requests: `count` of them, a second apart, all of one user. */
const arrange = (tenant_id: string, count: number, from: string, extra = "''"): Promise<object[]> =>
  api.sql(
    `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_user, log_principal, log_method, log_url, log_route, log_status, log_duration_ms, log_bytes_out, log_request_id)
     SELECT $1, gen_random_uuid(), $3::timestamptz + i * interval '1 second', $4, 'person', 'GET', '/api/v1/arranged/' || i || ${extra}, '/api/v1/arranged/:id', CASE WHEN i % 10 = 0 THEN 404 ELSE 200 END, i % 100, 100, 'arranged-' || i
     FROM generate_series(1, $2::integer) i`,
    [tenant_id, count, from, editor.user_id],
  );

describe('the list of requests', () => {
  it('shows who asked for what, newest first, with the name the user has now', async () => {
    await editor.client
      .with({ 'X-Request-Id': 'shown-1', 'User-Agent': 'robot/2 (shown)' })
      .post('/albums', { album_name: 'Harbour wall' })
      .expect(201);
    await editor.client.with({ 'X-Request-Id': 'shown-2' }).get('/albums?limit=3').expect(200);
    await accessLogWritten(api);
    const page = await list('log_request_id=shown-1');
    expect(page).toMatchObject({ has_more: false, next_cursor: null });
    expect(page.data).toEqual([
      expect.objectContaining({
        log_user: editor.user_id,
        log_user_name: 'editor 1',
        log_key: editor.key_id,
        log_operation: 'createAlbum',
        log_permission: 'media:edit',
        log_status: 201,
        log_code: null,
        log_body: { album_name: 'Harbour wall' },
        log_timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        log_bytes_in: expect.any(Number),
        log_duration_ms: expect.any(Number),
      }),
    ]);
    expect(page.data[0]).not.toHaveProperty('log_text');
    expect(page.data[0]).not.toHaveProperty('tenant_id');
    expect(ids(await list(`log_user=${editor.user_id}&limit=2`))).toEqual(['shown-2', 'shown-1']);
  });

  it('is narrowed by every field', async () => {
    const [row] = (await list('log_request_id=shown-1')).data as [Row];
    const equal = [
      'log_id',
      'log_user',
      'log_key',
      'log_principal',
      'log_method',
      'log_route',
      'log_operation',
      'log_ip',
      'log_permission',
      'log_replayed',
      'log_sampled',
      'log_bytes_in',
      'log_bytes_out',
    ];
    for (const name of equal) {
      const found = await list(`log_request_id=shown-1&${name}=${encodeURIComponent(String(row[name]))}`);
      expect({ name, found: ids(found) }).toEqual({ name, found: ['shown-1'] });
    }
    for (const filter of [
      'log_status=201&log_status=201',
      'log_status=200',
      'log_duration_ms=0&log_duration_ms=60000.5',
      `log_timestamp=${row.log_timestamp}&log_timestamp=${row.log_timestamp}`,
      'log_url=API/v1/ALB',
      'log_body=harbour WALL',
      'log_user_agent=(shown)',
    ]) {
      expect({ filter, found: ids(await list(`log_request_id=shown-1&${filter}`)) }).toEqual({ filter, found: ['shown-1'] });
    }
    for (const filter of [
      `log_user=${newId()}`,
      `log_key=${newId()}`,
      `log_extension=${newId()}`,
      `log_session=${newId()}`,
      'log_principal=public',
      'log_method=GET',
      'log_status=202',
      'log_status=100&log_status=200',
      'log_duration_ms=60001',
      'log_code=not_found',
      'log_url=/nowhere',
      'log_query=limit',
      'log_params=harbour',
      'log_body=harbour%25wall',
      'log_user_agent=robot/3',
      'log_idempotency_key=abc',
      'log_trace_id=abc',
      'log_replayed=true',
      'log_sampled=true',
    ]) {
      expect({ filter, found: ids(await list(`log_request_id=shown-1&${filter}`)) }).toEqual({ filter, found: [] });
    }
    expect(ids(await list('log_query=%22limit%22: %223%22&log_request_id=shown-2'))).toEqual(['shown-2']);
  });

  it('refuses what cannot be asked', async () => {
    const { body } = await ours.owner.client.get(`${LIST}?log_user=me`).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path: 'log_user' }] });
    await ours.owner.client.get(`${LIST}?log_body=${'x'.repeat(1_000)}`).expect(200);
  });

  it('is open to those who may audit, of their own workspace', async () => {
    const { body } = await editor.client.get(LIST).expect(403);
    expect(body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('admin:audit') });
    await accessLogWritten(api);
    expect(ids(await list('log_code=permission_denied'))).toHaveLength(1);
    expect(ids(await list(`log_user=${editor.user_id}`, theirs))).toEqual([]);
    expect(ids(await list('log_body=harbour wall', theirs))).toEqual([]);
    await editor.client.get(`${LIST}/stats?group_by=date`).expect(403);
  });

  it('[governance 21] pages without gap or repeat while new requests arrive, and gives at most 10,000 rows at once', async () => {
    const wanted = Array.from({ length: 60 }, (_, i) => `paged-${i}`);
    const from = new Date().toISOString();
    for (const id of wanted) await editor.client.with({ 'X-Request-Id': id }).post('/albums', { album_name: id }).expect(201);
    await accessLogWritten(api);
    const filter = `log_user=${editor.user_id}&log_method=POST&log_timestamp=${from}&log_timestamp=${new Date(Date.now() + 60_000).toISOString()}`;
    for (const sort of ['', '&sort=log_timestamp', '&sort=-log_duration_ms']) {
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const page: Page = await list(`${filter}&limit=7${sort}${cursor ? `&cursor=${cursor}` : ''}`);
        seen.push(...ids(page).filter((id) => id.startsWith('paged-')));
        cursor = page.next_cursor;
        await Promise.all([1, 2].map(() => ours.owner.client.post('/albums', { album_name: 'meanwhile' }).expect(201)));
        if (sort === '') await editor.client.post('/albums', { album_name: 'newer' }).expect(201);
        await accessLogWritten(api);
      }
      expect({ sort, seen: [...seen].sort() }).toEqual({ sort, seen: [...wanted].sort() });
      if (sort === '') expect(seen).toEqual([...wanted].reverse());
    }

    await arrange(ours.tenant_id, 12_000, '2026-01-10T00:00:00Z');
    const page = await list('limit=20000&log_timestamp=2026-01-10T00:00:00Z&log_timestamp=2026-01-11T00:00:00Z');
    expect(page.data).toHaveLength(10_000);
    expect(page.has_more).toBe(true);
    const rest = await list(`limit=20000&log_timestamp=2026-01-10T00:00:00Z&log_timestamp=2026-01-11T00:00:00Z&cursor=${page.next_cursor}`);
    expect(rest.data).toHaveLength(2_000);
    expect(new Set([...page.data, ...rest.data].map(({ log_id }) => log_id)).size).toBe(12_000);
    expect(
      (await list('limit=2&offset=3&sort=log_timestamp&log_timestamp=2026-01-10T00:00:00Z')).data.map(
        ({ log_request_id }) => log_request_id,
      ),
    ).toEqual(['arranged-4', 'arranged-5']);
  });
});

describe('sums over requests', () => {
  const stats = async (
    query: string,
  ): Promise<{ key: string; label: string; requests: number; errors: number; p50_ms: number; p95_ms: number; bytes_out: number }[]> =>
    ((await ours.owner.client.get(`${LIST}/stats?${query}`).expect(200)).body as { data: never[] }).data;
  const range = 'log_timestamp=2026-01-10T00:00:00Z&log_timestamp=2026-01-11T00:00:00Z';

  it('count by route, user, status, key and day, with percentiles and bytes', async () => {
    expect(await stats(`group_by=log_route&${range}`)).toEqual([
      {
        key: '/api/v1/arranged/:id',
        label: '/api/v1/arranged/:id',
        requests: 12_000,
        errors: 1_200,
        p50_ms: 49,
        p95_ms: 94,
        bytes_out: 1_200_000,
      },
    ]);
    expect(await stats(`group_by=log_user&${range}`)).toMatchObject([{ key: editor.user_id, label: 'editor 1', requests: 12_000 }]);
    expect(await stats(`group_by=log_status&${range}`)).toMatchObject([
      { key: '200', requests: 10_800, errors: 0 },
      { key: '404', requests: 1_200, errors: 1_200 },
    ]);
    expect(await stats(`group_by=log_key&${range}`)).toMatchObject([{ key: null, label: null, requests: 12_000 }]);
    expect(await stats(`group_by=log_key`)).toEqual(
      expect.arrayContaining([expect.objectContaining({ key: editor.key_id, label: 'test' })]),
    );
    expect(await stats(`group_by=date&${range}&tz=UTC`)).toMatchObject([{ key: '2026-01-10', requests: 12_000 }]);
    // Midnight in Auckland is 11:00 UTC: of the seconds from 1 to 12,000 after midnight UTC all are on its 10th.
    expect(
      await stats(`group_by=date&log_timestamp=2026-01-09T11:00:00Z&log_timestamp=2026-01-10T01:00:00Z&tz=America/New_York`),
    ).toMatchObject([{ key: '2026-01-09', requests: 3_600 }]);
  });

  it('count a sampled row as the ten requests it represents', async () => {
    await api.sql(`UPDATE access_log SET log_sampled = true WHERE tenant_id = $1 AND log_request_id = 'arranged-1'`, [ours.tenant_id]);
    expect(await stats(`group_by=log_route&${range}`)).toMatchObject([{ requests: 12_009, bytes_out: 1_200_900 }]);
  });

  it('refuse an unknown grouping or zone, and more than 31 days', async () => {
    for (const query of [
      '',
      'group_by=date&tz=Mars/Base',
      'group_by=date&tz=FOO%2B3',
      'group_by=date&log_timestamp=2026-01-01T00:00:00Z&log_timestamp=2026-02-05T00:00:00Z',
      'group_by=date&log_timestamp=2026-01-02T00:00:00Z&log_timestamp=2026-01-01T00:00:00Z',
    ]) {
      const { body } = await ours.owner.client.get(`${LIST}/stats?${query}`).expect(400);
      expect({ query, code: (body as { code: string }).code }).toEqual({ query, code: 'validation_failed' });
    }
  });
});

/** The plan of what runs inside of the search when the service asks for a text in paths. */
async function planOf(needle: string): Promise<string> {
  const client = new Postgres({ connectionString: asAdmin(api.database) });
  await client.connect();
  const told: string[] = [];
  client.on('notice', ({ message }) => told.push(message ?? ''));
  try {
    await client.query(
      `LOAD 'auto_explain'; SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on; SET auto_explain.log_level = 'notice'; SET ROLE atrium_app`,
    );
    await client.query("SELECT set_config('app.tenant_id', $1, false)", [ours.tenant_id]);
    await client.query("SELECT * FROM audit_search($1, NULL, NULL, NULL, '-infinity', 'infinity')", [`%${needle}%`]);
    return told.join('\n');
  } finally {
    await client.end();
  }
}

/** Where the index is a hundred times cheaper than the rows; the request that is looked for is behind three quarters of them. */
const LOGGED = repeated('LOGGED_REQUESTS', { usual: 150_000, deep: 1_000_000 });
const WANTED = Math.floor(LOGGED * 0.777777);

describe('a search for a text', () => {
  it('[governance 22] uses the trigram index at a million rows (fewer in a usual run), and finds nothing of another workspace', async () => {
    // Loaded before the index is built, because that is quicker; no other index has a part in it.
    await api.sql("SELECT make_month('access_log', 'log_timestamp', '2025-03-01Z')");
    await api.sql('DROP INDEX access_log_text, access_log_user, access_log_request, access_log_duration');
    await api.sql(
      `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id, log_text, log_ids)
       SELECT $1, gen_random_uuid(), '2025-03-01Z'::timestamptz + i * interval '1 second', 'person', 'GET', '/files/' || name || '/' || id, 200, 1, 'm', '/files/' || name || '/', ARRAY[id]
       FROM generate_series(1, $2::integer) i, LATERAL (SELECT left(md5(i::text), 20) AS name, md5('id' || i)::uuid AS id) made`,
      [ours.tenant_id, LOGGED],
    );
    await api.sql(
      "SET LOCAL maintenance_work_mem = '512MB'; CREATE INDEX access_log_text ON access_log USING gin (tenant_id, log_text gin_trgm_ops, log_ids)",
    );
    await api.sql('ANALYZE access_log');
    const [{ wanted, id }] = (await api.sql<{ wanted: string; id: string }>(
      "SELECT left(md5($1), 20) AS wanted, md5('id' || $1)::uuid AS id",
      [String(WANTED)],
    )) as [{ wanted: string; id: string }];

    const taken: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) {
      const started = performance.now();
      const page = await list(`log_url=${wanted.slice(4, 20).toUpperCase()}`);
      taken.push(performance.now() - started);
      expect(page.data.map(({ log_url }) => log_url)).toEqual([`/files/${wanted}/${id}`]);
    }
    // The quickest of three: what else the machine does is no matter here.
    expect(Math.min(...taken)).toBeLessThan(500);
    expect((await list(`log_url=${wanted.slice(4, 20)}`, theirs)).data).toEqual([]);

    for (const needle of [wanted.slice(4, 20), id, id.toUpperCase(), `${wanted.slice(-15)}/${id.slice(0, 18)}`, `${wanted}/${id}`]) {
      expect({ needle, found: (await list(`log_url=${needle}`)).data.map(({ log_url }) => log_url) }).toEqual({
        needle,
        found: [`/files/${wanted}/${id}`],
      });
      const plan = await planOf(needle);
      expect(plan).toContain('Bitmap Index Scan on access_log_2025_03_tenant_id_log_text_log_ids_idx');
      expect(plan).not.toContain('Seq Scan on access_log_2025_03');
    }
    // A fragment of an id is in no index: the rows of the time that is asked are read, and no others.
    const around = await api.sql<{ at: Date }>(
      "SELECT log_timestamp AS at FROM access_log WHERE tenant_id = $1 AND log_timestamp = '2025-03-01Z'::timestamptz + $2 * interval '1 second'",
      [ours.tenant_id, WANTED],
    );
    const at = around[0]!.at.getTime();
    expect(
      (
        await list(
          `log_url=${id.slice(4, 23)}&log_timestamp=${new Date(at - 60_000).toISOString()}&log_timestamp=${new Date(at + 60_000).toISOString()}`,
        )
      ).data,
    ).toHaveLength(1);
    const found = await ask(api.database.appUrl, `SELECT * FROM audit_search('%${wanted}%', NULL, NULL, NULL, '-infinity', 'infinity')`, {
      tenant: theirs.tenant_id,
    });
    expect(found).toEqual([]);
  }, 120_000);
});
