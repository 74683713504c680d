import { RoutePolicies } from '@atrium/platform/access';
import { newId } from '@atrium/platform/kernel';
import type { Member, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile, type StoredFile } from '../files/stored-files';
import { startAtrium } from '../support/api';

/** What every route that takes the id of a file in its path is asked with, by someone who may do everything but see that file. */
const BODIES: Readonly<Record<string, object | null>> = {
  'GET /files/:id': null,
  'PUT /files/:id': { file_name: 'other.txt' },
  'DELETE /files/:id': null,
  'POST /files/:id/analysis': { fa_schema: newId() },
  'GET /files/:id/analysis': null,
  'PUT /files/:id/content': { content: 'other' },
  'POST /files/:id/copy-to-media': {},
  'GET /files/:id/download-url': null,
  'PATCH /files/:id/favorite': {},
  'GET /files/:id/font-data': null,
  'GET /files/:id/history': null,
  'POST /files/:id/hold': { lh_reason: 'a letter' },
  'DELETE /files/:id/hold': null,
  'GET /files/:id/image-data': null,
  'PUT /files/:id/media-tags': { media_tags: { Topic: ['x'] } },
  'POST /files/:id/move': { file_repo: { library: ['media'] } },
  'GET /files/:id/publication': null,
  'POST /files/:id/publication': { distribution: 'worldwide' },
  'DELETE /files/:id/publication': null,
  'PUT /files/:id/publication/draft': { distribution: 'worldwide' },
  'DELETE /files/:id/publication/draft': null,
  'POST /files/:id/publication/draft/apply': {},
  'POST /files/:id/publication/retry': {},
  'GET /files/:id/references': null,
  'POST /files/:id/release': {},
  'POST /files/:id/restore': {},
  'GET /files/:id/similar': null,
  'GET /files/:id/statuses': null,
  'GET /files/:id/versions': null,
  'POST /files/:id/versions': { file_name: 'next.txt', file_size: 4 },
  'GET /files/:id/versions/:version_id': null,
  'PATCH /files/:id/versions/:version_id': { fv_note: 'seen' },
  'DELETE /files/:id/versions/:version_id': null,
  'GET /files/:id/versions/:version_id/download-url': null,
  'POST /files/:id/versions/:version_id/restore': {},
  'GET /media-files/:id': null,
  'GET /documents/:id': null,
  'GET /documents/:id/markdown': null,
  'GET /documents/:id/passages': null,
  'POST /documents/:id/extract': {},
  'POST /documents/:id/deprecate': {},
  'POST /documents/:id/restore': {},
  'GET /documents/:id/relations': null,
  'POST /documents/:id/relations': { rel_type: newId(), document_id: newId() },
  'DELETE /documents/:id/relations/:relation_id': null,
};

/** Routes that take ids of files in their bodies: what they answer when all of them are closed to the caller. */
const MANY: Readonly<Record<string, (id: string) => { readonly body: object; readonly answer: object }>> = {
  'POST /files/actions/delete': (id) => ({
    body: { file_ids: [id] },
    answer: { data: [{ file_id: id, outcome: 'skipped', code: 'not_found' }] },
  }),
  'POST /files/actions/restore': (id) => ({
    body: { file_ids: [id] },
    answer: { data: [{ file_id: id, outcome: 'skipped', code: 'not_found' }] },
  }),
  'POST /files/actions/purge': (id) => ({
    body: { file_ids: [id] },
    answer: { data: [{ file_id: id, outcome: 'skipped', code: 'not_found' }] },
  }),
  'POST /files/actions/media-tags': (id) => ({ body: { file_ids: [id], add: { Topic: ['x'] } }, answer: { updated: 0, skipped: 1 } }),
  'POST /documents/actions/tag': (id) => ({ body: { file_ids: [id], add: { Topic: ['x'] } }, answer: { changed: 0, skipped: [id] } }),
  'POST /files/actions/move': (id) => ({
    body: { file_ids: [id], file_repo: { library: ['media'] } },
    answer: { data: [{ file_id: id, outcome: 'skipped', code: 'not_found' }] },
  }),
};

const SHARED_PREFIXES = ['/files/:id', '/media-files/:id', '/documents/:id'];

let api: RunningApi;
let workspace: TestWorkspace;
let excluded: Member;
let file: StoredFile;
let open: StoredFile;
let routes: readonly { readonly method: string; readonly path: string }[];

beforeAll(async () => {
  api = await startAtrium();
  workspace = await api.workspace(['module-documents', 'module-publication']);
  excluded = await workspace.member('owner');
  [file, open] = [
    await storeFile(api, workspace, { repo: 'docs', name: 'closed.txt', read: true }),
    await storeFile(api, workspace, { repo: 'docs', name: 'open.txt' }),
  ];
  const folder = await workspace.owner.client
    .post('/document-folders', { album_name: 'Board', album_acl: { users: { [workspace.owner.user_id]: 'owner' } } })
    .expect(201);
  await workspace.owner.client.post(`/document-folders/${folder.body.album_id}/files`, { file_ids: [file.file_id] }).expect(200);
  routes = api.app
    .get(RoutePolicies, { strict: false })
    .listRoutes()
    .map(({ method, path }) => ({ method, path: path.replace(/^\/?(api\/v1)?/, '') }));
});
afterAll(() => api.close());

