import { newId } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, photograph, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { storeFile } from '../files/stored-files';
import { settled, upload, type StoredFile } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';

let api: RunningApi;
let worker: INestApplicationContext;
let ours: TestWorkspace;
let theirs: TestWorkspace;
let photos: StoredFile[];

interface AlbumBody {
  readonly album_id: string;
  readonly album_query: string;
  readonly album_file_count: number;
}
interface Change {
  readonly ac_file: string;
  readonly ac_change: string;
}

const KIND_IMAGE = { field: 'kind', op: 'eq', value: 'image' };

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  worker = api.worker;
  ours = await api.workspace();
  theirs = await api.workspace();
  const paris = await photograph({
    width: 640,
    height: 480,
    seed: 1,
    make: 'Canon',
    model: 'EOS R5',
    taken: '2019:07:14 10:00:00',
    gps: { lat: 48.8567, lng: 2.3522 },
  });
  const others = await Promise.all([2, 3, 4, 5, 6].map((seed) => photograph({ width: 640, height: 480, seed })));
  const uploaded = await Promise.all([paris, ...others].map((bytes, i) => upload(ours.owner.client, `photo-${i}.jpg`, bytes)));
  photos = await Promise.all(uploaded.map((file) => settled(ours.owner.client, file.file_id)));
}, 120_000);
afterAll(() => api.close());

const id = (at: number): string => photos[at]?.file_id as string;
const smart = async (where: object, workspace = ours, body: object = {}): Promise<AlbumBody> =>
  (await workspace.owner.client.post('/albums/smart', { album_name: 'Smart', query_search: { where }, ...body }).expect(201))
    .body as AlbumBody;
const contents = async (album: string, workspace = ours): Promise<string[]> =>
  ((await workspace.owner.client.get(`/albums/${album}/files?sort=file_name`).expect(200)).body.data as { file_id: string }[]).map(
    ({ file_id }) => file_id,
  );
const searches = async (): Promise<string[]> =>
  ((await ours.owner.client.get('/saved-searches?limit=1000').expect(200)).body.data as { sq_id: string }[]).map(({ sq_id }) => sq_id);

describe('an album of real photos', () => {
  it('[media 1] counts and covers them, skips foreign ids, moves in no circle, and leaves its files and children', async () => {
    const client = ours.owner.client;
    const parent = (await client.post('/albums', { album_name: 'Photos' }).expect(201)).body.album_id as string;
    const foreign = await storeFile(api, theirs);
    const document = await storeFile(api, ours, { repo: 'docs' });
    const trashed = await storeFile(api, ours);
    await client.delete(`/files/${trashed.file_id}`).expect(204);
    const skipped = [newId(), foreign.file_id, document.file_id, trashed.file_id];
    await client
      .post(`/albums/${parent}/files`, { file_ids: [...photos.map(({ file_id }) => file_id), ...skipped] })
      .expect(200, { added: 6, skipped: 4, already: 0 });
    const read = await client.get(`/albums/${parent}`).expect(200);
    expect(read.body).toMatchObject({ album_file_count: 6, album_file_count_exact: true, album_query_search: null });
    expect((await fetch(read.body.album_cover_preview.url as string)).headers.get('content-type')).toBe('image/webp');
    const child = (await client.post('/albums', { album_name: 'Child', album_parent: parent }).expect(201)).body.album_id as string;
    const grandchild = (await client.post('/albums', { album_name: 'Grandchild', album_parent: child }).expect(201)).body
      .album_id as string;
    for (const album_parent of [parent, child, grandchild])
      expect((await client.patch(`/albums/${parent}`, { album_parent }).expect(409)).body.code).toBe('invalid_move');
    await client.delete(`/albums/${parent}`).expect(204);
    expect((await client.get(`/albums/${child}`).expect(200)).body).toMatchObject({ album_parent: null, album_path: [] });
    for (const { file_id } of photos) await client.get(`/media-files/${file_id}`).expect(200);
  });
});

