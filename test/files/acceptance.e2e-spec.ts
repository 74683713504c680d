import { FileReferences, Sweep } from '@atrium/files';
import type { INestApplicationContext } from '@nestjs/common';
import { newId } from '@atrium/platform/kernel';
import { ObjectStore } from '@atrium/platform/storage';
import { drawPicture, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { objectStore } from '../support/object-store';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { MEDIA, openUpload, send, sendUpload, settled, upload, type StoredFile } from './uploading';

const DESIGN = newId();

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let owner: Client;
let stranger: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace(['module-documents', 'module-publication']);
  theirs = await api.workspace(['module-documents']);
  owner = ours.owner.client;
  stranger = theirs.owner.client;
});
afterAll(() => api.close());

const photo = (seed: number): Promise<Buffer> => drawPicture({ width: 320, height: 240, format: 'jpeg', seed });
const stored = async (client: Client, name: string, bytes: Buffer): Promise<StoredFile> =>
  settled(client, (await upload(client, name, bytes)).file_id);
const keysOf = async (tenant_id: string): Promise<string[]> => {
  const keys: string[] = [];
  for await (const { key } of api.app.get(ObjectStore, { strict: false }).list(`t/${tenant_id}/`)) keys.push(key);
  return keys;
};

describe('a file that is deleted', () => {
  it('[files 9] is gone from sight and in the trash with its day; it comes back with albums and tags, or past its day never, bytes and all', async () => {
    const shelf = await api.workspace();
    const { client } = shelf.owner;
    const { file_id } = await stored(client, 'harbour.jpg', await photo(9));
    const { album_id } = (await client.post('/albums', { album_name: 'Harbour' }).expect(201)).body as { album_id: string };
    await client.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await client.put(`/files/${file_id}/media-tags`, { media_tags: { Season: ['Summer'] } }).expect(200);

    await client.delete(`/files/${file_id}`).expect(204);
    await client.get(`/files/${file_id}`).expect(404);
    const [trashed] = ((await client.get('/files/trash').expect(200)).body as { data: { file_id: string; file_purge_at: string }[] }).data;
    expect(trashed?.file_id).toBe(file_id);
    // The workspace keeps what is deleted for 30 days.
    expect(Math.round((Date.parse(trashed?.file_purge_at ?? '') - Date.now()) / 86_400_000)).toBe(30);

    await client.post(`/files/${file_id}/restore`).expect(200);
    expect((await client.get(`/files/${file_id}/references`).expect(200)).body.data).toMatchObject([
      { ref_type: 'album', ref_id: album_id },
    ]);
    const [listed] = ((await client.get(`/media-files?file_id=${file_id}`).expect(200)).body as { data: { media_tags: object }[] }).data;
    expect(listed?.media_tags).toEqual({ Season: ['Summer'] });

    await client.delete(`/files/${file_id}`).expect(204);
    await api.sql("UPDATE file SET file_purge_at = now() - interval '1 second' WHERE file_id = $1", [file_id]);
    expect((await client.post(`/files/${file_id}/restore`).expect(410)).body.code).toBe('gone');
    const sweep = worker.get(Sweep, { strict: false });
    await sweep.sweepFiles();
    await api.sql("UPDATE file_blob SET blob_orphaned = blob_orphaned - interval '25 hours' WHERE tenant_id = $1", [shelf.tenant_id]);
    await sweep.sweepFiles();
    expect((await client.post(`/files/${file_id}/restore`).expect(410)).body.code).toBe('gone');
    expect(await keysOf(shelf.tenant_id)).toEqual([]);
  });
});

