import { newId } from '@atrium/platform/kernel';
import { type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { ask } from '../architecture/asking';
import { accessLogWritten } from '../support/access-log';
import { startAtrium } from '../support/api';

let api: RunningApi;
let ours: TestWorkspace;
/** When all of them were written; what the tests ask is logged as well. */
let until: string;

const ID = newId();
const OTHER = newId();
/** The content of bodies: ids alone, in other words and in both cases, words that could be parts of ids, numbers and signs. */
const BODIES: readonly object[] = [
  { album_name: `Copy of ${ID} to the harbour` },
  { album_name: `Copy of ${ID.toUpperCase()} to the Harbour` },
  { album_name: `glued${ID}together and ${OTHER}x, ${OTHER}-${ID}` },
  { album_name: 'facade decade 20261121 cafe', wide: 1e21, tiny: 1e-7, negative: -0, ids: [ID, OTHER, ID] },
  { album_name: 'Größe "in quotes" 100% of_it \\ back\nline 東京タワー' },
  { album_name: `line\n${ID} and {${OTHER}}`, [`k-${OTHER}`]: { deep: `\u0001${ID}` } },
];

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
  for (const [i, body] of BODIES.entries())
    await ours.owner.client.with({ 'X-Request-Id': `body-${i}` }).post(`/albums?note=${encodeURIComponent(JSON.stringify(body))}`, body);
  await ours.owner.client.with({ 'X-Request-Id': 'path-0' }).get(`/albums/${ID}`);
  await ours.owner.client.with({ 'X-Request-Id': 'path-1' }).get(`/albums/${OTHER.toUpperCase()}/files?limit=3`);
  await accessLogWritten(api);
  [{ until }] = (await api.sql<{ until: string }>('SELECT max(log_timestamp)::text AS until FROM access_log WHERE tenant_id = $1', [
    ours.tenant_id,
  ])) as [{ until: string }];
});
afterAll(() => api.close());

const PARTS = ['log_url', 'log_query', 'log_params', 'log_body'] as const;
const found = async (query: string): Promise<string[]> =>
  ((await ours.owner.client.get(`/admin/access-logs?limit=100&${query}`).expect(200)).body as { data: { log_request_id: string }[] }).data
    .map(({ log_request_id }) => log_request_id)
    .filter((id) => /^(body|path)-/.test(id))
    .sort();

/** Pieces of a text of many lengths from many places. */
function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length - 3; from += 3)
    for (const length of [3, 7, 13, 24, 36, 37, 50]) pieces.push(text.slice(from, from + length));
  return pieces.filter((piece) => piece.length >= 3);
}

