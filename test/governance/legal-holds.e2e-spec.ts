import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { inWorkspace } from '@atrium/platform/database';
import { Sweep, Trash } from '@atrium/files';
import type { INestApplicationContext } from '@nestjs/common';
import { Client } from 'pg';
import { startAtrium, startWorker } from '../support/api';
import { storeFile } from '../files/stored-files';
import { applyAnew, countOf, heldBy, hold, laterVersion, preview, runs } from './retaining';

const HOLDS = '/admin/legal-holds';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await startAtrium();
  worker = await startWorker(api);
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const facts = (lh_target_type: string, lh_target_id: string): object => ({
  lh_name: 'Harbour v. Quay',
  lh_target_type,
  lh_target_id,
  lh_reason: 'Preservation letter',
});

const trashed = async (workspace: TestWorkspace, name = 'gone.txt'): Promise<{ file_id: string; blob_key: string }> => {
  const file = await storeFile(api, workspace, { name });
  await workspace.owner.client.delete(`/files/${file.file_id}`).expect(204);
  return file;
};

/** Its time in the trash is over. */
const due = async (...ids: readonly string[]): Promise<void> =>
  void (await api.sql(`UPDATE file SET file_purge_at = now() - interval '1 minute' WHERE file_id = ANY($1::uuid[])`, [ids]));

const isThere = async (id: string): Promise<boolean> => (await api.sql(`SELECT 1 FROM file WHERE file_id = $1`, [id])).length === 1;

const release = (workspace: TestWorkspace, id: string) => workspace.owner.client.delete(`${HOLDS}/${id}`);

describe('a legal hold', () => {
  it('is put, listed, released once, and recorded in the audit trail', async () => {
    const workspace = await api.workspace();
    const { file_id } = await storeFile(api, workspace);
    const made = await workspace.owner.client.post(HOLDS, facts('file', file_id)).expect(201);
    expect(made.body).toEqual({
      lh_id: expect.any(String),
      ...facts('file', file_id),
      lh_created: expect.any(String),
      lh_created_by: workspace.owner.user_id,
      lh_released_at: null,
    });
    const { lh_id } = made.body as { lh_id: string };
    await hold(workspace, 'file', file_id);
    const list = async (query = ''): Promise<string[]> =>
      ((await workspace.owner.client.get(`${HOLDS}?${query}`).expect(200)).body as { data: { lh_id: string }[] }).data.map(
        (row) => row.lh_id,
      );
    expect(await list()).toHaveLength(2);
    expect(await list(`lh_target_id=${file_id}&lh_target_type=file`)).toHaveLength(2);
    expect(await list(`lh_target_type=user`)).toEqual([]);
    const page = (await workspace.owner.client.get(`${HOLDS}?limit=1`).expect(200)).body as { next_cursor: string };
    expect(await list(`limit=1&cursor=${page.next_cursor}`)).toEqual([lh_id]);
    await workspace.owner.client.with({ 'If-Match': '"9"' }).delete(`${HOLDS}/${lh_id}`).expect(412);
    const answers = await Promise.all([1, 2, 3].map(() => release(workspace, lh_id)));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    await release(workspace, lh_id).expect(204);
    expect(await list('lh_released=true')).toEqual([lh_id]);
    expect(await list('lh_released=false')).toHaveLength(1);
    const told = (await workspace.owner.client.get('/admin/audit-events?aud_type=legal_hold.*').expect(200)).body as {
      data: { aud_type: string; aud_target_id: string; aud_reason: string | null }[];
    };
    expect(told.data.map(({ aud_type }) => aud_type)).toEqual(['legal_hold.released', 'legal_hold.created', 'legal_hold.created']);
    expect(told.data[2]).toMatchObject({
      aud_target_id: lh_id,
      aud_reason: 'Preservation letter',
      aud_after: { lh_target_type: 'file', lh_target_id: file_id },
    });
  });

  it('is for those who see both the audit trail and the settings', async () => {
    for (const scopes of [['admin:audit'], ['admin:settings']]) {
      const { client } = await ours.member('admin', scopes);
      for (const denied of [
        client.get(HOLDS),
        client.post(HOLDS, facts('user', ours.owner.user_id)),
        client.delete(`${HOLDS}/${newId()}`),
      ]) {
        const { body } = await denied.expect(403);
        expect(body).toMatchObject({
          code: 'permission_denied',
          detail: expect.stringContaining(scopes[0] === 'admin:audit' ? 'admin:settings' : 'admin:audit'),
        });
      }
    }
  });

  it('needs a target that the workspace has', async () => {
    const foreign = await storeFile(api, theirs);
    const album = (await theirs.owner.client.post('/albums', { album_name: 'Harbour' }).expect(201)).body as { album_id: string };
    for (const [type, id] of [
      ['file', newId()],
      ['file', foreign.file_id],
      ['user', newId()],
      ['user', theirs.owner.user_id],
      ['album', newId()],
      ['album', album.album_id],
      ['thread', newId()],
      ['knowledge_base', newId()],
    ] as const) {
      const refused = await ours.owner.client.post(HOLDS, facts(type, id));
      expect({ type, status: refused.status, path: refused.body.errors?.[0]?.path }).toEqual({ type, status: 400, path: 'lh_target_id' });
    }
    for (const body of [
      {},
      facts('planet', newId()),
      facts('file', 'x'),
      { ...facts('user', ours.owner.user_id), lh_name: '' },
      { ...facts('user', ours.owner.user_id), lh_reason: undefined },
      { ...facts('user', ours.owner.user_id), lh_released_at: null },
    ]) {
      expect((await ours.owner.client.post(HOLDS, body).expect(400)).body.code).toBe('validation_failed');
    }
  });

  it('of another workspace is not there', async () => {
    const id = await hold(ours, 'user', ours.owner.user_id);
    await release(theirs, id).expect(404);
    await release(ours, newId()).expect(404);
    await release(ours, 'none').expect(404);
    expect((await theirs.owner.client.get(`${HOLDS}?lh_target_id=${ours.owner.user_id}`).expect(200)).body.data).toEqual([]);
    await release(ours, id).expect(204);
  });
});

