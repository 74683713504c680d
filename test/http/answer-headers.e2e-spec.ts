import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { upload } from '../files/uploading';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let workspace: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
  workspace = await api.workspace();
});
afterAll(() => api.close());

const SAFE = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  vary: 'Authorization, X-Api-Key, X-Tenant-Id, Accept-Encoding',
};

describe('an answer', () => {
  it('of data is private to its caller, and says so to caches and browsers', async () => {
    const { headers } = await workspace.owner.client.get('/roles').expect(200);
    expect(headers).toMatchObject({ ...SAFE, 'cache-control': 'private, no-cache' });
    const foreign = await workspace.owner.client.with({ Origin: 'https://shop.example' }).get('/roles').expect(200);
    expect(foreign.headers['access-control-allow-origin']).toBe('*');
  });

  it('with a secret or signed addresses is kept by nobody', async () => {
    const { client, user_id } = workspace.owner;
    const { file_id } = await upload(client, 'harbour.txt', Buffer.from('harbour'));
    const { upl_id } = (await client.post('/uploads', { file_repo: { library: ['media'] }, file_name: 'x.txt', file_size: 1 }).expect(201))
      .body as { upl_id: string };
    const answers = [
      await client.post('/admin/api-keys', { key_name: 'New', key_user: user_id }),
      await client.get(`/uploads/${upl_id}`),
      await client.get(`/files/${file_id}/download-url`),
      await client.get('/media-files'),
    ];
    expect(answers.map(({ status, headers }) => [status, headers['cache-control']])).toEqual([
      [201, 'no-store'],
      [200, 'no-store'],
      [200, 'no-store'],
      [200, 'no-store'],
    ]);
  });

  it('that is a problem is kept by nobody', async () => {
    const { headers } = await workspace.owner.client.get('/nowhere').expect(404);
    expect(headers).toMatchObject({ ...SAFE, 'cache-control': 'no-store' });
  });
});

describe('an If-Match that is no ETag', () => {
  it.each(['7', 'yesterday', '"1", 2', 'W/"1"', '"one"'])('%s is refused on every operation that changes something', async (header) => {
    const { client } = workspace.owner;
    const { album_id } = (await client.post('/albums', { album_name: 'Matched' }).expect(201)).body as { album_id: string };
    const asking = client.with({ 'If-Match': header });
    const answers = [
      await asking.patch(`/albums/${album_id}`, { album_name: 'x' }),
      await asking.delete(`/albums/${album_id}`),
      await asking.patch('/admin/credits', {}),
      await asking.put('/distribution/baseline', { restrictions: [] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([412, 412, 412, 412]);
    await client.get(`/albums/${album_id}`).expect(200);
  });
});
