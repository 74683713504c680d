import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { upload } from '../files/uploading';
import { MessageCounter } from '../identity/message-counter';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;

beforeAll(async () => {
  api = await sharedAtrium();
});
afterAll(() => api.close());

const createAlbum = async (workspace: TestWorkspace, body: object = {}): Promise<string> =>
  (await workspace.owner.client.post('/albums', { album_name: 'Harbour', ...body }).expect(201)).body.album_id as string;

describe('a page of albums', () => {
  it('[media 13] costs the same number of statements for 50 rows as for 5', async () => {
    const workspace = await api.workspace();
    const file = await upload(workspace.owner.client, 'a.txt', Buffer.from('a'));
    for (let i = 0; i < 50; i++) {
      const album = await createAlbum(workspace, { album_name: `Album ${i}` });
      await workspace.owner.client.post(`/albums/${album}/files`, { file_ids: [file.file_id] }).expect(200);
    }
    const counter = new MessageCounter(api);
    try {
      const statementsFor = async (limit: number): Promise<number> => {
        counter.reset();
        expect((await workspace.owner.client.get(`/albums?limit=${limit}`).expect(200)).body.data).toHaveLength(limit);
        return counter.texts.filter((text) => text.includes('album') || text.includes('FROM file')).length;
      };
      const five = await statementsFor(5);
      expect(five).toBeGreaterThan(0);
      expect(await statementsFor(50)).toBe(five);
    } finally {
      counter.close();
    }
  });

  it('counts the albums the caller may read', async () => {
    const workspace = await api.workspace();
    const top = await createAlbum(workspace);
    await createAlbum(workspace, { album_parent: top });
    const { user_id } = await workspace.member('editor');
    await createAlbum(workspace, { album_acl: { users: { [user_id]: 'owner' } } });
    expect((await workspace.owner.client.get('/albums/stats').expect(200)).body).toEqual({
      count: 2,
      smart: 0,
      curated: 2,
      empty: 2,
      top_level: 1,
    });
  });
});

describe('a page of many smart albums', () => {
  it('ends when it would count more files than 50 of them hold at most, and goes on behind its cursor', async () => {
    const workspace = await api.workspace();
    const where = { field: 'kind', op: 'eq', value: 'image' };
    for (let i = 0; i < 60; i++)
      await workspace.owner.client.post('/albums/smart', { album_name: `Smart ${i}`, query_search: { where } }).expect(201);
    await api.sql(
      `WITH b AS (INSERT INTO file_blob (tenant_id, blob_id, blob_size, blob_type, blob_key) VALUES ($1, gen_random_uuid(), 1, 'image/jpeg', 'k') RETURNING blob_id)
       INSERT INTO file (tenant_id, file_id, file_repo, repo_type, file_name, file_type, file_kind, file_size, file_provider_id, file_bucket, file_folder, file_current_version, file_blob, file_processing)
       SELECT $1, gen_random_uuid(), '{"media": true}', 'media', 'f' || n || '.jpg', 'image/jpeg', 'image', 1, $1, 'b', 'f', gen_random_uuid(), blob_id, 'ready' FROM b, generate_series(1, 11000) n`,
      [workspace.tenant_id],
    );
    await api.sql('ANALYZE file');
    const first = (await workspace.owner.client.get('/albums?limit=1000').expect(200)).body as {
      data: { album_id: string; album_file_count: number; album_file_count_exact: boolean }[];
      has_more: boolean;
      next_cursor: string;
    };
    expect(first.data).toHaveLength(50);
    expect(first.data[0]).toMatchObject({ album_file_count: 10_000, album_file_count_exact: false });
    expect(first.has_more).toBe(true);
    const { data, has_more } = (await workspace.owner.client.get('/albums').query({ limit: 1000, cursor: first.next_cursor }).expect(200))
      .body as typeof first;
    expect(has_more).toBe(false);
    expect(new Set([...first.data, ...data].map(({ album_id }) => album_id)).size).toBe(60);
  }, 240_000);
});

describe('a page of smart albums', () => {
  it('costs the same number of statements for 50 rows with 20 smart ones as for 5', async () => {
    const workspace = await api.workspace();
    await storeFile(api, workspace, { kind: 'image', name: 'a.jpg' });
    const smart = (where: object, album_name: string) =>
      workspace.owner.client.post('/albums/smart', { album_name, query_search: { where } }).expect(201);
    for (let i = 0; i < 50; i++) {
      if (i % 5 < 2)
        await smart(
          {
            all: [
              { field: 'kind', op: 'eq', value: 'image' },
              { field: 'file_name', op: 'contains', value: i % 2 ? 'jpg' : 'png' },
            ],
          },
          `Smart ${i}`,
        );
      else await workspace.owner.client.post('/albums', { album_name: `Curated ${i}` }).expect(201);
    }
    const counter = new MessageCounter(api);
    try {
      const statementsFor = async (limit: number): Promise<number> => {
        counter.reset();
        expect((await workspace.owner.client.get(`/albums?limit=${limit}`).expect(200)).body.data).toHaveLength(limit);
        return counter.texts.filter((text) => /FROM (file|album|file_tag|saved_search)\b/.test(text)).length;
      };
      await statementsFor(5);
      const five = await statementsFor(5);
      expect(await statementsFor(50)).toBe(five);
      expect((await workspace.owner.client.get('/albums?album_smart=true&limit=50').expect(200)).body.data).toHaveLength(20);
      expect((await workspace.owner.client.get('/albums/stats').expect(200)).body).toEqual({
        count: 50,
        smart: 20,
        curated: 30,
        empty: 30,
        top_level: 50,
      });
    } finally {
      counter.close();
    }
  });
});