describe('a held file', () => {
  it('stays in the trash when its time there is over, by whichever way it is held, and goes when all are released', async () => {
    const workspace = await api.workspace();
    const editor = await workspace.member('editor');
    const [itself, inAlbum, byAuthor, free] = [
      await trashed(workspace, 'itself.txt'),
      await storeFile(api, workspace, { name: 'album.txt' }),
      await trashed(workspace, 'author.txt'),
      await trashed(workspace, 'free.txt'),
    ];
    const { album_id } = (await workspace.owner.client.post('/albums', { album_name: 'Evidence' }).expect(201)).body as {
      album_id: string;
    };
    await workspace.owner.client.post(`/albums/${album_id}/files`, { file_ids: [inAlbum.file_id] }).expect(200);
    await workspace.owner.client.delete(`/files/${inAlbum.file_id}`).expect(204);
    await api.sql(`UPDATE file SET file_added_by = $2 WHERE file_id = $1`, [byAuthor.file_id, editor.user_id]);
    const holds = [
      await hold(workspace, 'file', itself.file_id),
      await hold(workspace, 'album', album_id),
      await hold(workspace, 'user', editor.user_id),
    ];
    const kept = [itself, inAlbum, byAuthor].map(({ file_id }) => file_id);
    await due(...kept, free.file_id);
    const told = await preview(workspace, 'trash');
    expect(told).toMatchObject({ rows: 1, held: 3 });
    expect(told.bytes).toBeGreaterThan(0);

    await applyAnew(api, workspace);
    const [run] = await runs(workspace, 'trash');
    expect(run).toMatchObject({ run_removed: 1, run_held: 3, run_bytes: told.bytes });
    expect((await heldBy(workspace, run!)).map(({ held_id, held_hold }) => [held_id, held_hold]).sort()).toEqual(
      [
        [itself.file_id, holds[0]],
        [inAlbum.file_id, holds[1]],
        [byAuthor.file_id, holds[2]],
      ].sort(),
    );
    await worker.get(Sweep).sweepFiles();
    expect(await Promise.all([...kept, free.file_id].map(isThere))).toEqual([true, true, true, false]);

    for (const id of holds) await release(workspace, id).expect(204);
    await worker.get(Sweep).sweepFiles();
    expect(await Promise.all(kept.map(isThere))).toEqual([false, false, false]);
  });

  it('is not removed by hand; the others of the batch are', async () => {
    const [held, free, live] = [await trashed(ours), await trashed(ours), await storeFile(api, ours)];
    const id = await hold(ours, 'file', held.file_id);
    const purge = async (): Promise<unknown> =>
      (await ours.owner.client.post('/files/actions/purge', { file_ids: [held.file_id, free.file_id, live.file_id] }).expect(200)).body
        .data;
    expect(await purge()).toEqual([
      { file_id: held.file_id, outcome: 'skipped', code: 'in_use' },
      { file_id: free.file_id, outcome: 'purged' },
      { file_id: live.file_id, outcome: 'skipped', code: 'invalid_state' },
    ]);
    await ours.owner.client.post(`/files/${held.file_id}/restore`).expect(200);
    await ours.owner.client.delete(`/files/${held.file_id}`).expect(204);
    await release(ours, id).expect(204);
    expect(((await purge()) as object[])[0]).toEqual({ file_id: held.file_id, outcome: 'purged' });
  });

  it('keeps its versions: old ones, those deleted by hand, and those that had to make room', async () => {
    const workspace = await api.workspace();
    const [held, free] = [await storeFile(api, workspace), await storeFile(api, workspace)];
    for (const { file_id } of [held, free])
      for (const [number, days] of [
        [2, 400],
        [3, 380],
        [4, 10],
      ] as const)
        await laterVersion(api, workspace, file_id, number, days);
    await api.sql(`UPDATE file_version SET fv_pinned = true WHERE fv_file = $1 AND fv_number = 2`, [free.file_id]);
    const id = await hold(workspace, 'file', held.file_id);
    expect(await preview(workspace, 'file_versions')).toMatchObject({ rows: 1, held: 2 });
    expect(await preview(workspace, 'file_versions', 3_650)).toMatchObject({ rows: 0, held: 0 });
    await applyAnew(api, workspace);
    expect(await runs(workspace, 'file_versions')).toEqual([expect.objectContaining({ run_removed: 1, run_held: 2 })]);
    const numbers = async (file_id: string): Promise<number[]> =>
      ((await workspace.owner.client.get(`/files/${file_id}/versions`).expect(200)).body as { data: { fv_number: number }[] }).data.map(
        ({ fv_number }) => fv_number,
      );
    expect(await numbers(held.file_id)).toEqual([4, 3, 2, 1]);
    expect(await numbers(free.file_id)).toEqual([4, 3, 2]);
    expect(
      await api.sql(`SELECT blob_refs FROM file_blob b JOIN file f ON f.file_blob = b.blob_id WHERE f.file_id = $1`, [free.file_id]),
    ).toEqual([{ blob_refs: 3 }]);
    const history = (await workspace.owner.client.get(`/files/${free.file_id}/history`).expect(200)).body as {
      data: { fh_action: string; fh_details: object }[];
    };
    expect(history.data[0]).toMatchObject({ fh_action: 'version_removed', fh_details: { fv_number: 1, retention: true } });
    expect((await workspace.owner.client.delete(`/files/${held.file_id}/versions/${held.fv_id}`).expect(409)).body.code).toBe('in_use');
    await release(workspace, id).expect(204);
    await workspace.owner.client.delete(`/files/${held.file_id}/versions/${held.fv_id}`).expect(204);
  });

  it('in an album cannot be taken out of it, and the album cannot be deleted, while that is held', async () => {
    const { file_id } = await storeFile(api, ours);
    const { album_id } = (await ours.owner.client.post('/albums', { album_name: 'Evidence' }).expect(201)).body as { album_id: string };
    await ours.owner.client.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    const id = await hold(ours, 'album', album_id);
    expect((await ours.owner.client.delete(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(409)).body.code).toBe('in_use');
    expect((await ours.owner.client.delete(`/albums/${album_id}`).expect(409)).body.code).toBe('in_use');
    await release(ours, id).expect(204);
    await ours.owner.client.delete(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await ours.owner.client.delete(`/albums/${album_id}`).expect(204);
  });

  it('is held from the answer on, however many purges are under way', async () => {
    const workspace = await api.workspace();
    const files = await Promise.all(Array.from({ length: 12 }, () => trashed(workspace)));
    const outcomes = await Promise.all(
      files.map(async ({ file_id }) => {
        const [held] = await Promise.all([
          workspace.owner.client.post(HOLDS, facts('file', file_id)),
          workspace.owner.client.post('/files/actions/purge', { file_ids: [file_id] }),
        ]);
        return { held: held.status === 201, there: await isThere(file_id) };
      }),
    );
    expect(outcomes.filter(({ held, there }) => held !== there)).toEqual([]);
  });
});

describe('a file that is restored while its time ends', () => {
  it('is back with its bytes, or gone for good', async () => {
    const workspace = await api.workspace();
    const store = api.app.get(ObjectStore, { strict: false });
    const trash = api.app.get(Trash, { strict: false });
    const outcomes = new Map<number, number>();
    for (let round = 0; round < 6; round++) {
      const file = await trashed(workspace);
      // Its time ends while it is being restored: whichever comes first decides.
      const ending = api.sql('UPDATE file SET file_purge_at = now() WHERE file_id = $1 AND file_deleted IS NOT NULL', [file.file_id]);
      const restoring = Promise.all([1, 2, 3].map(() => workspace.owner.client.post(`/files/${file.file_id}/restore`)));
      let over = false;
      const decided = Promise.all([restoring, ending]).then(() => (over = true));
      const purging = inWorkspace(workspace.tenant_id, async () => {
        while (!over) await trash.purgeDue(10);
        await trash.purgeDue(10);
      });
      const [answers] = await Promise.all([restoring, purging, decided]);
      const restored = answers.some(({ status }) => status === 200);
      for (const { status } of answers) {
        expect([200, 409, 410]).toContain(status);
        outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
      }
      expect(await isThere(file.file_id)).toBe(restored);
      if (restored) expect((await store.stat(file.blob_key))?.size).toBeGreaterThan(0);
      if (restored) expect(await countOf(api, 'file_version', workspace, `fv_file = '${file.file_id}'`)).toBe(1);
      else expect((await workspace.owner.client.post(`/files/${file.file_id}/restore`).expect(410)).body.code).toBe('gone');
    }
    expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(18);
  });

  it('wins over a run that waits for its row', async () => {
    const workspace = await api.workspace();
    const file = await trashed(workspace);
    await due(file.file_id);
    const trash = api.app.get(Trash, { strict: false });
    const other = new Client({ connectionString: api.database.ownerUrl });
    await other.connect();
    await other.query('BEGIN');
    await other.query(`UPDATE file SET file_deleted = NULL, file_deleted_by = NULL, file_purge_at = NULL WHERE file_id = $1`, [
      file.file_id,
    ]);
    const purging = inWorkspace(workspace.tenant_id, () => trash.purgeDue(10));
    await eventually(
      () =>
        api.sql(
          `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE NOT l.granted AND l.locktype = 'transactionid' AND a.datname = current_database()`,
        ),
      (waiting) => waiting.length > 0,
    );
    await other.query('COMMIT');
    await other.end();
    expect(await purging).toEqual({ removed: 0, bytes: 0, left: false });
    expect(await isThere(file.file_id)).toBe(true);
  });
});

describe('archives', () => {
  it('that are packed go on their day, out of reach at once and their bytes with the sweeper', async () => {
    const workspace = await api.workspace();
    const store = api.app.get(ObjectStore, { strict: false });
    const made: string[] = [];
    for (const days of [1, -1]) {
      const job_id = newId();
      const key = `t/${workspace.tenant_id}/archives/${job_id}`;
      await store.putObject(key, Buffer.from('zip'));
      await api.sql(
        `INSERT INTO download_job (tenant_id, job_id, status, file_ids, file_count, total, archive_key, archive_size, expires_at, job_created_by) VALUES ($1, $2, 'completed', '{}', 1, 1, $3, 3, now() - make_interval(days => $4), $5)`,
        [workspace.tenant_id, job_id, key, days, workspace.owner.user_id],
      );
      made.push(key);
    }
    expect(await preview(workspace, 'download_archives')).toMatchObject({ rows: 1, bytes: 3, held: 0 });
    await applyAnew(api, workspace);
    expect(await runs(workspace, 'download_archives')).toEqual([expect.objectContaining({ run_removed: 1, run_bytes: 3 })]);
    expect(await countOf(api, 'download_job', workspace, `status = 'expired'`)).toBe(1);
    await worker.get(Sweep).sweepFiles();
    expect(await Promise.all(made.map(async (key) => (await store.stat(key)) !== null))).toEqual([false, true]);
    expect(await countOf(api, 'download_job', workspace, `archive_key IS NULL`)).toBe(1);
  });
});