describe('a file of another workspace', () => {
  it('[files 10] can be neither read, listed, versioned, downloaded, restored, moved nor named, alone or among others', async () => {
    const { file_id } = await stored(owner, 'ours.jpg', await photo(10));
    const mine = await stored(stranger, 'mine.jpg', await photo(11));
    const [version] = ((await owner.get(`/files/${file_id}/versions`).expect(200)).body as { data: { fv_id: string }[] }).data;
    const fv = version?.fv_id ?? '';
    for (const path of [
      '',
      '/versions',
      `/versions/${fv}`,
      '/download-url',
      `/versions/${fv}/download-url`,
      '/image-data',
      '/font-data',
      '/history',
      '/references',
      '/similar',
    ]) {
      expect({ path, status: (await stranger.get(`/files/${file_id}${path}`)).status }).toEqual({ path, status: 404 });
    }
    const calls: [string, string, object?][] = [
      ['put', '', { file_name: 'x' }],
      ['delete', ''],
      ['delete', '?dry_run=true'],
      ['patch', '/favorite'],
      ['post', '/move', { file_repo: { library: ['docs'] } }],
      ['post', '/copy-to-media', {}],
      ['post', '/restore'],
      ['post', '/versions', { file_size: 1 }],
      ['put', '/content', { content: 'x' }],
      ['patch', `/versions/${fv}`, { fv_pinned: true }],
      ['post', `/versions/${fv}/restore`],
      ['delete', `/versions/${fv}`],
      ['post', '/hold', { lh_reason: 'x' }],
      ['delete', '/hold'],
      ['post', '/release'],
      ['put', '/media-tags', { media_tags: { A: ['b'] } }],
    ];
    for (const [method, path, body] of calls) {
      const answer = await stranger[method as 'put'](`/files/${file_id}${path}`, body);
      expect({ method, path, status: answer.status }).toEqual({ method, path, status: 404 });
    }
    expect((await stranger.get(`/files?repo_type=media&file_id=${file_id}`).expect(200)).body.data).toEqual([]);
    expect((await stranger.get('/files/search?q=ours').expect(200)).body.data).toEqual([]);
    for (const action of ['delete', 'restore', 'purge']) {
      expect((await stranger.post(`/files/actions/${action}`, { file_ids: [file_id] }).expect(200)).body.data).toEqual([
        { file_id, outcome: 'skipped', code: 'not_found' },
      ]);
    }
    expect(
      (await stranger.post('/files/actions/move', { file_ids: [file_id, mine.file_id], file_repo: MEDIA }).expect(200)).body.data,
    ).toMatchObject([{ outcome: 'skipped', code: 'not_found' }, { outcome: 'moved' }]);
    await stranger.post('/files/actions/download', { file_ids: [file_id] }).expect(400);
    await stranger.post('/download-jobs', { file_ids: [file_id] }).expect(400);
    await stranger.post('/uploads', { file_repo: MEDIA, file_name: 'a.jpg', file_size: 1, upl_file: file_id }).expect(400);
    const { album_id } = (await stranger.post('/albums', { album_name: 'Theirs' }).expect(201)).body as { album_id: string };
    expect((await stranger.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200)).body).toMatchObject({ added: 0 });
    const again = await sendUpload(stranger, 'copy.jpg', await photo(10), { upl_on_duplicate: 'skip' });
    expect((await stranger.post(`/uploads/${again.upl_id}/finalize`).expect(201)).body.file_id).not.toBe(file_id);
    await owner.get(`/files/${file_id}`).expect(200);
    const renewed = await owner.get(`/files/${file_id}/versions`).expect(200);
    expect((renewed.body as { data: unknown[] }).data).toHaveLength(1);
  });
});

describe('the store', () => {
  it('[files 20] is the one that the run is for: the disk, and in the run of the S3 adapter, which all of these files go through again, a strict S3 server', async () => {
    const { upl_url } = await openUpload(owner, { file_name: 'where.bin', file_size: 3 });
    const address = new URL(upl_url);
    if (objectStore === 'disk') expect(address.pathname).toMatch(/^\/storage\//);
    else expect([address.pathname.startsWith('/atrium-test/'), address.searchParams.has('X-Amz-Signature')]).toEqual([true, true]);
    expect((await send({ upl_url, upl_headers: {} }, Buffer.from('abcd'))).status).toBeGreaterThanOrEqual(400);
  });
});

describe('where a file is used', () => {
  /** Designs as far as files know them, and a thread that is not to be named. */
  beforeAll(() => {
    api.app.get(FileReferences, { strict: false }).register({
      referencesTo: () =>
        Promise.resolve({
          data: [{ ref_type: 'design', ref_id: DESIGN, ref_name: 'Poster', ref_detail: 'page 2', ref_blocking: true }],
          hidden: 1,
          hidden_kinds: { thread: 1 },
        }),
    });
  });

  it('[files 14] names albums, designs and publications, and counts what is not to be named, such as an unreadable thread', async () => {
    const { file_id } = await stored(owner, 'used.jpg', await photo(14));
    const { album_id } = (await owner.post('/albums', { album_name: 'Used' }).expect(201)).body as { album_id: string };
    await owner.post(`/albums/${album_id}/files`, { file_ids: [file_id] }).expect(200);
    await owner.post(`/files/${file_id}/publication`, { distribution: 'worldwide' }).expect(201);
    const secret = (await owner.post('/albums', { album_name: 'Secret' }).expect(201)).body as { album_id: string };
    await owner.post(`/albums/${secret.album_id}/files`, { file_ids: [file_id] }).expect(200);
    const known = (await owner.get(`/files/${file_id}/references`).expect(200)).body as {
      data: { ref_type: string; ref_id: string }[];
      hidden: number;
    };
    expect(known.data.map(({ ref_type }) => ref_type).sort()).toEqual(['album', 'album', 'design', 'publication']);
    expect(known.data).toContainEqual(expect.objectContaining({ ref_type: 'album', ref_id: album_id, ref_name: 'Used' }));
    expect(known.hidden).toBe(1);
    expect(Object.keys(known).sort()).toEqual(['data', 'has_more', 'hidden', 'next_cursor']);
    const preview = await owner.delete(`/files/${file_id}?dry_run=true`).expect(200);
    expect(preview.body).toEqual({ references: 5, publications: 1, share_links: 0, versions: 1 });
  });
});
