import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { storeFile } from '../files/stored-files';
import { sharedAtrium } from '../support/shared-atrium';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const document = async (name = 'note.txt'): Promise<string> => (await storeFile(api, ours, { repo: 'docs', name })).file_id;
const type = async (body: object): Promise<string> =>
  (await ours.owner.client.post('/document-relation-types', body).expect(201)).body.rt_id as string;
const link = (id: string, body: object) => ours.owner.client.post(`/documents/${id}/relations`, body);
const links = async (
  id: string,
  query = '',
): Promise<{ rel_id: string; label: string; direction: string; document: { file_id: string } }[]> =>
  (await ours.owner.client.get(`/documents/${id}/relations${query}`).expect(200)).body.data;

describe('relation types', () => {
  it('[documents 13] are unique in any case, read from both ends, and take their links with them', async () => {
    const { client } = ours.owner;
    const rt_id = await type({ rt_name: 'supersedes', rt_inverse_name: 'is superseded by' });
    expect((await client.post('/document-relation-types', { rt_name: 'SUPERSEDES' }).expect(409)).body).toMatchObject({
      code: 'already_exists',
    });
    const like = await type({ rt_name: 'is like', rt_symmetric: true });
    await client.post('/document-relation-types', { rt_name: 'x', rt_symmetric: true, rt_inverse_name: 'y' }).expect(400);

    const [a, b] = [await document('a.txt'), await document('b.txt')];
    const made = (await link(a, { rel_type: like, document_id: b }).expect(201)).body;
    expect((await link(b, { rel_type: like, document_id: a, rel_metadata: { page: 1 } }).expect(200)).body).toMatchObject({
      rel_id: made.rel_id,
      rel_metadata: {},
    });

    await link(a, { rel_type: rt_id, document_id: b }).expect(201);
    expect(await links(a, `?rel_type=${rt_id}`)).toMatchObject([{ label: 'supersedes', direction: 'from', document: { file_id: b } }]);
    expect(await links(b, `?rel_type=${rt_id}`)).toMatchObject([{ label: 'is superseded by', direction: 'to', document: { file_id: a } }]);
    expect(await links(b, '?direction=from')).toEqual([]);
    expect((await client.get(`/documents/${a}`).expect(200)).body.file_relation_count).toBe(1);

    await client.put(`/document-relation-types/${rt_id}`, { rt_name: 'replaces' }).expect(200);
    expect(await links(b, `?rel_type=${rt_id}`)).toMatchObject([{ label: 'replaces' }]);
    expect((await client.get('/document-relation-types?rt_name=repl').expect(200)).body.data).toMatchObject([
      { rt_id, rt_link_count: 1, rt_inverse_name: null },
    ]);
    await client.delete(`/document-relation-types/${rt_id}`).expect(204);
    expect(await links(a, `?rel_type=${rt_id}`)).toEqual([]);
    expect(await links(a)).toHaveLength(1);
    await client.get(`/documents/${a}`).expect(200);
  });

  it('[documents 14] that become symmetric join links in both directions, and keep the older', async () => {
    const rt_id = await type({ rt_name: 'cites', rt_inverse_name: 'is cited by' });
    const [a, b] = [await document('a.txt'), await document('b.txt')];
    const older = (await link(b, { rel_type: rt_id, document_id: a }).expect(201)).body.rel_id;
    await link(a, { rel_type: rt_id, document_id: b }).expect(201);
    await ours.owner.client.put(`/document-relation-types/${rt_id}`, { rt_name: 'cites', rt_symmetric: true }).expect(200);
    expect(await links(a)).toMatchObject([{ rel_id: older, label: 'cites' }]);
    expect((await link(a, { rel_type: rt_id, document_id: b }).expect(200)).body.rel_id).toBe(older);
  });

  it('are managed by those who hold the permission, and stay in their workspace', async () => {
    const rt_id = await type({ rt_name: 'cites' });
    const viewer = await ours.member('viewer');
    await viewer.client.get(`/document-relation-types/${rt_id}`).expect(200);
    await viewer.client.post('/document-relation-types', { rt_name: 'x' }).expect(403);
    await viewer.client.put(`/document-relation-types/${rt_id}`, { rt_name: 'x' }).expect(403);
    await viewer.client.delete(`/document-relation-types/${rt_id}`).expect(403);
    const theirs = (await api.workspace(['module-documents'])).owner.client;
    await theirs.get(`/document-relation-types/${rt_id}`).expect(404);
    await theirs.put(`/document-relation-types/${rt_id}`, { rt_name: 'x' }).expect(404);
    await theirs.delete(`/document-relation-types/${rt_id}`).expect(404);
    expect((await theirs.get('/document-relation-types').expect(200)).body.data).toEqual([]);
  });

  it('created twice at once exist once', async () => {
    const answers = await Promise.all([1, 2].map(() => ours.owner.client.post('/document-relation-types', { rt_name: 'once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('links', () => {
  it('are made once however many ask at once', async () => {
    const rel_type = await type({ rt_name: 'cites' });
    const [a, b] = [await document('a.txt'), await document('b.txt')];
    const answers = await Promise.all([1, 2].map(() => link(a, { rel_type, document_id: b })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(new Set(answers.map(({ body }) => body.rel_id as string)).size).toBe(1);
  });

  it('are refused to the document itself, to unknown ends and types, and across workspaces', async () => {
    const rel_type = await type({ rt_name: 'cites' });
    const [a, media] = [await document('a.txt'), (await storeFile(api, ours, {})).file_id];
    const b = await document('b.txt');
    await link(a, { rel_type, document_id: a }).expect(400);
    await link(a, { rel_type, document_id: newId() }).expect(400);
    await link(a, { rel_type, document_id: media }).expect(400);
    await link(a, { rel_type: newId(), document_id: b }).expect(400);
    const made = (await link(a, { rel_type, document_id: b }).expect(201)).body.rel_id as string;
    const theirs = (await api.workspace(['module-documents'])).owner.client;
    await theirs.get(`/documents/${a}/relations`).expect(404);
    await theirs.post(`/documents/${a}/relations`, { rel_type, document_id: b }).expect(404);
    await theirs.delete(`/documents/${a}/relations/${made}`).expect(404);
    await ours.owner.client.delete(`/documents/${await document('c.txt')}/relations/${made}`).expect(404);
    const viewer = await ours.member('viewer');
    await viewer.client.post(`/documents/${a}/relations`, { rel_type, document_id: b }).expect(403);
    await viewer.client.delete(`/documents/${a}/relations/${made}`).expect(403);
    await ours.owner.client.delete(`/documents/${b}/relations/${made}`).expect(204);
    expect(await links(a)).toEqual([]);
  });

  it('are hidden while an end is in the trash or closed to the reader, shown with a deprecated one, and gone with a purged one', async () => {
    const rel_type = await type({ rt_name: 'cites' });
    const [a, b] = [await document('a.txt'), await document('b.txt')];
    const { client } = ours.owner;
    await link(a, { rel_type, document_id: b }).expect(201);
    await client.post(`/documents/${b}/deprecate`, {}).expect(200);
    expect(await links(a)).toMatchObject([{ document: { file_id: b, file_deprecated: true } }]);
    await client.delete(`/files/${b}`).expect(204);
    expect(await links(a)).toEqual([]);
    expect((await client.get(`/documents/${a}`).expect(200)).body.file_relation_count).toBe(0);
    await client.post(`/files/${b}/restore`).expect(200);
    expect(await links(a)).toHaveLength(1);

    const other = await ours.member('admin');
    const folder = await client
      .post('/document-folders', { album_name: 'Board', album_acl: { users: { [ours.owner.user_id]: 'owner' } } })
      .expect(201);
    await client.post(`/document-folders/${folder.body.album_id}/files`, { file_ids: [b] }).expect(200);
    expect((await other.client.get(`/documents/${a}/relations`).expect(200)).body.data).toEqual([]);
    expect((await other.client.get(`/documents/${a}`).expect(200)).body.file_relation_count).toBe(0);
    await other.client.post(`/documents/${a}/relations`, { rel_type, document_id: b }).expect(400);

    await client.delete(`/files/${b}`).expect(204);
    await client.post('/files/actions/purge', { file_ids: [b] }).expect(200);
    expect(await api.sql('SELECT 1 FROM document_relation WHERE tenant_id = $1', [ours.tenant_id])).toEqual([]);
  });
});
