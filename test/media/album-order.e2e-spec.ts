import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let files: string[];

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
  files = [];
  for (let i = 0; i < 6; i++) files.push((await storeFile(api, ours, { name: `${i}.txt` })).file_id);
});
afterAll(() => api.close());

const createAlbum = async (body: object = {}): Promise<string> =>
  (await ours.owner.client.post('/albums', { album_name: 'Harbour', ...body }).expect(201)).body.album_id as string;
const at = (...places: readonly number[]): string[] => places.map((place) => files[place] as string);
const order = async (album: string, sort = 'af_position'): Promise<number[]> =>
  ((await ours.owner.client.get(`/albums/${album}/files?sort=${sort}`).expect(200)).body.data as { file_id: string }[]).map(({ file_id }) =>
    files.indexOf(file_id),
  );

describe('the order of an album', () => {
  it('is that in which files were added, at the end or at the beginning', async () => {
    const album = await createAlbum();
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(3, 1) }).expect(200);
    await ours.owner.client
      .post(`/albums/${album}/files`, { file_ids: at(2, 1), position: 'last' })
      .expect(200, { added: 1, skipped: 0, already: 1 });
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(5, 4), position: 'first' }).expect(200);
    expect(await order(album)).toEqual([5, 4, 3, 1, 2]);
    expect(await order(album, '-af_position')).toEqual([2, 1, 3, 4, 5]);
    expect(await order(album, 'file_created')).toEqual([1, 2, 3, 4, 5]);
  });

  it('changes by putting files before or behind another one, or at the end', async () => {
    const album = await createAlbum();
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(0, 1, 2, 3, 4) }).expect(200);
    const move = (body: object) => ours.owner.client.patch(`/albums/${album}/files/order`, body);
    await move({ file_ids: at(4, 3), before: files[1] }).expect(200, { moved: 2, skipped: 0 });
    expect(await order(album)).toEqual([0, 4, 3, 1, 2]);
    await move({ file_ids: at(0), after: files[3] }).expect(200);
    expect(await order(album)).toEqual([4, 3, 0, 1, 2]);
    await move({ file_ids: [...at(4), files[5], newId()] }).expect(200, { moved: 1, skipped: 2 });
    expect(await order(album)).toEqual([3, 0, 1, 2, 4]);
    await move({ file_ids: at(2), before: files[3] }).expect(200);
    expect(await order(album)).toEqual([2, 3, 0, 1, 4]);
  });

  it('stays exact however often one place is used, and pages along it', async () => {
    const album = await createAlbum();
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(0, 1, 2, 3, 4, 5) }).expect(200);
    await api.sql(`UPDATE album_file SET af_position = '80' WHERE af_album = $1`, [album]);
    await ours.owner.client.patch(`/albums/${album}/files/order`, { file_ids: at(5), before: files[1] }).expect(200);
    expect((await order(album)).indexOf(5)).toBe((await order(album)).indexOf(1) - 1);
    for (let i = 0; i < 10; i++)
      await ours.owner.client.patch(`/albums/${album}/files/order`, { file_ids: at(i % 2 === 0 ? 2 : 3), after: files[0] }).expect(200);
    const whole = await order(album);
    expect(whole.slice(whole.indexOf(0), whole.indexOf(0) + 3)).toEqual([0, 3, 2]);
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: { body: { data: { file_id: string }[]; next_cursor: string | null } } = await ours.owner.client
        .get(`/albums/${album}/files?sort=af_position&limit=2${cursor ? `&cursor=${cursor}` : ''}`)
        .expect(200);
      seen.push(...page.body.data.map(({ file_id }) => files.indexOf(file_id)));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(whole);
  });

  it('refuses an anchor that is not there or moves itself, and both anchors at once', async () => {
    const album = await createAlbum();
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(0, 1) }).expect(200);
    for (const [body, path] of [
      [{ file_ids: at(0), before: files[5] }, 'before'],
      [{ file_ids: at(0), after: newId() }, 'after'],
      [{ file_ids: at(0, 1), before: files[1] }, 'before'],
      [{ file_ids: at(0), before: files[1], after: files[1] }, 'after'],
      [{ file_ids: [] }, 'file_ids'],
      [{ file_ids: ['x'] }, 'file_ids'],
    ] as const) {
      expect((await ours.owner.client.patch(`/albums/${album}/files/order`, body).expect(400)).body.errors[0].path).toBe(path);
    }
    expect(await order(album)).toEqual([0, 1]);
  });

  it('takes files from one to ten thousand at once', async () => {
    const album = await createAlbum();
    const tooMany = Array.from({ length: 10_001 }, () => newId());
    for (const file_ids of [[], ['x'], tooMany]) await ours.owner.client.post(`/albums/${album}/files`, { file_ids }).expect(400);
    await ours.owner.client
      .post(`/albums/${album}/files`, { file_ids: [...tooMany.slice(2), files[0]] })
      .expect(200, { added: 1, skipped: 9_999, already: 0 });
  });

  it('is kept to those who may edit the album', async () => {
    const viewer = await ours.member('viewer');
    const reader = await ours.member('editor');
    const album = await createAlbum({ album_acl: { users: { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view' } } });
    expect((await viewer.client.patch(`/albums/${album}/files/order`, { file_ids: at(0) }).expect(403)).body.detail).toContain(
      'media:edit',
    );
    await reader.client.patch(`/albums/${album}/files/order`, { file_ids: at(0) }).expect(403);
    await theirs.owner.client.patch(`/albums/${album}/files/order`, { file_ids: at(0) }).expect(404);
    await theirs.owner.client.post(`/albums/${album}/copy`, { album_name: 'Mine' }).expect(404);
  });

  it('is written into the history of the files', async () => {
    const album = await createAlbum({ album_name: 'Told' });
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(5) }).expect(200);
    await ours.owner.client.delete(`/albums/${album}/files`, { file_ids: at(5) }).expect(200, { removed: 1 });
    const history = (await ours.owner.client.get(`/files/${files[5]}/history`).expect(200)).body.data as {
      fh_action: string;
      fh_details: object;
    }[];
    expect(history.slice(0, 2)).toEqual([
      expect.objectContaining({ fh_action: 'album_removed', fh_details: { album_id: album, album_name: 'Told' } }),
      expect.objectContaining({ fh_action: 'album_added' }),
    ]);
  });
});

