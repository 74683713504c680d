import { FileOwners } from '@atrium/files';
import { empty } from '@atrium/platform/database';
import { newId, notFound } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { storeFile } from './stored-files';

const MEDIA = { library: ['media'] };
const DOCS = { library: ['docs'] };
const DESIGN = newId();
const CLOSED_DESIGN = newId();

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Client;

/** Designs as far as files know them: one that everybody may read, one that nobody may, no others. */
beforeAll(async () => {
  api = await sharedAtrium();
  api.app.get(FileOwners, { strict: false }).register({
    type: 'design',
    hasOwner: ({ id }) => Promise.resolve(id === DESIGN || id === CLOSED_DESIGN),
    assertAccess: (_caller, { id }) => (id === CLOSED_DESIGN ? Promise.reject(notFound('design')) : Promise.resolve()),
    readableCondition: () => empty,
  });
  ours = await api.workspace(['module-documents']);
  theirs = await api.workspace(['module-documents']);
  owner = ours.owner.client;
});
afterAll(() => api.close());

const history = async (file_id: string): Promise<string[]> =>
  ((await owner.get(`/files/${file_id}/history`).expect(200)).body as { data: { fh_action: string }[] }).data.map(
    ({ fh_action }) => fh_action,
  );
const events = async (file_id: string): Promise<string[]> =>
  (
    await api.sql<{ ev_name: string }>("SELECT ev_name FROM outbox WHERE ev_subject = $1 AND ev_kind = 'event' ORDER BY ev_id", [file_id])
  ).map(({ ev_name }) => ev_name);

describe('moving a file', () => {
  it('gives it to another repository with its versions and favorites, and lets go of its albums', async () => {
    const { file_id } = await storeFile(api, ours, { name: 'plan.txt' });
    const { album_id } = (await owner.post('/albums', { album_name: 'Plans' }).expect(201)).body as { album_id: string };
    await owner.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await owner.patch(`/files/${file_id}/favorite`).expect(200);
    const moved = await owner.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(200);
    expect(moved.body).toMatchObject({ file_id, file_repo: DOCS, file_version: 1, file_pref: { favorite: true } });
    expect((await owner.get(`/files?repo_type=docs&file_id=${file_id}`).expect(200)).body.data).toHaveLength(1);
    expect((await owner.get(`/files?repo_type=media&file_id=${file_id}`).expect(200)).body.data).toEqual([]);
    expect((await owner.get(`/files/${file_id}/references`).expect(200)).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
      hidden: 0,
    });
    expect(await history(file_id)).toContain('moved');
    expect(await events(file_id)).toContain('file.moved');
    const back = await owner.post(`/files/${file_id}/move`, { file_repo: MEDIA }).expect(200);
    expect(back.body).toMatchObject({ file_repo: MEDIA });
    expect((await owner.get(`/files/${file_id}/references`).expect(200)).body.data).toEqual([]);
  });

  it('to where it is already changes nothing', async () => {
    const { file_id } = await storeFile(api, ours);
    const before = (await owner.get(`/files/${file_id}`).expect(200)).headers.etag;
    expect((await owner.post(`/files/${file_id}/move`, { file_repo: MEDIA }).expect(200)).headers.etag).toBe(before);
    expect(await history(file_id)).toEqual([]);
  });

  it('neither takes from nor puts into repositories that the platform fills', async () => {
    const made = await storeFile(api, ours, { repo: 'generated' });
    const { file_id } = await storeFile(api, ours);
    for (const [id, file_repo] of [
      [made.file_id, MEDIA],
      [file_id, { library: ['generated'] }],
      [file_id, { ppt: newId() }],
    ] as const) {
      expect((await owner.post(`/files/${id}/move`, { file_repo }).expect(409)).body.code).toBe('invalid_move');
    }
  });

  it('needs edit where it is, the right to add where it goes, and an owner that is there', async () => {
    const { file_id } = await storeFile(api, ours);
    const viewer = await ours.member('viewer');
    expect((await viewer.client.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(403)).body.code).toBe('permission_denied');
    const editor = await ours.member('editor', ['media:*', 'document:view']);
    const refused = await editor.client.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(403);
    expect(refused.body.detail).toContain('document:upload');
    await owner.post(`/files/${file_id}/move`, { file_repo: { design: newId() } }).expect(400);
    await owner.post(`/files/${file_id}/move`, { file_repo: { design: CLOSED_DESIGN } }).expect(400);
    await owner.post(`/files/${file_id}/move`, { file_repo: { design: DESIGN } }).expect(200);
    expect((await owner.get(`/files?repo_type=design&repo_id=${DESIGN}&file_id=${file_id}`).expect(200)).body.data).toHaveLength(1);
  });

  it('refuses what names no repository, a stale tag, and files that are not there', async () => {
    const { file_id } = await storeFile(api, ours);
    for (const body of [
      {},
      { file_repo: {} },
      { file_repo: { library: ['media'], design: DESIGN } },
      { file_repo: { library: ['attic'] } },
      { file_repo: { design: 'x' } },
      { file_repo: DOCS, file_name: 'x' },
    ]) {
      await owner.post(`/files/${file_id}/move`, body).expect(400);
    }
    await owner.with({ 'If-Match': '"99"' }).post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(412);
    await owner.post(`/files/${newId()}/move`, { file_repo: DOCS }).expect(404);
    await theirs.owner.client.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(404);
    await owner.delete(`/files/${file_id}`).expect(204);
    await owner.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(404);
  });

  it('keeps the sums of storage right', async () => {
    const workspace = await api.workspace(['module-documents']);
    const { client } = workspace.owner;
    const { file_id } = (await client.post('/files', { file_repo: MEDIA, file_name: 'a.md' }).expect(201)).body as { file_id: string };
    await client.put(`/files/${file_id}/content`, { content: 'twelve bytes' }).expect(200);
    await client.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(200);
    const lines = await api.sql<{ con_repo_type: string; bytes: number }>(
      `SELECT con_repo_type, sum(con_bytes)::integer AS bytes FROM (SELECT * FROM storage_consumption UNION ALL SELECT tenant_id, con_provider, con_class, con_repo_type, con_family, con_user, con_bytes, con_objects FROM storage_delta) s
       WHERE tenant_id = $1 GROUP BY 1 HAVING sum(con_bytes) <> 0`,
      [workspace.tenant_id],
    );
    expect(lines).toEqual([{ con_repo_type: 'docs', bytes: 12 }]);
  });
});

