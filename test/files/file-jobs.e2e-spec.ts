import { defineFileJob, FileJobKinds, FileJobs, OwnedFiles, ReindexSteps, type FileJobStep } from '@atrium/files';
import type { INestApplicationContext } from '@nestjs/common';
import { Database, inWorkspace } from '@atrium/platform/database';
import { newId, Problem } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { drawPicture, eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { endedJob, readJob, type FileJobAnswer } from './file-jobs-of';
import { note } from '../media/tagging';
import { storeFile, storeMany } from './stored-files';
import { readFile, settled, upload } from './uploading';

const TRIED = defineFileJob('tried', { seenWith: ['media:publish'] });

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Client;
/** What the kind `tried` does in this file. */
let tried: (step: FileJobStep) => ReturnType<Parameters<FileJobKinds['register']>[0]['runStep']>;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  worker.get(FileJobKinds, { strict: false }).register({ kind: TRIED, runStep: (step) => tried(step) });
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
  owner = ours.owner.client;
});
afterAll(() => api.close());

/** Asks for work as a context does: within a unit of work, in the name of a member. */
const start = (user_id: string, params: { readonly batches: number }): Promise<{ job_id: string }> =>
  inWorkspace(ours.tenant_id, () => {
    const caller = { kind: 'person' as const, user_id, key_id: null } as unknown as Parameters<FileJobs['startJob']>[0];
    return api.app
      .get(Database, { strict: false })
      .write(() => api.app.get(FileJobs, { strict: false }).startJob(caller, { kind: TRIED, params, total: null }));
  });

const batch = ({ params, checkpoint }: FileJobStep) => {
  const at = Number(checkpoint ?? 0) + 1;
  return {
    checkpoint: at < Number(params.batches) ? String(at) : null,
    done: 2,
    failed: 1,
    errors: [{ file_id: newId(), code: 'not_found' }],
    result: { last: at },
  };
};

describe('a file job', () => {
  it('does its batches one after the other, counts them and names what failed, up to a hundred', async () => {
    tried = (step) => Promise.resolve(batch(step));
    const { job_id } = await start(ours.owner.user_id, { batches: 120 });
    const job = await endedJob(owner, job_id);
    expect(job).toMatchObject({
      job_kind: 'tried',
      status: 'partial',
      done: 240,
      failed: 120,
      total: 360,
      error: null,
      result: { last: 120 },
    });
    expect(job.errors).toHaveLength(100);
    expect(job).not.toHaveProperty('job_params');
    expect(job).not.toHaveProperty('job_checkpoint');
  });

  it('stops at its next batch when it is cancelled, and stays cancelled', async () => {
    let let_go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (let_go = resolve));
    tried = async (step) => {
      if (step.checkpoint === '1') await held;
      return batch(step);
    };
    const { job_id } = await start(ours.owner.user_id, { batches: 50 });
    await eventually(
      () => readJob(owner, job_id),
      ({ done }) => done === 2,
    );
    await owner.delete(`/file-jobs/${job_id}`).expect(204);
    let_go();
    expect((await owner.delete(`/file-jobs/${job_id}`).expect(200)).body).toMatchObject({ job_id, status: 'cancelled', done: 2 });
    await eventually(
      () => api.sql('SELECT 1 FROM outbox WHERE ev_payload @> $1 AND ev_done IS NULL', [JSON.stringify({ job_id })]),
      (open) => open.length === 0,
    );
    expect(await readJob(owner, job_id)).toMatchObject({ status: 'cancelled', done: 2 });
  });

  it('ends as failed with a sentence when a batch says that it cannot be done', async () => {
    tried = () => Promise.reject(new Problem('unprocessable_content', 'The harbour is closed.'));
    const { job_id } = await start(ours.owner.user_id, { batches: 3 });
    expect(await endedJob(owner, job_id)).toMatchObject({
      status: 'failed',
      error: 'The harbour is closed.',
      errors: [{ file_id: null, code: 'unprocessable_content' }],
    });
  });

  it('is tried again when a batch breaks, and goes on where it was', async () => {
    const seen: (string | null)[] = [];
    tried = (step) => {
      seen.push(step.checkpoint);
      return seen.length === 2 ? Promise.reject(new Error('A wire broke.')) : Promise.resolve(batch(step));
    };
    const { job_id } = await start(ours.owner.user_id, { batches: 3 });
    expect(await endedJob(owner, job_id)).toMatchObject({ status: 'partial', done: 6, failed: 3 });
    expect(seen).toEqual([null, '1', '1', '2']);
  });

  it('acts with the current rights of the caller who asked', async () => {
    const member = await ours.member('editor');
    let let_go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (let_go = resolve));
    const rights: boolean[] = [];
    tried = async (step) => {
      rights.push(step.caller.permissions.has('media:edit'));
      if (step.checkpoint === null) await held;
      return batch(step);
    };
    const { job_id } = await start(member.user_id, { batches: 3 });
    await eventually(
      () => Promise.resolve(rights.length),
      (count) => count === 1,
    );
    await owner.delete(`/admin/users/${member.user_id}`).expect((answer) => expect([200, 202, 204]).toContain(answer.status));
    let_go();
    const job = await eventually(
      () => api.sql<{ status: string; error: string | null }>('SELECT status, error FROM file_job WHERE job_id = $1', [job_id]),
      ([row]) => row?.status === 'failed',
    );
    expect(job[0]?.error).toContain('is gone or has lost its rights');
    expect(rights).toEqual([true]);
  });

  it('that the queue has given up ends as failed, and its subject is free again', async () => {
    const [job] = await api.sql<{ job_id: string }>(
      "INSERT INTO file_job (tenant_id, job_id, job_kind, status, job_subject, job_created_by, job_updated) VALUES ($1, gen_random_uuid(), 'reindex', 'running', 'reindex:media', $2, now() - interval '2 hours') RETURNING job_id",
      [ours.tenant_id, ours.owner.user_id],
    );
    await worker.get(ScheduleHost).runNow('messaging.lost-work');
    expect(await readJob(owner, job?.job_id ?? '')).toMatchObject({
      status: 'failed',
      errors: [{ file_id: null, code: 'service_unavailable' }],
    });
  });

  it('is not there for others', async () => {
    await owner.get(`/file-jobs/${newId()}`).expect(404);
    await owner.get('/file-jobs/x').expect((answer) => expect([400, 404]).toContain(answer.status));
    await owner.delete(`/file-jobs/${newId()}`).expect(404);
  });
});

