import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { storeFile } from './stored-files';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace();
});
afterAll(() => api.close());

const DAY = 86_400_000;

describe('deleting a file', () => {
  it('hides it everywhere but in the trash, where it says until when it can come back', async () => {
    const { file_id } = await storeFile(api, ours, { name: 'gone.txt' });
    await ours.owner.client.patch(`/files/${file_id}/favorite`).expect(200);
    const before = Date.now();
    await ours.owner.client.delete(`/files/${file_id}`).expect(204);
    await ours.owner.client.get(`/files/${file_id}`).expect(404);
    await ours.owner.client.get(`/files/${file_id}/download-url`).expect(404);
    await ours.owner.client.put(`/files/${file_id}`, { file_name: 'x' }).expect(404);
    await ours.owner.client.patch(`/files/${file_id}/favorite`).expect(404);
    await ours.owner.client.delete(`/files/${file_id}`).expect(404);
    expect((await ours.owner.client.get(`/files?repo_type=media&file_id=${file_id}`).expect(200)).body.data).toEqual([]);
    expect((await ours.owner.client.get('/files/search?q=gone').expect(200)).body.data).toEqual([]);

    const trash = await ours.owner.client.get(`/files/trash?file_id=${file_id}`).expect(200);
    expect(trash.body.data).toHaveLength(1);
    expect(trash.body.data[0]).toMatchObject({ file_id, file_name: 'gone.txt', file_deleted_by: ours.owner.user_id });
    const days = (Date.parse(trash.body.data[0].file_purge_at as string) - before) / DAY;
    expect(days).toBeGreaterThan(29.99);
    expect(days).toBeLessThan(30.01);

    const restored = await ours.owner.client.post(`/files/${file_id}/restore`).expect(200);
    expect(restored.body).toMatchObject({ file_id, file_pref: { favorite: true } });
    expect(restored.body).not.toHaveProperty('file_deleted');
    await ours.owner.client.get(`/files/${file_id}`).expect(200);
    expect((await ours.owner.client.get(`/files/trash?file_id=${file_id}`).expect(200)).body.data).toEqual([]);
    const again = await ours.owner.client.post(`/files/${file_id}/restore`).expect(409);
    expect(again.body.code).toBe('invalid_state');
    const history = await ours.owner.client.get(`/files/${file_id}/history`).expect(200);
    expect((history.body as { data: { fh_action: string }[] }).data.map((line) => line.fh_action)).toEqual(['restored', 'trashed']);
  });

  it('can be tried without changing anything', async () => {
    const { file_id } = await storeFile(api, ours);
    const preview = await ours.owner.client.delete(`/files/${file_id}?dry_run=true`).expect(200);
    expect(preview.body).toEqual({ references: 0, publications: 0, share_links: 0, versions: 1 });
    await ours.owner.client.delete(`/files/${file_id}?dry_run=perhaps`).expect(400);
    await ours.owner.client.get(`/files/${file_id}`).expect(200);
    await ours.owner.client.delete(`/files/${file_id}?dry_run=false`).expect(204);
  });

  it('honours If-Match and the delete permission', async () => {
    const { file_id } = await storeFile(api, ours);
    await ours.owner.client.with({ 'If-Match': '"9"' }).delete(`/files/${file_id}`).expect(412);
    const viewer = await ours.member('viewer');
    const denied = await viewer.client.delete(`/files/${file_id}`).expect(403);
    expect(denied.body.code).toBe('permission_denied');
    await ours.owner.client.with({ 'If-Match': '"1"' }).delete(`/files/${file_id}`).expect(204);
  });

  it('happens once when it is asked for many times at once', async () => {
    const { file_id } = await storeFile(api, ours);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ours.owner.client.delete(`/files/${file_id}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404, 404]);
  });

  it('cannot be undone when its time is over, nor after the file was removed for good', async () => {
    const late = await storeFile(api, ours);
    await ours.owner.client.delete(`/files/${late.file_id}`).expect(204);
    await api.sql("UPDATE file SET file_purge_at = now() - interval '1 second' WHERE file_id = $1", [late.file_id]);
    expect((await ours.owner.client.post(`/files/${late.file_id}/restore`).expect(410)).body.code).toBe('gone');
    const removed = await storeFile(api, ours);
    await ours.owner.client.post('/files/actions/delete', { file_ids: [removed.file_id] }).expect(200);
    await ours.owner.client.post('/files/actions/purge', { file_ids: [removed.file_id] }).expect(200);
    await ours.owner.client.post(`/files/${removed.file_id}/restore`).expect(410);
    await theirs.owner.client.post(`/files/${removed.file_id}/restore`).expect(404);
    await ours.owner.client.post(`/files/${newId()}/restore`).expect(404);
  });
});

describe('the trash', () => {
  it('lists what the caller may delete, last deleted first, by repository when one is named', async () => {
    const shelf = await api.workspace(['module-documents']);
    const kept = [];
    for (const [name, repo] of [
      ['one.txt', 'media'],
      ['two.txt', 'docs'],
      ['three.txt', 'media'],
    ] as const) {
      const { file_id } = await storeFile(api, shelf, { name, repo });
      await shelf.owner.client.delete(`/files/${file_id}`).expect(204);
      kept.push(file_id);
    }
    const list = async (query: string, client = shelf.owner.client): Promise<string[]> =>
      ((await client.get(`/files/trash?${query}`).expect(200)).body as { data: { file_id: string }[] }).data.map((row) => row.file_id);
    expect(await list('')).toEqual([...kept].reverse());
    expect(await list('repo_type=docs')).toEqual([kept[1]]);
    expect(await list('sort=file_name')).toEqual([kept[0], kept[2], kept[1]]);
    expect(await list(`file_deleted_by=${shelf.owner.user_id}`)).toHaveLength(3);
    expect(await list(`file_deleted=${encodeURIComponent(new Date(Date.now() + DAY).toISOString())}`)).toEqual([]);
    const page = await shelf.owner.client.get('/files/trash?limit=2').expect(200);
    expect(await list(`limit=2&cursor=${page.body.next_cursor}`)).toEqual([kept[0]]);
    const photographer = await shelf.member('editor', ['media:view', 'media:delete']);
    expect(await list('', photographer.client)).toEqual([kept[2], kept[0]]);
    await photographer.client.get('/files/trash?repo_type=docs').expect(403);
    expect(await list('', theirs.owner.client)).toEqual([]);
    const viewer = await shelf.member('viewer');
    await viewer.client.get('/files/trash').expect(403);
  });
});

describe('actions on many files', () => {
  const outcomes = async (action: string, file_ids: readonly string[]): Promise<string[]> => {
    const answer = await ours.owner.client.post(`/files/actions/${action}`, { file_ids }).expect(200);
    return (answer.body as { data: { file_id: string; outcome: string; code?: string }[] }).data.map((row, at) => {
      expect(row.file_id).toBe(file_ids[at]);
      return row.code ?? row.outcome;
    });
  };

  it('answer one result a file, in the order asked, and skip what is not the caller’s', async () => {
    const [a, b] = [await storeFile(api, ours), await storeFile(api, ours)];
    const foreign = await storeFile(api, theirs);
    const list = [a.file_id, foreign.file_id, b.file_id, newId()];
    expect(await outcomes('purge', list)).toEqual(['invalid_state', 'not_found', 'invalid_state', 'not_found']);
    expect(await outcomes('delete', list)).toEqual(['trashed', 'not_found', 'trashed', 'not_found']);
    expect(await outcomes('delete', [a.file_id])).toEqual(['not_found']);
    expect(await outcomes('restore', [...list.slice(0, 2)])).toEqual(['restored', 'not_found']);
    expect(await outcomes('restore', [a.file_id])).toEqual(['invalid_state']);
    expect(await outcomes('purge', list)).toEqual(['invalid_state', 'not_found', 'purged', 'not_found']);
    await ours.owner.client.get(`/files/${a.file_id}`).expect(200);
    await theirs.owner.client.get(`/files/${foreign.file_id}`).expect(200);
  });

  it('leave the bytes of purged files to nobody: their blobs become orphans', async () => {
    const { file_id, blob_key } = await storeFile(api, ours);
    await outcomes('delete', [file_id]);
    await outcomes('purge', [file_id]);
    const [blob] = await api.sql<{ blob_state: string; blob_refs: number }>(
      'SELECT blob_state, blob_refs FROM file_blob WHERE blob_key = $1',
      [blob_key],
    );
    expect(blob).toEqual({ blob_state: 'orphan', blob_refs: 0 });
    expect(await api.sql('SELECT 1 FROM file_version WHERE fv_file = $1', [file_id])).toEqual([]);
    expect(await api.app.get(ObjectStore, { strict: false }).stat(blob_key)).not.toBeNull();
    const events = await api.sql<{ ev_name: string }>(
      "SELECT ev_name FROM outbox WHERE ev_subject = $1 AND ev_kind = 'event' ORDER BY ev_id",
      [file_id],
    );
    expect(events.map((event) => event.ev_name)).toEqual(['file.trashed', 'file.purged']);
  });

  it('name from one to a thousand ids', async () => {
    for (const file_ids of [[], ['x'], Array.from({ length: 1_001 }, () => newId())])
      await ours.owner.client.post('/files/actions/delete', { file_ids }).expect(400);
    expect(
      await outcomes(
        'delete',
        Array.from({ length: 1_000 }, () => newId()),
      ),
    ).toHaveLength(1_000);
  });

  it('never wait for each other in a circle', async () => {
    const files = await Promise.all(Array.from({ length: 12 }, () => storeFile(api, ours)));
    const forwards = files.map((file) => file.file_id);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, round) =>
        ours.owner.client.post(`/files/actions/${round % 2 ? 'delete' : 'restore'}`, {
          file_ids: round % 3 ? forwards : [...forwards].reverse(),
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  });
});
