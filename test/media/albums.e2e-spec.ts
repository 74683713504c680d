import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  ours = await api.workspace();
  theirs = await api.workspace();
});
afterAll(() => api.close());

const createAlbum = async (workspace: TestWorkspace, body: object = {}): Promise<{ album_id: string; album_name: string }> =>
  (await workspace.owner.client.post('/albums', { album_name: 'Harbour', ...body }).expect(201)).body as {
    album_id: string;
    album_name: string;
  };

describe('creating an album', () => {
  it('answers the album with its location and version', async () => {
    const answer = await ours.owner.client
      .post('/albums', { album_name: '  Harbour at dusk ', album_metadata: { client: 'ACME' } })
      .expect(201);
    expect(answer.body).toMatchObject({
      album_name: 'Harbour at dusk',
      album_metadata: { client: 'ACME' },
      album_active: true,
      album_parent: null,
      album_file_count: 0,
      album_child_count: 0,
      album_access: 'owner',
    });
    expect(answer.headers.location).toBe(`/api/v1/albums/${answer.body.album_id}`);
    expect(answer.headers.etag).toBe('"1"');
    expect(answer.body).not.toHaveProperty('row_version');
    expect(answer.body).not.toHaveProperty('tenant_id');
    expect(answer.body).toEqual((await ours.owner.client.get(`/albums/${answer.body.album_id}`).expect(200)).body);
  });

  it('refuses unknown fields, empty names and a foreign parent, one entry a fault', async () => {
    const answer = await ours.owner.client.post('/albums', { album_name: ' ', colour: 'red' }).expect(400);
    expect(answer.body).toMatchObject({ code: 'validation_failed' });
    expect(answer.body.errors.map((entry: { path: string }) => entry.path).sort()).toEqual(['album_name', 'colour']);
    const foreign = await createAlbum(theirs);
    const refused = await ours.owner.client.post('/albums', { album_name: 'x', album_parent: foreign.album_id }).expect(400);
    expect(refused.body.errors[0]).toMatchObject({ path: 'album_parent', code: 'reference' });
  });

  it('is denied to viewers, naming the permission', async () => {
    const viewer = await ours.member('viewer');
    const answer = await viewer.client.post('/albums', { album_name: 'x' }).expect(403);
    expect(answer.body).toMatchObject({ code: 'permission_denied', detail: expect.stringContaining('media:edit') });
  });
});

describe('changing an album', () => {
  it('applies the fields present and raises the version', async () => {
    const { album_id } = await createAlbum(ours);
    const answer = await ours.owner.client
      .with({ 'If-Match': '"1"' })
      .patch(`/albums/${album_id}`, { album_description: 'By the sea' })
      .expect(200);
    expect(answer.body).toMatchObject({ album_name: 'Harbour', album_description: 'By the sea' });
    expect(answer.body).toEqual((await ours.owner.client.get(`/albums/${album_id}`).expect(200)).body);
    expect(answer.headers.etag).toBe('"2"');
    const stale = await ours.owner.client.with({ 'If-Match': '"1"' }).patch(`/albums/${album_id}`, { album_name: 'y' }).expect(412);
    expect(stale.body.code).toBe('precondition_failed');
  });

  it('refuses to put an album into itself or below itself', async () => {
    const top = await createAlbum(ours);
    const child = await createAlbum(ours, { album_parent: top.album_id });
    const grandchild = await createAlbum(ours, { album_parent: child.album_id });
    for (const parent of [top, child, grandchild]) {
      const answer = await ours.owner.client.patch(`/albums/${top.album_id}`, { album_parent: parent.album_id }).expect(409);
      expect(answer.body.code).toBe('invalid_move');
    }
    const path = await ours.owner.client.get(`/albums/${grandchild.album_id}`).expect(200);
    expect(path.body.album_path.map((step: { album_id: string }) => step.album_id)).toEqual([top.album_id, child.album_id]);
  });

  it('lets only one of two crossing moves pass', async () => {
    for (let round = 0; round < 5; round++) {
      const a = await createAlbum(ours);
      const b = await createAlbum(ours);
      const answers = await Promise.all([
        ours.owner.client.patch(`/albums/${a.album_id}`, { album_parent: b.album_id }),
        ours.owner.client.patch(`/albums/${b.album_id}`, { album_parent: a.album_id }),
      ]);
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409]);
    }
  });
});