describe('reindexing a repository', () => {
  it('makes facts and pictures again and asks other contexts for what they derive', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const photo = await drawPicture({ width: 640, height: 480, format: 'jpeg' });
    const { file_id } = await settled(client, (await upload(client, 'harbour.jpg', photo)).file_id);
    await api.sql("UPDATE file SET file_metadata = '{}', file_replicas = '' WHERE file_id = $1", [file_id]);
    await api.sql("UPDATE file_blob SET blob_system = '{}', blob_replicas = '{}' WHERE tenant_id = $1", [workspace.tenant_id]);
    const texts: string[] = [];
    worker
      .get(ReindexSteps, { strict: false })
      .register({ step: 'text', reindexFiles: (ids) => Promise.resolve((texts.push(...ids), [])) });
    const { job_id } = (await client.post('/files/actions/reindex', { repo_type: 'media' }).expect(202)).body as FileJobAnswer;
    expect(await endedJob(client, job_id)).toMatchObject({ job_kind: 'reindex', status: 'completed', done: 1, failed: 0, total: 1 });
    const file = await readFile(client, file_id);
    expect(file).toMatchObject({ file_processing: 'ready', file_replicas: 'small,medium,large' });
    expect(file.file_metadata.system).toMatchObject({ width: 640, height: 480 });
    expect(texts).toEqual([file_id]);
    expect((await client.get(`/files/${file_id}/image-data?replica=thumbnail`).expect(200)).headers['content-type']).toBe('image/webp');
    const ready = await api.sql("SELECT 1 FROM outbox WHERE ev_subject = $1 AND ev_name = 'file.ready'", [file_id]);
    expect(ready).toHaveLength(1);
  });

  it('makes the named files again and no others, in the library or the trash; those of others are not found', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const add = async (seed: number): Promise<string> =>
      (
        await settled(
          client,
          (await upload(client, `${seed}.jpg`, await drawPicture({ width: 60, height: 40, format: 'jpeg', seed }))).file_id,
        )
      ).file_id;
    const files = [await add(1), await add(2), await add(3)];
    await api.sql("UPDATE file SET file_replicas = '' WHERE tenant_id = $1", [workspace.tenant_id]);
    const { job_id } = (
      await client
        .post('/files/actions/reindex', { file_ids: [files[0], files[2], files[0]], steps: ['metadata', 'renditions'] })
        .expect(202)
    ).body as FileJobAnswer;
    expect(await endedJob(client, job_id)).toMatchObject({ status: 'completed', done: 2, failed: 0, total: 2 });
    expect(await Promise.all(files.map(async (id) => (await readFile(client, id)).file_replicas))).toEqual([
      'small,medium,large',
      '',
      'small,medium,large',
    ]);

    for (const body of [{ file_ids: [newId()] }, { file_ids: [files[0], newId()] }, { repo_type: 'generated', file_ids: files }])
      await client.post('/files/actions/reindex', body).expect(400);
    expect((await client.post('/files/actions/reindex', { file_ids: [] }).expect(400)).body.errors).toMatchObject([{ path: 'file_ids' }]);
    await theirs.owner.client.post('/files/actions/reindex', { file_ids: files }).expect(400);
    await theirs.owner.client.post('/files/actions/reindex', { repo_type: 'media', file_ids: files }).expect(400);
    const viewer = await workspace.member('viewer');
    await viewer.client.post('/files/actions/reindex', { file_ids: files }).expect(403);
  });

  it('leaves out what is closed to the one who asks', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { client, user_id } = workspace.owner;
    const editor = await workspace.member('editor');
    const [closed] = [await note(client, 'docs'), await note(client, 'docs')];
    const folder = (
      await client.post('/document-folders', { album_name: 'Board', album_acl: { users: { [user_id]: 'owner' } } }).expect(201)
    ).body as { album_id: string };
    await client.post(`/document-folders/${folder.album_id}/files`, { file_ids: [closed] }).expect(200);
    const again = async (asker: Client): Promise<readonly number[]> => {
      const { job_id } = (await asker.post('/files/actions/reindex', { repo_type: 'docs', steps: ['metadata'] }).expect(202))
        .body as FileJobAnswer;
      const { done, failed, total } = await endedJob(asker, job_id);
      return [done + failed, total ?? 0];
    };
    expect(await again(editor.client)).toEqual([1, 1]);
    expect(await again(client)).toEqual([2, 2]);
  });

  it('runs once at a time for a repository, and names the one that does to who started it and to no one else', async () => {
    await storeMany(api, ours, 5);
    await api.sql(
      "INSERT INTO file_job (tenant_id, job_id, job_kind, status, job_subject, job_created_by) VALUES ($1, gen_random_uuid(), 'reindex', 'running', 'reindex:docs', $2)",
      [ours.tenant_id, ours.owner.user_id],
    );
    const answers = await Promise.all([1, 2, 3].map(() => owner.post('/files/actions/reindex', { repo_type: 'docs' })));
    const [running] = await api.sql<{ job_id: string }>(
      "SELECT job_id FROM file_job WHERE tenant_id = $1 AND job_subject = 'reindex:docs'",
      [ours.tenant_id],
    );
    for (const { status, body } of answers)
      expect([status, (body as { code: string }).code, (body as { detail: string }).detail.includes(running?.job_id ?? '?')]).toEqual([
        409,
        'invalid_state',
        true,
      ]);
    const other = await ours.member('editor');
    expect((await other.client.post('/files/actions/reindex', { repo_type: 'docs' }).expect(409)).body).toMatchObject({
      code: 'invalid_state',
      detail: 'Another file job is at work on this already; try again when it has ended.',
    });
    const raced = await Promise.all([1, 2, 3].map(() => owner.post('/files/actions/reindex', { repo_type: 'generated' })));
    expect(raced.filter(({ status }) => status === 202).length).toBeGreaterThanOrEqual(1);
    for (const { status, body } of raced) if (status === 202) await endedJob(owner, (body as FileJobAnswer).job_id);
  });

  it('says which files could not be read again', async () => {
    const workspace = await api.workspace();
    const { file_id } = await storeFile(api, workspace, { name: 'lost.png', type: 'image/png', kind: 'image', lost: true, read: true });
    const { job_id } = (
      await workspace.owner.client.post('/files/actions/reindex', { repo_type: 'media', steps: ['renditions'] }).expect(202)
    ).body as FileJobAnswer;
    expect(await endedJob(workspace.owner.client, job_id)).toMatchObject({
      status: 'failed',
      done: 0,
      failed: 1,
      errors: [{ file_id, code: 'storage_lost' }],
    });
  });

  it('is for those who may edit the repository', async () => {
    const viewer = await ours.member('viewer');
    await viewer.client.post('/files/actions/reindex', { repo_type: 'media' }).expect(403);
    const media = await ours.member('editor', ['media:*']);
    expect((await media.client.post('/files/actions/reindex', { repo_type: 'docs' }).expect(403)).body.code).toBe('permission_denied');
    expect((await theirs.owner.client.post('/files/actions/reindex', { repo_type: 'docs' }).expect(403)).body.code).toBe(
      'license_required',
    );
    for (const body of [{}, { repo_type: 'thread' }, { repo_type: 'media', repo_id: newId() }]) {
      await owner.post('/files/actions/reindex', body).expect(400);
    }
    await owner.post('/files/actions/reindex', { repo_type: 'thread', repo_id: newId() }).expect(400);
  });
});