describe('a search of the access log', () => {
  it('finds an id wherever and however it was written, and nothing else', async () => {
    expect(await found(`log_url=${ID}`)).toEqual(['path-0']);
    expect(await found(`log_url=${ID.toUpperCase()}`)).toEqual(['path-0']);
    expect(await found(`log_params=${OTHER}`)).toEqual(['path-1']);
    expect(await found(`log_body=${ID}`)).toEqual(['body-0', 'body-1', 'body-2', 'body-3', 'body-5']);
    expect(await found(`log_body=${newId()}`)).toEqual([]);
    // Where a letter adjoins it is no id, but still a text.
    expect(await found(`log_body=d${ID.slice(0, 30)}`)).toEqual(['body-2']);
    expect(await found(`log_body=${OTHER}X`)).toEqual(['body-2']);
  });

  it('finds a fragment of an id, and an id or a fragment with words beside it', async () => {
    expect(await found(`log_url=${ID.slice(3, 21)}`)).toEqual(['path-0']);
    expect(await found(`log_url=${OTHER.slice(-10)}/FILES`)).toEqual(['path-1']);
    expect(await found(`log_url=albums/${ID.slice(0, 30)}`)).toEqual(['path-0']);
    expect(await found(`log_body=of ${ID} to the harbour`)).toEqual(['body-0', 'body-1']);
    expect(await found(`log_body=${ID.slice(-5)} to the HARB`)).toEqual(['body-0', 'body-1']);
    expect(await found(`log_body=${ID}&log_url=/albums&log_query=${OTHER}`)).toEqual(['body-2', 'body-3', 'body-5']);
  });

  it('finds words that could be part of an id', async () => {
    for (const word of ['facade', 'cafe', '20261121', 'ecade 2026'])
      expect({ word, found: await found(`log_body=${word}`) }).toEqual({ word, found: ['body-3'] });
  });

  it('finds whatever a comparison of every row finds', async () => {
    const rows = await api.sql<Record<(typeof PARTS)[number], string | null>>(
      'SELECT log_url, log_query::text, log_params::text, log_body::text FROM access_log WHERE tenant_id = $1 AND log_timestamp <= $2',
      [ours.tenant_id, until],
    );
    for (const [i, part] of PARTS.entries()) {
      const needles = [...new Set(rows.flatMap((row) => cut(row[part] ?? '')))];
      expect(needles.length).toBeGreaterThan(20);
      const patterns = needles
        .flatMap((needle) => [needle, needle.toUpperCase()])
        .map((needle) => `%${needle.replace(/[\\%_]/g, '\\$&')}%`);
      const given = PARTS.map((_, at) => (at === i ? 'p' : 'NULL')).join(', ');
      const searched = `SELECT p, (SELECT count(*)::integer FROM audit_search(${given}, '-infinity', $2)) AS n FROM unnest($1::text[]) p`;
      const compared = `SELECT p, (SELECT count(*)::integer FROM access_log WHERE ${part}::text ILIKE p AND log_timestamp <= $2) AS n FROM unnest($1::text[]) p`;
      const [byIndex, byComparison] = [
        await ask(api.database.appUrl, searched, { tenant: ours.tenant_id, values: [patterns, until] }),
        await ask(api.database.appUrl, compared, { tenant: ours.tenant_id, values: [patterns, until] }),
      ];
      expect(byIndex).toEqual(byComparison);
    }
  });

  it('reads rows that were written without their searched text as well', async () => {
    await api.sql(
      `INSERT INTO access_log (tenant_id, log_id, log_timestamp, log_principal, log_method, log_url, log_status, log_duration_ms, log_request_id) VALUES ($1, gen_random_uuid(), now(), 'person', 'GET', $2, 200, 1, 'path-2')`,
      [ours.tenant_id, `/api/v1/lanterns/${ID}`],
    );
    expect(await found(`log_url=${ID}`)).toEqual(['path-0', 'path-2']);
    expect(await found('log_url=lanterns')).toEqual(['path-2']);
  });
});

describe('the searched text of a row', () => {
  it('holds no id; the service and the database say the same of it', async () => {
    const rows = await api.sql<{ id: string; same: boolean; held: string[] | null }>(
      `SELECT log_request_id AS id, log_ids AS held, log_text !~* '(^|[^0-9a-z])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}($|[^0-9a-z])'
                AND log_ids IS NOT DISTINCT FROM (SELECT array_agg(i ORDER BY array_position(log_ids, i)) FROM unnest(access_log_ids(access_log_whole(log_url, log_query, log_params, log_body))) i) AS same
       FROM access_log WHERE tenant_id = $1`,
      [ours.tenant_id],
    );
    expect(rows.filter(({ same }) => !same)).toEqual([]);
    expect(rows.find(({ id }) => id === 'path-1')?.held).toEqual([OTHER]);
  });

  it('loses an address, whatever it is made of, and nothing that is like it', async () => {
    const addresses = [`${newId()}@cafe.example`, 'Änne.o@deed.bad', 'abc@face.ad'];
    const kept = ['body-6', 'body-7', 'body-8'];
    for (const [i, address] of addresses.entries()) {
      await ours.owner.client
        .with({ 'X-Request-Id': `body-${6 + i}` })
        .post(`/albums?of=${encodeURIComponent(address)}`, { album_name: `For "${address.toUpperCase()}", not x${address}` });
    }
    await accessLogWritten(api);
    for (const address of addresses)
      expect(
        await ask(api.database.appUrl, 'SELECT access_log_forget($1, $2, NULL, 10) AS changed', {
          tenant: ours.tenant_id,
          values: [newId(), address],
        }),
      ).toEqual([{ changed: 1 }]);
    const rows = await api.sql<{ id: string; text: string; query: string; body: string }>(
      'SELECT log_request_id AS id, log_text AS text, log_query::text AS query, log_body::text AS body FROM access_log WHERE tenant_id = $1 AND log_request_id = ANY ($2) ORDER BY 1',
      [ours.tenant_id, kept],
    );
    expect(rows.map(({ query, body }) => [query, body])).toEqual(
      addresses.map((address) => ['{"of": "[erased]"}', `{"album_name": "For \\"[erased]\\", not x${address}"}`]),
    );
    for (const { text } of rows) expect(text).toContain('[erased]');
    expect(await found('log_body=[erased]')).toEqual(kept);
    expect(await found(`log_body=not x${addresses[0]}`)).toEqual(['body-6']);
  });
});
