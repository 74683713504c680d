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