describe('moving many files', () => {
  it('answers one outcome a file and leaves where it is what cannot go', async () => {
    const [mine, other, made, foreign, trashed] = [
      await storeFile(api, ours),
      await storeFile(api, ours),
      await storeFile(api, ours, { repo: 'generated' }),
      await storeFile(api, theirs),
      await storeFile(api, ours),
    ];
    await owner.delete(`/files/${trashed.file_id}`).expect(204);
    const unknown = newId();
    const ids = [mine, made, foreign, trashed, other].map(({ file_id }) => file_id);
    const answer = await owner.post('/files/actions/move', { file_ids: [...ids, unknown], file_repo: DOCS }).expect(200);
    expect((answer.body as { data: { outcome: string; code?: string }[] }).data.map(({ outcome, code }) => code ?? outcome)).toEqual([
      'moved',
      'invalid_move',
      'not_found',
      'not_found',
      'moved',
      'not_found',
    ]);
    expect((await theirs.owner.client.get(`/files/${foreign.file_id}`).expect(200)).body.file_repo).toEqual(MEDIA);
    await owner.post('/files/actions/move', { file_ids: [], file_repo: DOCS }).expect(400);
    await owner.post('/files/actions/move', { file_ids: Array.from({ length: 1_001 }, newId), file_repo: DOCS }).expect(400);
    expect((await owner.post('/files/actions/move', { file_ids: ids, file_repo: { library: ['generated'] } }).expect(409)).body.code).toBe(
      'invalid_move',
    );
  });

  it('never waits for itself in a circle', async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, async () => (await storeFile(api, ours)).file_id));
    const answers = await Promise.all(
      [DOCS, MEDIA, DOCS, MEDIA].map((file_repo, at) =>
        owner.post('/files/actions/move', { file_ids: at % 2 ? ids : ids.toReversed(), file_repo }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it('keeps in the library what a legal hold may reach through an album', async () => {
    const { file_id } = await storeFile(api, ours);
    const { album_id } = (await owner.post('/albums', { album_name: 'Held' }).expect(201)).body as { album_id: string };
    await owner.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await owner
      .post('/admin/legal-holds', { lh_name: 'Matter', lh_target_type: 'album', lh_target_id: album_id, lh_reason: 'Letter' })
      .expect(201);
    expect((await owner.post(`/files/${file_id}/move`, { file_repo: DOCS }).expect(409)).body.code).toBe('in_use');
    expect((await owner.post('/files/actions/move', { file_ids: [file_id], file_repo: DOCS }).expect(200)).body.data).toEqual([
      { file_id, outcome: 'skipped', code: 'in_use' },
    ]);
  });
});

describe('copying a file into the media library', () => {
  it('shares the bytes, leaves the original as it is and says where it comes from', async () => {
    const original = await storeFile(api, ours, { name: 'contract.txt', repo: 'docs', read: true, metadata: { project: 'harbour' } });
    const answer = await owner.post(`/files/${original.file_id}/copy-to-media`, {}).expect(201);
    const copy = answer.body as { file_id: string };
    expect(answer.headers.location).toBe(`/api/v1/files/${copy.file_id}`);
    expect(answer.body).toMatchObject({
      file_repo: MEDIA,
      file_name: 'contract.txt',
      file_processing: 'ready',
      file_hash: original.hash,
      file_metadata: { project: 'harbour', system: { source: { kind: 'copy', ref: original.file_id }, shared_blob: true } },
    });
    expect((await owner.get(`/files/${original.file_id}`).expect(200)).body).toMatchObject({
      file_repo: DOCS,
      file_metadata: { system: { shared_blob: true } },
    });
    const listed = await owner.get(`/files?repo_type=docs&file_id=${original.file_id}`).expect(200);
    expect(listed.body.data[0].file_metadata).toMatchObject({ project: 'harbour', system: { shared_blob: true } });
    const [blob] = await api.sql<{ blob_refs: number }>('SELECT blob_refs FROM file_blob WHERE tenant_id = $1 AND blob_hash = $2', [
      ours.tenant_id,
      original.hash,
    ]);
    expect(blob?.blob_refs).toBe(2);
    expect(await history(original.file_id)).toEqual(['copied']);
    expect(await history(copy.file_id)).toEqual(['copied']);
    await owner.delete(`/files/${original.file_id}`).expect(204);
    await owner.post('/files/actions/purge', { file_ids: [original.file_id] }).expect(200);
    expect((await owner.get(`/files/${copy.file_id}`).expect(200)).body.file_metadata.system).toMatchObject({
      source: { kind: 'copy', ref: original.file_id },
    });
    const url = (await owner.get(`/files/${copy.file_id}/download-url`).expect(200)).body as string;
    expect((await fetch(url)).status).toBe(200);
  });

  it('is named by the history of the original while it may be read, and by nothing once it was purged', async () => {
    const original = await storeFile(api, ours, { name: 'closed.txt', repo: 'docs', read: true });
    const { file_id } = (await owner.post(`/files/${original.file_id}/copy-to-media`, {}).expect(201)).body as { file_id: string };
    const told = async (): Promise<string> => (await owner.get(`/files/${original.file_id}/history`).expect(200)).text;
    expect(await told()).toContain(file_id);
    await owner.delete(`/files/${file_id}`).expect(204);
    await owner.post('/files/actions/purge', { file_ids: [file_id] }).expect(200);
    expect(await history(original.file_id)).toEqual(['copied']);
    expect(await told()).not.toContain(file_id);
  });

  it('takes a name and albums for the copy', async () => {
    const { file_id } = await storeFile(api, ours, { name: 'plan.txt', read: true });
    const { album_id } = (await owner.post('/albums', { album_name: 'Copies' }).expect(201)).body as { album_id: string };
    const copy = (await owner.post(`/files/${file_id}/copy-to-media`, { file_name: 'harbour plan', album_ids: [album_id] }).expect(201))
      .body as { file_id: string; file_name: string };
    expect(copy.file_name).toBe('harbour plan.txt');
    expect((await owner.get(`/files/${copy.file_id}/references`).expect(200)).body.data).toMatchObject([
      { ref_type: 'album', ref_id: album_id },
    ]);
    await owner.post(`/files/${file_id}/copy-to-media`, { album_ids: [newId()] }).expect(400);
    await owner.post(`/files/${file_id}/copy-to-media`, { file_name: '../x' }).expect(400);
    await owner.post(`/files/${file_id}/copy-to-media`, { media_tags: { Season: 'Summer' } }).expect(400);
  });

  it('needs no more than the right to see the original', async () => {
    const { file_id } = await storeFile(api, ours, { read: true });
    const reader = await ours.member('viewer', ['media:view', 'media:download']);
    await reader.client.post(`/files/${file_id}/copy-to-media`, {}).expect(201);
    const onlooker = await ours.member('viewer', ['media:view']);
    expect((await onlooker.client.post(`/files/${file_id}/copy-to-media`, {}).expect(403)).body.code).toBe('permission_denied');
    const blind = await ours.member('viewer', ['document:download']);
    expect((await blind.client.post(`/files/${file_id}/copy-to-media`, {}).expect(403)).body.detail).toContain('media:view');
  });

  it('waits until the original was read, and refuses what is in quarantine or not there', async () => {
    for (const processing of ['pending', 'quarantined'] as const) {
      const { file_id } = await storeFile(api, ours, { processing });
      expect((await owner.post(`/files/${file_id}/copy-to-media`, {}).expect(409)).body.code).toBe('invalid_state');
    }
    const foreign = await storeFile(api, theirs, { read: true });
    await owner.post(`/files/${foreign.file_id}/copy-to-media`, {}).expect(404);
    await owner.post(`/files/${newId()}/copy-to-media`, {}).expect(404);
  });
});

describe('files of another context', () => {
  it('are hidden behind its own rights: an unreadable owner answers like an absent one', async () => {
    const { file_id } = await storeFile(api, ours);
    await api.sql("UPDATE file SET repo_type = 'design', repo_id = $2, file_repo = $3 WHERE file_id = $1", [
      file_id,
      CLOSED_DESIGN,
      JSON.stringify({ design: CLOSED_DESIGN }),
    ]);
    await owner.get(`/files/${file_id}`).expect(404);
    await owner.post(`/files/${file_id}/move`, { file_repo: MEDIA }).expect(404);
    const media = await ours.member('viewer', ['media:view']);
    expect((await media.client.get(`/files?repo_type=design&repo_id=${DESIGN}`).expect(403)).body.code).toBe('permission_denied');
  });
});
