import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { newId } from '@atrium/platform/kernel';
import { storeFile } from '../files/stored-files';
import { startAtriumWithWorker } from '../support/api';
import { CLOUDFLARE, LoopbackEdges, PURGE, type Told } from './loopback-edges';
import { published, publish } from './publishing';

const edges = new LoopbackEdges();
let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtriumWithWorker(await edges.start());
  ours = await api.workspace(['module-publication']);
}, 60_000);
afterAll(async () => {
  await api.close();
  edges.stop();
});

describe('edges outside', () => {
  it('[distribution 16] are purged after each switch and revocation, asked again when they are busy, and end with the last policy', async () => {
    const { client } = ours.owner;
    edges.refusals.push(
      { call: CLOUDFLARE, status: 429, headers: { 'retry-after': '1' } },
      { call: /^PUT \/edge\/policies\//, status: 503 },
      { call: PURGE, status: 429, headers: { 'retry-after': '1' } },
    );
    const { file_id } = await storeFile(api, ours);
    const { pub_url, pub_id } = await published(client, file_id);
    const key = pub_url.split('/p/')[1]?.split('/')[0] ?? '';
    const put = new RegExp(`^PUT /edge/policies/${key}$`);
    await eventually(
      () => Promise.resolve(edges.taken(CLOUDFLARE)),
      (told) => told.length > 0,
      30_000,
    );
    await eventually(
      () => Promise.resolve(edges.taken(PURGE)),
      (told) => told.length > 0,
      30_000,
    );
    expect(edges.told.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(edges.taken(CLOUDFLARE)[0]?.body).toEqual({ files: [pub_url] });
    expect(edges.taken(PURGE)[0]?.body).toEqual({ urls: [pub_url] });
    expect(edges.told.some(({ status }) => status === 401)).toBe(false);

    const before = edges.taken(CLOUDFLARE).length;
    for (const deny of [['FR'], ['BE'], ['DE', 'ip:203.0.113.0/24']])
      await publish(client, file_id, { distribution: 'restricted', deny }, 200);
    const last = await eventually(
      () => Promise.resolve(edges.taken(put).at(-1)),
      (told) => told?.body.rules?.some(({ values }) => values.includes('DE')) ?? false,
      30_000,
    );
    expect(last?.body).toMatchObject({
      state: 'published',
      object: expect.stringMatching(/^pub\//),
      rules: [
        { kind: 'territory', values: ['DE'] },
        { kind: 'ip', values: ['203.0.113.0/24'] },
      ],
    });
    expect(edges.taken(CLOUDFLARE).length).toBeGreaterThan(before);

    const purges = edges.taken(PURGE).length;
    await client.delete(`/files/${file_id}/publication`).expect(204);
    await eventually(
      () => Promise.resolve(edges.taken(new RegExp(`^DELETE /edge/policies/${key}$`))),
      (told) => told.length > 0,
      30_000,
    );
    await eventually(
      () => Promise.resolve(edges.taken(PURGE).length),
      (count) => count > purges,
      30_000,
    );
    const proof = await eventually(
      async () => (await client.get(`/publications/${pub_id}/history`)).body.data[0] as { ph_action: string; ph_edges: { edge: string }[] },
      ({ ph_edges }) => ph_edges.length === 3,
      30_000,
    );
    expect(proof).toMatchObject({ ph_action: 'revoked', ph_edges: [{ edge: 'embedded' }, { edge: 'cloudflare' }, { edge: 'http' }] });
    const [due] = await api.sql<{ pub_edge_due: string | null }>('SELECT pub_edge_due FROM publication WHERE pub_id = $1', [pub_id]);
    expect(due?.pub_edge_due).toBeNull();
  }, 120_000);

  it('hear of a changed baseline for every live publication, in batches', async () => {
    const { client } = ours.owner;
    const urls = new Set<string>();
    for (const { file_id } of [await storeFile(api, ours), await storeFile(api, ours)])
      urls.add((await published(client, file_id)).pub_url);
    const { body: rule } = await client
      .post('/distribution/restrictions', { dr_name: `Base ${newId()}`, dr_kind: 'territory', dr_effect: 'deny', dr_values: ['KP'] })
      .expect(201);
    const from = edges.told.length;
    const answer = await client.put('/distribution/baseline', { restriction_ids: [rule.dr_id] }).expect(200);
    expect(answer.headers['x-affected']).toBe('2');
    const since = (): Told[] => edges.told.slice(from).filter(({ status }) => status === 200);
    const ruled = (): Set<string> =>
      new Set(
        since().flatMap(({ call, body }) =>
          call.startsWith('PUT ') && body.rules?.some(({ values }) => values.includes('KP')) ? [call] : [],
        ),
      );
    await eventually(
      () => Promise.resolve([...ruled()]),
      (calls) => calls.length === 2,
      30_000,
    );
    await eventually(
      () => Promise.resolve(new Set(since().flatMap(({ call, body }) => (CLOUDFLARE.test(call) ? (body.files ?? []) : [])))),
      (purged) => [...urls].every((url) => purged.has(url)),
      30_000,
    );
    await eventually(
      () => api.sql('SELECT 1 FROM edge_sync WHERE tenant_id = $1', [ours.tenant_id]),
      (rows) => rows.length === 0,
    );
  }, 60_000);
});
