import { newId } from '@atrium/platform/kernel';
import { drawPicture, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let pictures: StoredFile[];

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace();
  theirs = await api.workspace();
  const bytes = await Promise.all([1, 2, 3].map((seed) => drawPicture({ width: 640, height: 480, format: 'jpeg', seed })));
  const uploaded = await Promise.all(bytes.map((picture, i) => upload(ours.owner.client, `picture-${i}.jpg`, picture)));
  pictures = await Promise.all(uploaded.map((file) => settled(ours.owner.client, file.file_id)));
}, 120_000);
afterAll(() => api.close());

const createAlbum = async (workspace: TestWorkspace, body: object = {}): Promise<string> =>
  (await workspace.owner.client.post('/albums', { album_name: 'Harbour', ...body }).expect(201)).body.album_id as string;
const idsOf = (files: readonly StoredFile[]): string[] => files.map((file) => file.file_id);

describe('the files of an album', () => {
  it('are counted, shown by a cover, and skip what is no library file', async () => {
    const album = await createAlbum(ours);
    const foreign = await upload(theirs.owner.client, 'theirs.txt', Buffer.from('theirs'));
    const answer = await ours.owner.client
      .post(`/albums/${album}/files`, { file_ids: [...idsOf(pictures), foreign.file_id, newId()] })
      .expect(200);
    expect(answer.body).toEqual({ added: 3, skipped: 2, already: 0 });
    expect((await ours.owner.client.post(`/albums/${album}/files`, { file_ids: idsOf(pictures) }).expect(200)).body).toEqual({
      added: 0,
      skipped: 0,
      already: 3,
    });

    const read = await ours.owner.client.get(`/albums/${album}`).expect(200);
    expect(read.body).toMatchObject({
      album_file_count: 3,
      album_cover_preview: { width: 320, height: 240, url: expect.any(String), thumbhash: expect.any(String) },
    });
    const cover = await fetch(read.body.album_cover_preview.url as string);
    expect(cover.headers.get('content-type')).toBe('image/webp');

    await ours.owner.client.delete(`/albums/${album}/files`, { file_ids: [pictures[0]?.file_id, newId()] }).expect(200, { removed: 1 });
    expect((await ours.owner.client.get(`/albums/${album}`)).body.album_file_count).toBe(2);
  });

  it('take a chosen cover only from the library', async () => {
    const album = await createAlbum(ours);
    const [first] = pictures;
    await ours.owner.client.patch(`/albums/${album}`, { album_cover_file: first?.file_id }).expect(200);
    expect((await ours.owner.client.get(`/albums/${album}`)).body.album_cover_preview.file_id).toBe(first?.file_id);
    const foreign = await upload(theirs.owner.client, 'cover.txt', Buffer.from('cover'));
    const refused = await ours.owner.client.patch(`/albums/${album}`, { album_cover_file: foreign.file_id }).expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'album_cover_file', code: 'reference' });
  });

  it('leave it while in trash and come back when restored; the album names itself as a reference', async () => {
    const album = await createAlbum(ours, { album_name: 'Kept' });
    const file = await upload(ours.owner.client, 'kept.txt', Buffer.from('kept'));
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: [file.file_id] }).expect(200);
    const references = await ours.owner.client.get(`/files/${file.file_id}/references`).expect(200);
    expect(references.body.data).toContainEqual(expect.objectContaining({ ref_type: 'album', ref_id: album, ref_name: 'Kept' }));
    await ours.owner.client.delete(`/files/${file.file_id}`).expect(204);
    expect((await ours.owner.client.get(`/albums/${album}`)).body.album_file_count).toBe(0);
    expect((await ours.owner.client.get(`/albums/memberships?af_album=${album}`)).body.data).toEqual([]);
    await ours.owner.client.post(`/files/${file.file_id}/restore`).expect(200);
    expect((await ours.owner.client.get(`/albums/${album}`)).body.album_file_count).toBe(1);
  });

  it('may be named by an upload, if the caller may edit the album', async () => {
    const album = await createAlbum(ours);
    const closed = await createAlbum(theirs);
    const file = await upload(ours.owner.client, 'straight-in.txt', Buffer.from('in'), { album_ids: [album] });
    const memberships = await ours.owner.client.get(`/albums/memberships?af_file=${file.file_id}`).expect(200);
    expect(memberships.body.data).toEqual([
      expect.objectContaining({ af_album: album, af_file: file.file_id, af_added_by: ours.owner.user_id }),
    ]);
    const refused = await ours.owner.client
      .post('/uploads', { file_repo: { library: ['media'] }, file_name: 'x.txt', file_size: 1, album_ids: [closed] })
      .expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'album_ids[0]', code: 'reference' });
  });
});

describe('deleting an album', () => {
  it('moves its children to the top level and keeps its files', async () => {
    const parent = await createAlbum(ours);
    const child = await createAlbum(ours, { album_parent: parent });
    await ours.owner.client.post(`/albums/${parent}/files`, { file_ids: idsOf(pictures) }).expect(200);
    await ours.owner.client.delete(`/albums/${parent}`).expect(204);
    await ours.owner.client.get(`/albums/${parent}`).expect(404);
    expect((await ours.owner.client.get(`/albums/${child}`)).body.album_parent).toBeNull();
    await ours.owner.client.get(`/files/${pictures[0]?.file_id}`).expect(200);
  });
});