describe('a smart album', () => {
  it('[media 2] shows what its filter finds now, changes with it, and takes no files', async () => {
    const client = ours.owner.client;
    // A video of the place, a picture in the corner of the box around the circle, and one of another town.
    const video = (await storeFile(api, ours, { name: 'paris.mp4', type: 'video/mp4', kind: 'video' })).file_id;
    const places: readonly [string, number | null, number | null][] = [
      [video, 48.86, 2.35],
      [id(4), 49.02, 2.59],
      [id(5), 41.9, 12.5],
    ];
    const place = (file: string, lat: number | null, lng: number | null): Promise<unknown> =>
      api.sql(
        `UPDATE file SET file_metadata = jsonb_set(file_metadata, '{system}', coalesce(file_metadata -> 'system', '{}') || $2::jsonb) WHERE file_id = $1`,
        [file, JSON.stringify({ gps: lat === null ? null : { lat, lng } })],
      );
    for (const one of places) await place(...one);
    const album = await smart({ all: [KIND_IMAGE, { field: 'location', op: 'within_radius', value: { lat: 48.86, lng: 2.35, km: 20 } }] });
    expect(album).toMatchObject({
      album_smart: true,
      album_file_count: 1,
      album_file_count_exact: true,
      album_query_search: { where: { all: [KIND_IMAGE, { field: 'location' }] } },
    });
    expect(await contents(album.album_id)).toEqual([id(0)]);
    expect((await client.get(`/albums/${album.album_id}`).expect(200)).body).toMatchObject({
      album_file_count: 1,
      album_cover_preview: { file_id: id(0) },
    });
    for (const [file] of places) await place(file, null, null);
    await client.delete(`/files/${video}`).expect(204);
    await client.put(`/files/${id(3)}/media-tags`, { media_tags: { Place: ['Rome'] } }).expect(200);
    const changed = await client
      .patch(`/albums/${album.album_id}/smart`, {
        query_search: { where: { field: 'tag', op: 'has_any', value: [{ group: 'Place', value: 'Rome' }] } },
      })
      .expect(200);
    expect(changed.body).toMatchObject({ album_query: album.album_query, album_file_count: 1 });
    expect(await contents(album.album_id)).toEqual([id(3)]);
    for (const request of [
      client.post(`/albums/${album.album_id}/files`, { file_ids: [id(0)] }),
      client.delete(`/albums/${album.album_id}/files`, { file_ids: [id(3)] }),
      client.patch(`/albums/${album.album_id}/files/order`, { file_ids: [id(3)] }),
    ]) {
      expect((await request.expect(409)).body.code).toBe('invalid_state');
    }
  });

  it('reads its filter before it keeps it: unknown fields, other libraries, unknown people and smart albums are faults', async () => {
    const smartOne = await smart(KIND_IMAGE);
    for (const [where, path] of [
      [{ field: 'shape', op: 'eq', value: 1 }, 'query_search.where.field'],
      [{ field: 'lifecycle', op: 'eq', value: 'active' }, 'query_search.where.field'],
      [{ field: 'file_added_by', op: 'eq', value: newId() }, 'query_search.where.value'],
      [{ field: 'album', op: 'in_any', value: [newId()] }, 'query_search.where.value'],
      [{ field: 'album', op: 'in_any', value: [smartOne.album_id] }, 'query_search.where.value'],
    ] as const) {
      const answer = await ours.owner.client.post('/albums/smart', { album_name: 'x', query_search: { where } }).expect(400);
      expect({ where, path: answer.body.errors[0].path }).toEqual({ where, path });
      await ours.owner.client.patch(`/albums/${smartOne.album_id}/smart`, { query_search: { where } }).expect(400);
    }
    await ours.owner.client.post('/albums/smart', { album_name: 'x' }).expect(400);
    await ours.owner.client.patch(`/albums/${smartOne.album_id}`, { query_search: {} }).expect(400);
    await ours.owner.client.patch(`/albums/${smartOne.album_id}/smart`, {}).expect(400);
  });

  it('can be made over a saved search of the media library, which stays while it is used', async () => {
    const client = ours.owner.client;
    const search = (
      await client.post('/saved-searches', { sq_name: 'All pictures', sq_scope: 'media', sq_query: { where: KIND_IMAGE } }).expect(201)
    ).body as { sq_id: string };
    const album = (await client.post('/albums', { album_name: 'Pictures', album_smart: true, album_query: search.sq_id }).expect(201))
      .body as AlbumBody;
    expect(album).toMatchObject({ album_smart: true, album_query: search.sq_id, album_file_count: 6 });
    expect((await client.get(`/saved-searches/${search.sq_id}`)).body.sq_used_by).toBe(1);
    expect((await client.delete(`/saved-searches/${search.sq_id}`).expect(409)).body.code).toBe('in_use');
    await client.delete(`/albums/${album.album_id}`).expect(204);
    expect(await searches()).toContain(search.sq_id);
    await client.delete(`/saved-searches/${search.sq_id}`).expect(204);
    const docs = await api.workspace(['module-documents']);
    const folderSearch = (await docs.owner.client.post('/saved-searches', { sq_name: 'Docs', sq_scope: 'docs', sq_query: {} }).expect(201))
      .body as { sq_id: string };
    for (const [who, body, path] of [
      [client, { album_smart: true }, 'album_query'],
      [client, { album_smart: true, album_query: newId() }, 'album_query'],
      [client, { album_query: newId() }, 'album_query'],
      [docs.owner.client, { album_smart: true, album_query: folderSearch.sq_id }, 'album_query'],
    ] as const) {
      expect((await who.post('/albums', { album_name: 'x', ...body }).expect(400)).body.errors[0].path).toBe(path);
    }
  });

  it('changes its own search in place, a shared one never, and takes its own along when it goes', async () => {
    const client = ours.owner.client;
    const first = await smart(KIND_IMAGE);
    const second = (await client.post('/albums', { album_name: 'Second', album_smart: true, album_query: first.album_query }).expect(201))
      .body as AlbumBody;
    const changed = (
      await client
        .patch(`/albums/${second.album_id}/smart`, {
          album_name: 'Other',
          query_search: { where: { field: 'kind', op: 'eq', value: 'video' } },
        })
        .expect(200)
    ).body as AlbumBody;
    expect(changed.album_query).not.toBe(first.album_query);
    expect((await contents(first.album_id)).length).toBeGreaterThan(0);
    expect(await contents(second.album_id)).toEqual([]);
    for (const album of [first, changed]) {
      expect(await searches()).toContain(album.album_query);
      await client.delete(`/albums/${album.album_id}`).expect(204);
      expect(await searches()).not.toContain(album.album_query);
    }
  });

  it('runs with the rights and marks of the reader', async () => {
    const editor = await ours.member('editor');
    const closed = (
      await ours.owner.client.post('/albums', { album_name: 'Closed', album_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(201)
    ).body.album_id as string;
    await ours.owner.client.post(`/albums/${closed}/files`, { file_ids: [id(1)] }).expect(200);
    const inClosed = await smart({ field: 'album', op: 'in_any', value: [closed] });
    const marked = await smart({ field: 'favorite', op: 'eq', value: true });
    await ours.owner.client.patch(`/files/${id(2)}/favorite`).expect(200);
    expect(await contents(inClosed.album_id)).toEqual([id(1)]);
    expect(await contents(marked.album_id)).toEqual([id(2)]);
    for (const album of [inClosed, marked]) {
      expect((await editor.client.get(`/albums/${album.album_id}/files`).expect(200)).body.data).toEqual([]);
      expect((await editor.client.get(`/albums/${album.album_id}`).expect(200)).body.album_file_count).toBe(0);
    }
  });

  it('is made and changed by those who may edit, and is unknown elsewhere', async () => {
    const album = await smart(KIND_IMAGE);
    const viewer = await ours.member('viewer');
    const body = { album_name: 'x', query_search: {} };
    expect((await viewer.client.post('/albums/smart', body).expect(403)).body.detail).toContain('media:edit');
    expect((await viewer.client.patch(`/albums/${album.album_id}/smart`, body).expect(403)).body.detail).toContain('media:edit');
    for (const path of ['files', 'changes', `explain?file_id=${id(0)}`])
      await theirs.owner.client.get(`/albums/${album.album_id}/${path}`).expect(404);
    await theirs.owner.client.patch(`/albums/${album.album_id}/smart`, body).expect(404);
    expect(
      (await theirs.owner.client.post('/albums', { album_name: 'x', album_smart: true, album_query: album.album_query }).expect(400)).body
        .errors[0],
    ).toMatchObject({ path: 'album_query', code: 'reference' });
    const curated = (await ours.owner.client.post('/albums', { album_name: 'Curated' }).expect(201)).body.album_id as string;
    for (const request of [
      ours.owner.client.patch(`/albums/${curated}/smart`, body),
      ours.owner.client.get(`/albums/${curated}/changes`),
      ours.owner.client.get(`/albums/${curated}/explain?file_id=${id(0)}`),
    ])
      expect((await request.expect(409)).body.code).toBe('invalid_state');
    const stale = await ours.owner.client.with({ 'If-Match': '"99"' }).patch(`/albums/${album.album_id}/smart`, body).expect(412);
    expect(stale.body.code).toBe('precondition_failed');
  });

  it('copied, it is its contents frozen', async () => {
    const workspace = await api.workspace();
    const [one, two] = [
      await storeFile(api, workspace, { kind: 'image', name: 'a.jpg' }),
      await storeFile(api, workspace, { kind: 'image', name: 'b.jpg' }),
    ];
    const album = await smart(KIND_IMAGE, workspace);
    const copy = (await workspace.owner.client.post(`/albums/${album.album_id}/copy`, { album_name: 'Frozen' }).expect(201))
      .body as AlbumBody;
    expect(copy).toMatchObject({ album_smart: false, album_query: null, album_file_count: 2 });
    await storeFile(api, workspace, { kind: 'image', name: 'c.jpg' });
    expect(await contents(album.album_id, workspace)).toHaveLength(3);
    expect(await contents(copy.album_id, workspace)).toEqual([one.file_id, two.file_id]);
  });
});

describe('why a file is in a smart album', () => {
  it('is explained leaf by leaf', async () => {
    const album = await smart({
      any: [
        { field: 'camera', op: 'contains', value: 'canon' },
        { field: 'file_name', op: 'eq', value: 'photo-1.jpg' },
      ],
    });
    const explain = async (file: string): Promise<object> =>
      (await ours.owner.client.get(`/albums/${album.album_id}/explain?file_id=${file}`).expect(200)).body as object;
    expect(await explain(id(0))).toMatchObject({
      file_id: id(0),
      matched: true,
      leaves: [
        { path: 'where.any[0]', leaf: { field: 'camera' }, matched: true },
        { path: 'where.any[1]', matched: false },
      ],
    });
    expect(await explain(id(4))).toMatchObject({ matched: false, leaves: [{ matched: false }, { matched: false }] });
    await ours.owner.client.get(`/albums/${album.album_id}/explain?file_id=${newId()}`).expect(404);
    await ours.owner.client.get(`/albums/${album.album_id}/explain`).expect(400);
  });
});

describe('what entered and left a smart album', () => {
  it('is recorded by a daily snapshot and reported as an event', async () => {
    const workspace = await api.workspace();
    const { client } = workspace.owner;
    const stays = await storeFile(api, workspace, { kind: 'image', name: 'stays.jpg' });
    const leaves = await storeFile(api, workspace, { kind: 'image', name: 'leaves.jpg' });
    const album = await smart(KIND_IMAGE, workspace);
    const looked = (): Promise<{ as_count: number; as_taken: Date }[]> =>
      api.sql('SELECT as_count, as_taken FROM album_snapshot WHERE as_album = $1', [album.album_id]);
    await eventually(looked, (rows) => rows[0]?.as_count === 2);
    expect((await client.get(`/albums/${album.album_id}/changes`).expect(200)).body.data).toEqual([]);
    await client.delete(`/files/${leaves.file_id}`).expect(204);
    const enters = await storeFile(api, workspace, { kind: 'image', name: 'enters.jpg' });
    const since = new Date().toISOString();
    await worker.get(ScheduleHost, { strict: false }).runNow('media.smart-albums');
    const changes = await eventually(
      async () => (await client.get(`/albums/${album.album_id}/changes?since=${since}`).expect(200)).body.data as Change[],
      (rows) => rows.length === 2,
    );
    expect(changes.map(({ ac_file, ac_change }) => `${ac_change} ${ac_file}`).sort()).toEqual([
      `entered ${enters.file_id}`,
      `left ${leaves.file_id}`,
    ]);
    expect(changes.map(({ ac_file }) => ac_file)).not.toContain(stays.file_id);
    expect((await client.get(`/albums/${album.album_id}/changes?ac_change=left`).expect(200)).body.data).toHaveLength(1);
    expect((await client.get(`/albums/${album.album_id}/changes?since=2100-01-01`).expect(200)).body.data).toEqual([]);
    const [event] = await api.sql<{ ev_payload: object }>(
      `SELECT ev_payload FROM outbox WHERE ev_name = 'album.files_changed' AND ev_subject = $1`,
      [album.album_id],
    );
    expect(event?.ev_payload).toEqual({ entered: 1, left: 1, smart: true });
  });
});