describe('an album with an ACL', () => {
  it('is invisible to others, in lists and by id, and readable is not editable', async () => {
    const editor = await ours.member('editor');
    const reader = await ours.member('editor');
    const { album_id } = await createAlbum(ours, { album_acl: { users: { [ours.owner.user_id]: 'owner', [reader.user_id]: 'view' } } });
    await editor.client.get(`/albums/${album_id}`).expect(404);
    const page = await editor.client.get('/albums?limit=1000').expect(200);
    expect(page.body.data.map((row: { album_id: string }) => row.album_id)).not.toContain(album_id);
    await reader.client.get(`/albums/${album_id}`).expect(200);
    const denied = await reader.client.patch(`/albums/${album_id}`, { album_name: 'mine' }).expect(403);
    expect(denied.body.code).toBe('permission_denied');
    await editor.client.patch(`/albums/${album_id}`, { album_name: 'mine' }).expect(404);
    await editor.client.with({ 'If-Match': '"99"' }).patch(`/albums/${album_id}`, { album_name: 'mine' }).expect(404);
    await reader.client.with({ 'If-Match': '"99"' }).patch(`/albums/${album_id}`, { album_name: 'mine' }).expect(403);
  });

  it('keeps an owner', async () => {
    const { album_id } = await createAlbum(ours);
    await ours.owner.client.patch(`/albums/${album_id}`, { album_acl: { users: { [ours.owner.user_id]: 'edit' } } }).expect(400);
  });
});

describe('from another workspace', () => {
  it('an album does not exist for any operation', async () => {
    const { album_id } = await createAlbum(ours);
    const stranger = theirs.owner.client;
    await stranger.get(`/albums/${album_id}`).expect(404);
    await stranger.patch(`/albums/${album_id}`, { album_name: 'x' }).expect(404);
    await stranger.delete(`/albums/${album_id}`).expect(404);
    await stranger.post(`/albums/${album_id}/files`, { file_ids: [newId()] }).expect(404);
    await stranger.delete(`/albums/${album_id}/files`, { file_ids: [newId()] }).expect(404);
    const page = await stranger.get(`/albums?album_id=${album_id}`).expect(200);
    expect(page.body.data).toEqual([]);
    const children = await stranger.get(`/albums?album_parent=${album_id}`).expect(200);
    expect(children.body.data).toEqual([]);
    const memberships = await stranger.get(`/albums/memberships?af_album=${album_id}`).expect(200);
    expect(memberships.body).toEqual({ data: [], has_more: false, next_cursor: null });
    await ours.owner.client.get(`/albums/${album_id}`).expect(200);
  });
});

describe('listing albums', () => {
  it('pages by cursor without gaps or repeats in any order', async () => {
    const workspace = await api.workspace();
    const made = await Promise.all(Array.from({ length: 25 }, (_, i) => createAlbum(workspace, { album_name: `Album ${String(i % 7)}` })));
    for (const sort of ['album_name', '-album_name', 'album_created', '-album_updated', 'no_such_column']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { body: { data: { album_id: string }[]; has_more: boolean; next_cursor: string | null } } = await workspace.owner.client
          .get(`/albums?limit=4&sort=${sort}${cursor ? `&cursor=${cursor}` : ''}`)
          .expect(200);
        seen.push(...page.body.data.map((row) => row.album_id));
        cursor = page.body.next_cursor;
        expect(page.body.has_more).toBe(cursor !== null);
      }
      expect(seen).toHaveLength(25);
      expect(new Set(seen)).toEqual(new Set(made.map((album) => album.album_id)));
    }
  });

  it('takes % and _ literally, ignores an unreadable cursor and cuts the limit', async () => {
    const workspace = await api.workspace();
    await createAlbum(workspace, { album_name: '100% done' });
    await createAlbum(workspace, { album_name: '100 done' });
    const percent = await workspace.owner.client.get('/albums?album_name=0%25').expect(200);
    expect(percent.body.data.map((row: { album_name: string }) => row.album_name)).toEqual(['100% done']);
    const page = await workspace.owner.client.get('/albums?cursor=nonsense&limit=5000').expect(200);
    expect(page.body.data).toHaveLength(2);
    const found = await workspace.owner.client.get('/albums?full_text_search=done').expect(200);
    expect(found.body.data).toHaveLength(2);
  });
});

describe('a parameter nobody knows', () => {
  it('is refused where a route takes a query and where it takes none', async () => {
    const { album_id } = await createAlbum(ours);
    for (const path of ['/albums?colour=red', `/albums/${album_id}?colour=red`]) {
      const answer = await ours.owner.client.get(path).expect(400);
      expect(answer.body.errors).toEqual([{ path: 'colour', code: 'unknown_field', message: 'is unknown' }]);
    }
  });
});
