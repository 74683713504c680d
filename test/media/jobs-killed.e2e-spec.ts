import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { migrateQueue } from '@atrium/platform/messaging';
import {
  drawPicture,
  eventually,
  FaceServer,
  faceVector,
  StockServer,
  type RunningApi,
  type TestWorkspace,
} from '@atrium/platform/testing';
import { Client as Postgres } from 'pg';
import { ask, asAdmin } from '../architecture/asking';
import { endedJob, readJob, type FileJobAnswer } from '../files/file-jobs-of';
import { storeMany } from '../files/stored-files';
import { settled } from '../files/uploading';
import { BRIEF_LEASES, startAtrium, startWorker } from '../support/api';
import { spawnWorker } from '../support/built-hosts';
import { makeGroup, makeTag } from './tagging';

/** The holder of this lock keeps work from being written; each job of the test waits for it at a point of its own. */
const GATE = 4_712;
const TAGGED = 510;
const SEEN = 22;
const MET = 5;
const RELABELLED = 1_450;
const AT_ONCE = 1_000;

let stock: StockServer;
let faces: FaceServer;
let api: RunningApi;
let gate: Postgres;
let killed: ChildProcess | undefined;
/** The sessions that wait for it; locks of other databases of the server are not meant. */
const WAITING = `FROM pg_locks WHERE locktype = 'advisory' AND objid = ${GATE} AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** How many jobs are to stand at the gate. */
let gated = 0;

beforeAll(async () => {
  [stock, faces] = await Promise.all([StockServer.start(), FaceServer.start()]);
  stock.picture = await drawPicture({ width: 64, height: 48, format: 'jpeg', seed: 3 });
  faces.seeing = () => ({ faces: [{ box: [40, 40, 140, 160], embedding: faceVector(7) }] });
  api = await startAtrium({
    ...BRIEF_LEASES,
    OUTBOUND_ALLOW: '127.0.0.1/32',
    UNSPLASH_ACCESS_KEY: 'unsplash-key',
    UNSPLASH_URL: stock.url,
    FACES_URL: faces.url,
    FACES_API_KEY: 'face-key',
    FACES_CLUSTER_SECONDS: '0',
    WORKER_CONCURRENCY: '16',
    DATABASE_POOL: '20',
  });
  await migrateQueue(api.database.ownerUrl);
  gate = new Postgres({ connectionString: api.database.ownerUrl });
  await gate.connect();
  await gate.query(`
    CREATE FUNCTION wait_at_gate() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$;
    SELECT pg_advisory_lock(${GATE})`);
}, 60_000);
afterAll(async () => {
  killed?.kill('SIGKILL');
  await gate.end();
  await api.close();
  await Promise.all([stock.stop(), faces.stop()]);
});

/** A workspace whose work is held up where a row of the table becomes so. */
async function heldUp(on: 'UPDATE ON file_job' | 'INSERT ON stock_import' | 'UPDATE ON face', when: string): Promise<TestWorkspace> {
  const workspace = await api.workspace();
  await gate.query(
    `CREATE TRIGGER gate_${++gated} BEFORE ${on} FOR EACH ROW WHEN (NEW.tenant_id = '${workspace.tenant_id}' AND ${when}) EXECUTE FUNCTION wait_at_gate()`,
  );
  return workspace;
}

const counted = async ({ tenant_id }: TestWorkspace, from: string, where = 'true'): Promise<number> =>
  (await api.sql<{ count: number }>(`SELECT count(*)::int AS count FROM ${from} WHERE tenant_id = $1 AND ${where}`, [tenant_id]))[0]
    ?.count ?? 0;
const told = (workspace: TestWorkspace, event: string): Promise<number> =>
  counted(workspace, 'outbox', `ev_kind = 'event' AND ev_name = '${event}'`);
const lines = (workspace: TestWorkspace, action: string): Promise<number> => counted(workspace, 'file_history', `fh_action = '${action}'`);
const charges = (workspace: TestWorkspace, param: string): Promise<number> => counted(workspace, 'usage_entry', `usage_param = '${param}'`);
const started = (answer: { readonly body: object }): FileJobAnswer => answer.body as FileJobAnswer;

/** Files that bear tags, as if people had given them. */
async function tagged(workspace: TestWorkspace, tags: readonly string[], each = TAGGED): Promise<string[]> {
  const files = await storeMany(api, workspace, each);
  await api.sql('INSERT INTO file_tag (tenant_id, ft_tag, ft_file) SELECT $1, t, f FROM unnest($2::uuid[]) t, unnest($3::uuid[]) f', [
    workspace.tenant_id,
    tags,
    files,
  ]);
  return files;
}

/** Pictures of one person. */
async function portraits(workspace: TestWorkspace, count: number): Promise<string[]> {
  await workspace.owner.client.patch('/admin/settings', { ws_options: { faces_enabled: true } }).expect(200);
  const files = await storeMany(api, workspace, count, {
    name: 'portrait.jpg',
    type: 'image/jpeg',
    kind: 'image',
    bytes: await drawPicture({ width: 320, height: 240, format: 'jpeg', seed: 5 }),
    read: true,
  });
  await api.sql("UPDATE file SET file_kind = 'image' WHERE tenant_id = $1", [workspace.tenant_id]);
  return files;
}

describe('a worker that is killed in the middle of jobs of the library', () => {
  it('is followed by another one: tags, faces, stock photos and states come to their end, and nothing is doubled', async () => {
    killed = spawnWorker();
    const halfway = 'NEW.done >= 400 AND OLD.done < 400';
    const tagging = await heldUp('UPDATE ON file_job', halfway);
    const files = await storeMany(api, tagging, TAGGED);
    const taggingJob = started(
      await tagging.owner.client.post('/files/actions/media-tags', { file_ids: files, add: { Subject: ['Harbour'] } }).expect(202),
    );

    const deleting = await heldUp('UPDATE ON file_job', halfway);
    const doomed = await makeTag(deleting.owner.client, {
      mt_group: await makeGroup(deleting.owner.client, { mtg_name: 'Subject' }),
      mt_value: 'Doomed',
    });
    await tagged(deleting, [doomed]);
    const deletingJob = started(await deleting.owner.client.delete(`/media-tags/${doomed}`).expect(202));

    const merging = await heldUp('UPDATE ON file_job', halfway);
    const mt_group = await makeGroup(merging.owner.client, { mtg_name: 'Subject' });
    const [old, into] = [
      await makeTag(merging.owner.client, { mt_group, mt_value: 'Ship' }),
      await makeTag(merging.owner.client, { mt_group, mt_value: 'Boat' }),
    ];
    const [both] = await tagged(merging, [old]);
    await api.sql('INSERT INTO file_tag (tenant_id, ft_tag, ft_file) VALUES ($1, $2, $3)', [merging.tenant_id, into, both]);
    const mergingJob = started(await merging.owner.client.post(`/media-tags/${old}/merge`, { into }).expect(202));

    const looking = await heldUp('UPDATE ON file_job', 'NEW.done > OLD.done');
    const lookingJob = started(
      await looking.owner.client.post('/files/actions/detect-faces', { file_ids: await portraits(looking, SEEN) }).expect(202),
    );
    const sorting = await heldUp('UPDATE ON face', "NEW.face_state = 'assigned'");
    const sortingJob = started(
      await sorting.owner.client.post('/files/actions/detect-faces', { file_ids: await portraits(sorting, MET) }).expect(202),
    );

    const fetched = await heldUp('UPDATE ON file_job', 'NEW.done > OLD.done');
    const fetchedJob = started(await fetched.owner.client.post('/stock-photos/unsplash:u1/import', {}).expect(202));
    const fetching = await heldUp('INSERT ON stock_import', 'true');
    const fetchingJob = started(await fetching.owner.client.post('/stock-photos/unsplash:u2/import', {}).expect(202));

    const relabelling = await heldUp('UPDATE ON file_job', halfway);
    await storeMany(api, relabelling, RELABELLED);
    const [flow] = (await relabelling.owner.client.get('/admin/media-status-flows').expect(200)).body.data as { msf_id: string }[];
    const states = [
      { key: 'draft', label: 'Draft', initial: true },
      { key: 'done', label: 'Done' },
    ];
    await relabelling.owner.client
      .put(`/admin/media-status-flows/${flow?.msf_id}`, {
        msf_name: 'Short',
        msf_scope: ['media'],
        msf_active: true,
        msf_states: states,
        msf_transitions: [{ from: 'draft', to: 'done' }],
        remap: { active: 'draft' },
      })
      .expect(200);
    const [remap] = await api.sql<{ job_id: string }>(
      "SELECT job_id FROM file_job WHERE tenant_id = $1 AND job_kind = 'media.status_remap'",
      [relabelling.tenant_id],
    );

    await eventually(
      () => api.sql(`SELECT 1 ${WAITING}`),
      (waiting) => waiting.length >= gated,
      120_000,
    );
    await eventually(
      () => counted(fetched, 'stock_import', 'si_told IS NOT NULL'),
      (heard) => heard === 1,
      60_000,
    );
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    // What waited for the lock is gone with the worker.
    await ask(asAdmin(api.database), `SELECT pg_terminate_backend(pid) ${WAITING}`);
    expect(await readJob(tagging.owner.client, taggingJob.job_id)).toMatchObject({ status: 'running', done: 200 });
    expect(await told(tagging, 'file.tagged')).toBe(200);
    expect(await counted(looking, 'face')).toBe(20);
    await gate.query(`SELECT pg_advisory_unlock(${GATE})`);

    await startWorker(api);
    const ended = (workspace: TestWorkspace, { job_id }: FileJobAnswer): Promise<FileJobAnswer> => endedJob(workspace.owner.client, job_id);
    const whole = { status: 'completed', done: TAGGED, failed: 0, total: TAGGED };
    expect(await ended(tagging, taggingJob)).toMatchObject(whole);
    expect(await ended(deleting, deletingJob)).toMatchObject(whole);
    expect(await ended(merging, mergingJob)).toMatchObject(whole);
    expect(await ended(looking, lookingJob)).toMatchObject({ status: 'completed', done: SEEN, failed: 0 });
    expect(await ended(sorting, sortingJob)).toMatchObject({ status: 'completed', done: MET, failed: 0 });
    const [photo, other] = [await ended(fetched, fetchedJob), await ended(fetching, fetchingJob)];
    expect([photo, other]).toMatchObject([
      { status: 'completed', done: 1 },
      { status: 'completed', done: 1 },
    ]);

    const [harbour] = (await tagging.owner.client.get('/media-tags?mt_value=Harbour').expect(200)).body.data as object[];
    expect(harbour).toMatchObject({ mt_file_count: TAGGED });
    expect([await counted(tagging, 'file_tag'), await told(tagging, 'file.tagged'), await lines(tagging, 'tagged')]).toEqual([
      TAGGED,
      TAGGED,
      TAGGED,
    ]);

    await deleting.owner.client.get(`/media-tags?mt_value=Doomed`).expect(200, { data: [], has_more: false, next_cursor: null });
    expect([await counted(deleting, 'file_tag'), await told(deleting, 'file.tagged'), await lines(deleting, 'tagged')]).toEqual([
      0,
      TAGGED,
      TAGGED,
    ]);

    const left = (await merging.owner.client.get('/media-tags').expect(200)).body.data as object[];
    expect(left).toMatchObject([{ mt_id: into, mt_file_count: TAGGED, mt_synonyms: ['Ship'] }]);
    expect([await counted(merging, 'file_tag'), await told(merging, 'file.tagged'), await lines(merging, 'tagged')]).toEqual([
      TAGGED,
      TAGGED,
      TAGGED,
    ]);

    for (const [workspace, files] of [
      [looking, SEEN],
      [sorting, MET],
    ] as const) {
      await eventually(
        () => counted(workspace, 'face', "face_state = 'assigned'"),
        (assigned) => assigned === files,
        60_000,
      );
      expect([
        await counted(workspace, 'face'),
        await counted(workspace, 'person'),
        await told(workspace, 'face.assigned'),
        await charges(workspace, 'media.face_images'),
      ]).toEqual([files, 1, files, files]);
      const [person] = (await workspace.owner.client.get('/people').expect(200)).body.data as object[];
      expect(person).toMatchObject({ person_face_count: files, person_file_count: files });
    }

    for (const [workspace, { result }] of [
      [fetched, photo],
      [fetching, other],
    ] as const) {
      await settled(workspace.owner.client, result?.file_id ?? '');
      expect([
        await counted(workspace, 'file'),
        await counted(workspace, 'file_blob', 'blob_refs > 0'),
        await counted(workspace, 'stock_import'),
        await charges(workspace, 'media.stock_downloads'),
      ]).toEqual([1, 1, 1, 1]);
      await eventually(
        () => counted(workspace, 'stock_import', 'si_told IS NOT NULL'),
        (heard) => heard === 1,
        60_000,
      );
    }
    expect([...stock.pings].sort()).toEqual(['u1', 'u2']);

    await eventually(
      () => counted(relabelling, 'file', "file_status = 'draft'"),
      (count) => count === RELABELLED,
      60_000,
    );
    const [done] = await eventually(
      () => api.sql<object>('SELECT status, done, failed, total FROM file_job WHERE job_id = $1', [remap?.job_id]),
      ([row]) => (row as { status?: string } | undefined)?.status === 'completed',
      60_000,
    );
    expect(done).toEqual({ status: 'completed', done: RELABELLED - AT_ONCE, failed: 0, total: RELABELLED - AT_ONCE });
    expect([await told(relabelling, 'file.status_changed'), await lines(relabelling, 'status_changed')]).toEqual([RELABELLED, RELABELLED]);
    expect((await relabelling.owner.client.get(`/admin/media-status-flows/${flow?.msf_id}`).expect(200)).body.msf_counts).toEqual({
      draft: RELABELLED,
      done: 0,
    });
  }, 240_000);
});

describe('what is done to many files in the background', () => {
  it('uses the current flow for each file, and reports each change once', async () => {
    const workspace = await heldUp('UPDATE ON file_job', "NEW.status = 'running' AND OLD.status = 'queued'");
    await gate.query(`SELECT pg_advisory_lock(${GATE})`);
    const { client } = workspace.owner;
    await storeMany(api, workspace, AT_ONCE + 100);
    const [flow] = (await client.get('/admin/media-status-flows').expect(200)).body.data as { msf_id: string }[];
    const put = (key: string, remap: object): ReturnType<typeof client.put> =>
      client.put(`/admin/media-status-flows/${flow?.msf_id}`, {
        msf_name: 'Short',
        msf_scope: ['media'],
        msf_active: true,
        msf_states: [
          { key, label: key, initial: true },
          { key: 'done', label: 'Done' },
        ],
        msf_transitions: [{ from: key, to: 'done' }],
        remap,
      });
    await put('a_draft', { active: 'a_draft' }).expect(200);
    await put('sketch', {}).expect(409);
    // Files that were not brought along yet go where their next state goes.
    await put('sketch', { a_draft: 'sketch' }).expect(200);
    expect(await counted(workspace, 'file', "file_status = 'active'")).toBe(100);
    await gate.query(`SELECT pg_advisory_unlock(${GATE})`);
    await eventually(
      () => counted(workspace, 'file_job', "status = 'completed'"),
      (completed) => completed === 2,
      60_000,
    );
    expect((await client.get(`/admin/media-status-flows/${flow?.msf_id}`).expect(200)).body.msf_counts).toEqual({
      sketch: AT_ONCE + 100,
      done: 0,
    });
    expect(await counted(workspace, 'file_job', 'done <= 100 AND failed = 0')).toBe(2);
    expect(await told(workspace, 'file.status_changed')).toBe(2 * AT_ONCE + 100);
  }, 120_000);

  it('takes a group out of use with every value that a file has of it', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const mt_group = await makeGroup(client, { mtg_name: 'Subject' });
    const tags = [await makeTag(client, { mt_group, mt_value: 'Ship' }), await makeTag(client, { mt_group, mt_value: 'Boat' })];
    await tagged(workspace, tags, 300);
    const { job_id } = started(await client.delete(`/admin/media-tag-groups/${mt_group}?force=true`).expect(202));
    expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', failed: 0 });
    await client.get(`/admin/media-tag-groups/${mt_group}`).expect(404);
    expect([await counted(workspace, 'file_tag'), await told(workspace, 'file.tagged'), await lines(workspace, 'tagged')]).toEqual([
      0, 300, 300,
    ]);
  }, 120_000);
});