describe('a copy of an album', () => {
  it('is curated, in the same order and place, and its own', async () => {
    const parent = await createAlbum();
    const album = await createAlbum({ album_parent: parent, album_description: 'By the sea', album_metadata: { client: 'ACME' } });
    await ours.owner.client.post(`/albums/${album}/files`, { file_ids: at(2, 0, 1) }).expect(200);
    const copy = await ours.owner.client.post(`/albums/${album}/copy`, { album_name: 'Second' }).expect(201);
    expect(copy.body).toMatchObject({
      album_name: 'Second',
      album_description: 'By the sea',
      album_metadata: { client: 'ACME' },
      album_parent: parent,
      album_file_count: 3,
      album_smart: false,
    });
    expect(copy.headers.location).toBe(`/api/v1/albums/${copy.body.album_id}`);
    expect(await order(copy.body.album_id as string)).toEqual([2, 0, 1]);
    await ours.owner.client.delete(`/albums/${copy.body.album_id}/files`, { file_ids: at(2) }).expect(200);
    expect(await order(album)).toEqual([2, 0, 1]);
  });

  it('is seen by nobody who could not see the original', async () => {
    const reader = await ours.member('editor');
    const other = await ours.member('editor');
    const album = await createAlbum({ album_acl: { users: { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view' } } });
    const copy = (await reader.client.post(`/albums/${album}/copy`, { album_name: 'Mine' }).expect(201)).body as {
      album_id: string;
      album_access: string;
    };
    expect(copy.album_access).toBe('owner');
    await ours.owner.client.get(`/albums/${copy.album_id}`).expect(200);
    await other.client.get(`/albums/${copy.album_id}`).expect(404);
    await other.client.post(`/albums/${album}/copy`, { album_name: 'Mine' }).expect(404);
  });
});
