import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { startAtrium, startWorker } from '../support/api';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
});
afterAll(() => api.close());

const keyed = (workspace: TestWorkspace, key: string) => workspace.owner.client.with({ 'Idempotency-Key': key });
const albumsNamed = async (workspace: TestWorkspace, name: string): Promise<unknown[]> => (await workspace.owner.client.get(`/albums?album_name=${name}`).expect(200)).body.data as unknown[];

describe('an idempotency key', () => {
  it('replays the first outcome, with its status and headers, and does nothing again', async () => {
    const key = newId();
    const first = await keyed(ours, key).post('/albums', { album_name: 'Once' }).expect(201);
    const again = await keyed(ours, key).post('/albums', { album_name: 'Once' }).expect(201);
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', location: first.headers.location, etag: first.headers.etag });
    expect(again.body).toEqual(first.body);
    expect(await albumsNamed(ours, 'Once')).toHaveLength(1);
  });

  it('is refused for another request', async () => {
    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: 'One' }).expect(201);
    const other = await keyed(ours, key).post('/albums', { album_name: 'Another' }).expect(422);
    expect(other.body.code).toBe('idempotency_mismatch');
  });

  it('lets one of many calls at once through', async () => {
    const key = newId();
    const answers = await Promise.all(Array.from({ length: 8 }, () => keyed(ours, key).post('/albums', { album_name: 'Racing' })));
    for (const answer of answers) if (answer.status !== 201) expect(answer.body.code).toBe('idempotency_in_progress');
    expect(answers.some((answer) => answer.status === 201)).toBe(true);
    expect(await albumsNamed(ours, 'Racing')).toHaveLength(1);
  });

  it('keeps a refusal by what is stored, and is free again after one by form', async () => {
    const absent = newId();
    const path = `/albums/${newId()}/files`;
    await keyed(ours, absent).post(path, { file_ids: [newId()] }).expect(404);
    const replayed = await keyed(ours, absent).post(path, { file_ids: [newId()] });
    expect(replayed.body.code).toBe('idempotency_mismatch');
    const file_ids = [newId()];
    const same = newId();
    await keyed(ours, same).post(path, { file_ids }).expect(404);
    const again = await keyed(ours, same).post(path, { file_ids }).expect(404);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.code).toBe('not_found');

    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: '' }).expect(400);
    await keyed(ours, key).post('/albums', { album_name: 'Now well-formed' }).expect(201);
  });

  it("is each caller's and each workspace's own", async () => {
    const key = newId();
    const theirs = await api.workspace();
    const editor = await ours.member('editor');
    const ids = [];
    for (const client of [ours.owner.client, editor.client, theirs.owner.client]) ids.push((await client.with({ 'Idempotency-Key': key }).post('/albums', { album_name: 'Own' }).expect(201)).body.album_id);
    expect(new Set(ids).size).toBe(3);
  });

  it("is each route's own", async () => {
    const key = newId();
    const { album_id } = (await keyed(ours, key).post('/albums', { album_name: 'Here' }).expect(201)).body as { album_id: string };
    await keyed(ours, key).post(`/albums/${album_id}/files`, { file_ids: [newId()] }).expect(200);
  });

  it('is kept for a day, no longer', async () => {
    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: 'Yesterday' }).expect(201);
    await api.sql("UPDATE idempotency_key SET idem_created = now() - interval '25 hours' WHERE idem_key = $1", [key]);
    const worker = await startWorker(api);
    await worker.get(ScheduleHost).runNow('governance.idempotency');
    expect(await api.sql('SELECT 1 FROM idempotency_key WHERE idem_key = $1', [key])).toEqual([]);
    await keyed(ours, key).post('/albums', { album_name: 'Yesterday' }).expect(201);
    expect(await albumsNamed(ours, 'Yesterday')).toHaveLength(2);
  });
});

describe('a keyed request to a host that dies', () => {
  const hosts = new Hosts();
  afterAll(() => hosts.close());
  const CALLS = 120;
  const keys = Array.from({ length: CALLS }, () => newId());

  it('[governance 30] is done once: replayed, refused for another body or while it runs, and replayed after a crash between commit and answer', async () => {
    const key = newId();
    await keyed(ours, key).post('/albums', { album_name: 'Thirty' }).expect(201);
    expect((await keyed(ours, key).post('/albums', { album_name: 'Thirty' }).expect(201)).headers['idempotent-replayed']).toBe('true');
    expect(await albumsNamed(ours, 'Thirty')).toHaveLength(1);
    await keyed(ours, key).post('/albums', { album_name: 'Thirty-one' }).expect(422);

    await hosts.witness(async () => {
      const dying = await hosts.api();
      const answered = new Set<string>();
      const calls = keys.map((one) =>
        dyingClient(dying, one).post('/albums', { album_name: `crash ${one}` }).then(
          ({ status }) => void (status === 201 && answered.add(one)),
          () => undefined,
        ),
      );
      await eventually(() => Promise.resolve(answered.size), (count) => count > 5);
      await dying.end('SIGKILL');
      await Promise.all(calls);
      const made = new Set((await api.sql<{ album_name: string }>("SELECT album_name FROM album WHERE album_name LIKE 'crash %'")).map(({ album_name }) => album_name.slice('crash '.length)));
      for (const one of answered) expect(made).toContain(one);

      for (const one of keys) {
        const again = await keyed(ours, one).post('/albums', { album_name: `crash ${one}` });
        if (made.has(one)) expect({ status: again.status, replayed: again.headers['idempotent-replayed'] }).toEqual({ status: 201, replayed: 'true' });
        else expect([201, 409]).toContain(again.status);
        if (again.status === 409) expect(again.body.code).toBe('idempotency_in_progress');
      }
      await api.sql("UPDATE idempotency_key SET idem_created = now() - interval '3 minutes' WHERE idem_status IS NULL");
      for (const one of keys) await keyed(ours, one).post('/albums', { album_name: `crash ${one}` }).expect(201);
      const names = await api.sql<{ count: number }>("SELECT count(*)::int AS count FROM album WHERE album_name LIKE 'crash %'");
      expect(names).toEqual([{ count: CALLS }]);
    });
  }, 60_000);

  const dyingClient = (host: Host, key: string): Client => host.client(ours.owner.client).with({ 'Idempotency-Key': key });
});
