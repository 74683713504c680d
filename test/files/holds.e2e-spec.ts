import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { endedJob, type FileJobAnswer } from './file-jobs-of';
import { storeFile, storeMany } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
  owner = ours.owner.client;
});
afterAll(() => api.close());

const lh_reason = 'Preservation letter of 3 March';

describe('a legal hold on a file', () => {
  it('shows on the file and among all holds, keeps file and versions, and is released by the file', async () => {
    const { file_id, fv_id } = await storeFile(api, ours, { name: 'evidence.txt' });
    const held = await owner.post(`/files/${file_id}/hold`, { lh_reason }).expect(201);
    expect(held.body).toMatchObject({
      lh_target_type: 'file',
      lh_target_id: file_id,
      lh_name: 'evidence.txt',
      lh_reason,
      lh_released_at: null,
    });
    expect((await owner.get(`/files/${file_id}`).expect(200)).body.file_metadata).toMatchObject({ system: { hold: true } });
    const all = (await owner.get('/admin/legal-holds').expect(200)).body as { data: { lh_target_id: string }[] };
    expect(all.data.map(({ lh_target_id }) => lh_target_id)).toContain(file_id);
    expect((await owner.post(`/files/${file_id}/hold`, { lh_reason }).expect(409)).body.code).toBe('already_exists');

    await owner.put(`/files/${file_id}/content`, { content: 'second' }).expect(200);
    expect((await owner.delete(`/files/${file_id}/versions/${fv_id}`).expect(409)).body.code).toBe('in_use');
    await owner.delete(`/files/${file_id}`).expect(204);
    expect((await owner.post('/files/actions/purge', { file_ids: [file_id] }).expect(200)).body.data).toEqual([
      { file_id, outcome: 'skipped', code: 'in_use' },
    ]);
    await owner.delete(`/files/${file_id}/hold`).expect(204);
    await owner.delete(`/files/${file_id}/hold`).expect(404);
    expect((await owner.post('/files/actions/purge', { file_ids: [file_id] }).expect(200)).body.data).toEqual([
      { file_id, outcome: 'purged' },
    ]);
  });

  it('is put once however many ask at the same time', async () => {
    const { file_id } = await storeFile(api, ours);
    const answers = await Promise.all(Array.from({ length: 5 }, () => owner.post(`/files/${file_id}/hold`, { lh_reason })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
  });

  it('is not released by the file when several matters keep it', async () => {
    const { file_id } = await storeFile(api, ours);
    await owner.post(`/files/${file_id}/hold`, { lh_reason }).expect(201);
    await owner
      .post('/admin/legal-holds', { lh_name: 'Second matter', lh_target_type: 'file', lh_target_id: file_id, lh_reason })
      .expect(201);
    expect((await owner.delete(`/files/${file_id}/hold`).expect(409)).body.code).toBe('invalid_state');
  });

  it('needs both permissions, a reason and a file of this workspace', async () => {
    const { file_id } = await storeFile(api, ours);
    const half = await ours.member('admin', ['admin:settings', 'media:*']);
    const refused = await half.client.post(`/files/${file_id}/hold`, { lh_reason }).expect(403);
    expect(refused.body.detail).toContain('admin:audit');
    await half.client.delete(`/files/${file_id}/hold`).expect(403);
    for (const body of [{}, { lh_reason: '' }, { lh_reason: 'x'.repeat(501) }, { lh_reason, more: 1 }])
      await owner.post(`/files/${file_id}/hold`, body).expect(400);
    await owner.post(`/files/${newId()}/hold`, { lh_reason }).expect(404);
    await theirs.owner.client.post(`/files/${file_id}/hold`, { lh_reason }).expect(404);
  });
});

describe('emptying the trash', () => {
  it('removes for good what lay in it when it was asked for, in batches, but for what is held', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { client } = workspace.owner;
    const many = await storeMany(api, workspace, 450);
    const kept = await storeFile(api, workspace);
    const document = await storeFile(api, workspace, { repo: 'docs' });
    const live = await storeFile(api, workspace);
    await client.post(`/files/${kept.file_id}/hold`, { lh_reason }).expect(201);
    await api.sql(
      "UPDATE file SET file_deleted = now() - interval '1 hour', file_purge_at = now() + interval '1 day' WHERE tenant_id = $1 AND file_id <> $2",
      [workspace.tenant_id, live.file_id],
    );
    const started = await client.post('/files/trash/empty', { repo_type: 'media' }).expect(202);
    const { job_id } = started.body as FileJobAnswer;
    expect(started.headers.location).toBe(`/api/v1/file-jobs/${job_id}`);
    expect(started.body).toMatchObject({ job_kind: 'empty-trash', status: 'queued', total: many.length + 1 });
    expect(await endedJob(client, job_id)).toMatchObject({
      status: 'partial',
      done: many.length,
      failed: 1,
      total: many.length + 1,
      errors: [{ file_id: kept.file_id, code: 'in_use' }],
    });
    expect(
      (await api.sql<{ file_id: string }>('SELECT file_id FROM file WHERE tenant_id = $1 ORDER BY file_created', [workspace.tenant_id]))
        .map(({ file_id }) => file_id)
        .sort(),
    ).toEqual([kept.file_id, document.file_id, live.file_id].sort());
    await workspace.owner.client.get(`/files/${live.file_id}`).expect(200);
    const rest = (await client.post('/files/trash/empty', {}).expect(202)).body as FileJobAnswer;
    expect(await endedJob(client, rest.job_id)).toMatchObject({ done: 1, failed: 1 });
  });

  it('is for those who may delete there, and its job for nobody else', async () => {
    const viewer = await ours.member('viewer');
    await viewer.client.post('/files/trash/empty', {}).expect(403);
    const media = await ours.member('editor', ['media:delete', 'media:view']);
    expect((await media.client.post('/files/trash/empty', { repo_type: 'docs' }).expect(403)).body.detail).toContain('document:delete');
    await owner.post('/files/trash/empty', { repo_type: 'attic' }).expect(400);
    await owner.post('/files/trash/empty', { repo_type: 'media', repo_id: newId() }).expect(400);
    const { job_id } = (await owner.post('/files/trash/empty', {}).expect(202)).body as FileJobAnswer;
    await media.client.get(`/file-jobs/${job_id}`).expect(404);
    await media.client.delete(`/file-jobs/${job_id}`).expect(404);
    await theirs.owner.client.get(`/file-jobs/${job_id}`).expect(404);
    await endedJob(owner, job_id);
    expect((await owner.delete(`/file-jobs/${job_id}`).expect(200)).body).toMatchObject({ job_id, status: 'completed' });
  });
});