describe('files whose owner is deleted', () => {
  it('go to the trash in one pass, however many they are', async () => {
    const thread = newId();
    const ids = await storeMany(api, ours, 230, { name: 'of-thread.txt' });
    await api.sql("UPDATE file SET repo_type = 'thread', repo_id = $2, file_repo = $3 WHERE file_id = ANY($1::uuid[])", [
      ids,
      thread,
      JSON.stringify({ thread }),
    ]);
    await inWorkspace(ours.tenant_id, () =>
      api.app
        .get(Database, { strict: false })
        .write(() => api.app.get(OwnedFiles, { strict: false }).onOwnerDeleted({ type: 'thread', id: thread })),
    );
    await eventually(
      () => api.sql('SELECT 1 FROM file WHERE repo_id = $1 AND file_deleted IS NULL', [thread]),
      (live) => live.length === 0,
    );
    const [trashed] = await api.sql<{ count: number }>(
      "SELECT count(*)::integer AS count FROM outbox WHERE ev_name = 'file.trashed' AND ev_subject = ANY($1::uuid[])",
      [ids],
    );
    expect(trashed?.count).toBe(230);
    const [line] = await api.sql<{ fh_actor_type: string }>(
      "SELECT fh_actor_type FROM file_history WHERE fh_file = $1 AND fh_action = 'trashed'",
      [ids[0]],
    );
    expect(line?.fh_actor_type).toBe('system');
  });
});