const call = (method: string, path: string, body: object | null) => {
  const { client } = excluded;
  if (method === 'GET') return client.get(path);
  if (method === 'DELETE') return client.delete(path);
  if (method === 'PUT') return client.put(path, body ?? {});
  return method === 'PATCH' ? client.patch(path, body ?? {}) : client.post(path, body ?? {});
};

describe('[documents 15] a document in a folder that is closed to the caller', () => {
  it('answers 404 on every route that takes the id of a file, like a file that is not there', async () => {
    const taking = routes
      .filter(({ path }) => SHARED_PREFIXES.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))
      .map(({ method, path }) => `${method} ${path}`);
    expect([...taking].sort()).toEqual(Object.keys(BODIES).sort());
    const answers: Record<string, number> = {};
    for (const [route, body] of Object.entries(BODIES)) {
      const [method = '', path = ''] = route.split(' ');
      const address = path.replace(':id', file.file_id).replace(':version_id', file.fv_id).replace(':relation_id', newId());
      answers[route] = (await call(method, address, body)).status;
    }
    expect(Object.entries(answers).filter(([, status]) => status !== 404)).toEqual([]);
    expect((await workspace.owner.client.get(`/documents/${file.file_id}`).expect(200)).body).toMatchObject({ file_name: 'closed.txt' });
  });

  it('is passed over where it is one of many, like an id that names nothing', async () => {
    for (const [route, asked] of Object.entries(MANY)) {
      const { body, answer } = asked(file.file_id);
      const [method = '', path = ''] = route.split(' ');
      expect({ route, body: (await call(method, path, body).expect(200)).body as object }).toMatchObject({ route, body: answer });
    }
    await excluded.client.post('/files/actions/download', { file_ids: [file.file_id], size: 'original' }).expect((answer) => {
      expect(answer.status).not.toBe(200);
    });
  });

  it('is in no list, count, name search or trash, and no upload reveals its bytes', async () => {
    const ids = async (path: string): Promise<string[]> =>
      ((await excluded.client.get(path).expect(200)).body as { data: { file_id: string }[] }).data.map(({ file_id }) => file_id);
    expect(await ids('/documents?lifecycle=all')).toEqual([open.file_id]);
    expect(await ids(`/documents?file_id=${file.file_id}`)).toEqual([]);
    expect(await ids('/files?repo_type=docs')).toEqual([open.file_id]);
    expect(await ids('/files/search?q=closed')).toEqual([]);
    expect((await excluded.client.get('/documents/formats').expect(200)).body.data).toEqual([{ format: 'txt', count: 1 }]);
    const checked = await excluded.client.post('/uploads/check', {
      file_repo: { library: ['docs'] },
      items: [{ file_hash: file.hash, file_size: 41 }],
    });
    expect(JSON.stringify(checked.body)).not.toContain(file.file_id);
    await workspace.owner.client.delete(`/files/${file.file_id}`).expect(204);
    expect(await ids('/files/trash?repo_type=docs')).toEqual([]);
    expect(await ids('/files/trash')).toEqual([]);
    await excluded.client.post(`/files/${file.file_id}/restore`).expect(404);
    await workspace.owner.client.post(`/files/${file.file_id}/restore`).expect(200);
  });
});

describe('a document in a folder that lets the caller look only', () => {
  it('is read and downloaded, and refused with 403 where it would be changed', async () => {
    const reader = await workspace.member('admin');
    const document = await storeFile(api, workspace, { repo: 'docs', name: 'minutes.txt' });
    const folder = await workspace.owner.client
      .post('/document-folders', {
        album_name: 'Minutes',
        album_acl: { users: { [workspace.owner.user_id]: 'owner', [reader.user_id]: 'view' } },
      })
      .expect(201);
    await workspace.owner.client.post(`/document-folders/${folder.body.album_id}/files`, { file_ids: [document.file_id] }).expect(200);
    await reader.client.get(`/documents/${document.file_id}`).expect(200);
    await reader.client.get(`/files/${document.file_id}/download-url`).expect(200);
    await reader.client.put(`/files/${document.file_id}`, { file_name: 'mine.txt' }).expect(403);
    await reader.client.delete(`/files/${document.file_id}`).expect(403);
    await reader.client.post(`/documents/${document.file_id}/deprecate`, {}).expect(403);
    await reader.client.put(`/files/${document.file_id}/media-tags`, { media_tags: { Topic: ['x'] } }).expect(403);
    expect(
      (await reader.client.post('/documents/actions/tag', { file_ids: [document.file_id], add: { Topic: ['x'] } }).expect(200)).body,
    ).toEqual({
      changed: 0,
      skipped: [document.file_id],
    });
  });
});
