import { Database, inWorkspace } from '@atrium/platform/database';
import { IdempotentOutcomes, type KeyedRequest } from '@atrium/platform/http';
import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { Hosts, type Host } from '../faults/hosts';
import { sendUpload } from '../files/uploading';
import { startAtrium, startWorker } from '../support/api';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  ours = await api.workspace();
});
afterAll(() => api.close());

const keyed = (workspace: TestWorkspace, key: string) => workspace.owner.client.with({ 'Idempotency-Key': key });
const albumsNamed = async (workspace: TestWorkspace, name: string): Promise<unknown[]> =>
  (await workspace.owner.client.get(`/albums?album_name=${name}`).expect(200)).body.data as unknown[];

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

  it('keeps no refusal that names a time to come back: the same key has an outcome later', async () => {
    const { client } = ours.owner;
    const upload = await sendUpload(client, 'late.txt', Buffer.from('late'));
    await api.sql("UPDATE upload SET upl_state = 'completing', upl_claimed = now() + interval '1 hour' WHERE upl_id = $1", [upload.upl_id]);
    const key = newId();
    const busy = await keyed(ours, key).post(`/uploads/${upload.upl_id}/finalize`).expect(409);
    expect(busy.headers['retry-after']).toBe('1');
    await api.sql("UPDATE upload SET upl_claimed = now() - interval '7 seconds' WHERE upl_id = $1", [upload.upl_id]);
    const done = await keyed(ours, key).post(`/uploads/${upload.upl_id}/finalize`).expect(201);
    expect(done.headers).not.toHaveProperty('idempotent-replayed');
  });

  it('keeps a refusal by what is stored, and is free again after one by form', async () => {
    const absent = newId();
    const path = `/albums/${newId()}/files`;
    await keyed(ours, absent)
      .post(path, { file_ids: [newId()] })
      .expect(404);
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
    for (const client of [ours.owner.client, editor.client, theirs.owner.client])
      ids.push((await client.with({ 'Idempotency-Key': key }).post('/albums', { album_name: 'Own' }).expect(201)).body.album_id);
    expect(new Set(ids).size).toBe(3);
  });

  it("is each route's own", async () => {
    const key = newId();
    const { album_id } = (await keyed(ours, key).post('/albums', { album_name: 'Here' }).expect(201)).body as { album_id: string };
    await keyed(ours, key)
      .post(`/albums/${album_id}/files`, { file_ids: [newId()] })
      .expect(200);
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

describe('a claim on a key', () => {
  const claimed = (lapses: string) =>
    api.sql('UPDATE idempotency_key SET idem_status = NULL, idem_body = NULL, idem_lapses = now() + $2::interval WHERE idem_key = $1', [
      key,
      lapses,
    ]);
  const key = newId();
  const ask = () => keyed(ours, key).post('/albums', { album_name: 'Claimed' });

  it('is held as long as Retry-After says, and free when it has lapsed', async () => {
    await ask().expect(201);
    await claimed('4 seconds');
    const early = await ask().expect(409);
    expect([early.body.code, Number(early.headers['retry-after'])]).toEqual(['idempotency_in_progress', expect.any(Number)]);
    expect(Number(early.headers['retry-after'])).toBeLessThanOrEqual(4);
    await claimed('-1 second');
    expect((await ask().expect(201)).headers).not.toHaveProperty('idempotent-replayed');
  });

  it('is renewed by the process that answers, and what that makes is rolled back once another has taken it', async () => {
    const outcomes = api.app.get(IdempotentOutcomes, { strict: false });
    const request: KeyedRequest = {
      key: newId(),
      route: 'POST /api/v1/albums',
      user_id: ours.owner.user_id,
      fingerprint: 'same',
      secret: false,
      leading: ['album_id'],
    };
    await inWorkspace(ours.tenant_id, async () => {
      const claim = await outcomes.claimKey(request);
      if (!('id' in claim)) throw new Error('The key is new.');
      const lapses = async (): Promise<number> =>
        (
          await api.sql<{ at: number }>('SELECT extract(epoch FROM idem_lapses)::float8 AS at FROM idempotency_key WHERE idem_key = $1', [
            request.key,
          ])
        )[0]!.at;
      const first = await lapses();
      await eventually(lapses, (at) => at > first);
      // Stopped for longer than the claim lasts, it is late.
      await api.sql('UPDATE idempotency_key SET idem_claim = $2 WHERE idem_key = $1', [request.key, newId()]);
      const late = api.app.get(Database, { strict: false }).write(async (tx) => {
        await tx.execute("UPDATE album SET album_description = 'late' WHERE tenant_id = $1", [ours.tenant_id]);
        tx.beforeCommit(() => outcomes.outcomeStatement(claim, { status: 201, body: {} }));
      });
      await expect(late).rejects.toMatchObject({ code: 'idempotency_in_progress' });
      outcomes.dropClaim(claim);
    });
    expect(await api.sql("SELECT 1 FROM album WHERE tenant_id = $1 AND album_description = 'late'", [ours.tenant_id])).toEqual([]);
  });
});

describe('a keyed request to a host that is killed', () => {
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
        dyingClient(dying, one)
          .post('/albums', { album_name: `crash ${one}` })
          .then(
            ({ status }) => void (status === 201 && answered.add(one)),
            () => undefined,
          ),
      );
      await eventually(
        () => Promise.resolve(answered.size),
        (count) => count > 5,
      );
      await dying.end('SIGKILL');
      await Promise.all(calls);
      const made = new Set(
        (await api.sql<{ album_name: string }>("SELECT album_name FROM album WHERE album_name LIKE 'crash %'")).map(({ album_name }) =>
          album_name.slice('crash '.length),
        ),
      );
      for (const one of answered) expect(made).toContain(one);

      // What was not made is free once the claims of the ended process lapse; each answer says when that is.
      const [waits, stillMaking] = [new Set<number>(), new Set(keys)];
      const openOnes = async (): Promise<number> => {
        for (const one of stillMaking) {
          const again = await keyed(ours, one).post('/albums', { album_name: `crash ${one}` });
          if (made.has(one))
            expect({ status: again.status, replayed: again.headers['idempotent-replayed'] }).toEqual({ status: 201, replayed: 'true' });
          if (again.status === 201) stillMaking.delete(one);
          else {
            expect([again.status, again.body.code]).toEqual([409, 'idempotency_in_progress']);
            waits.add(Number(again.headers['retry-after']));
          }
        }
        return stillMaking.size;
      };
      await eventually(openOnes, (count) => count === 0);
      for (const wait of waits) expect(wait).toBeLessThanOrEqual(6);
      const names = await api.sql<{ count: number }>("SELECT count(*)::int AS count FROM album WHERE album_name LIKE 'crash %'");
      expect(names).toEqual([{ count: CALLS }]);
    });
  }, 60_000);

  const dyingClient = (host: Host, key: string): Client => host.client(ours.owner.client).with({ 'Idempotency-Key': key });
});
