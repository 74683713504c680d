import { newId } from '@atrium/platform/kernel';
import type { RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtrium } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { addRecord, addText, BRAND_VOICE, FAQ, makeBase, makeFormBase } from './bases';

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtrium();
});
beforeEach(async () => {
  ours = await api.workspace(['module-documents']);
});
afterAll(() => api.close());

const names = async (query = '', client = ours.owner.client): Promise<string[]> =>
  ((await client.get(`/knowledge-bases${query}`).expect(200)).body as { data: { ds_name: string }[] }).data.map(({ ds_name }) => ds_name);

describe('knowledge bases', () => {
  it('[knowledge 4] have names of their own in any case; a deleted one frees its name, and cannot come back while it is taken', async () => {
    const { client } = ours.owner;
    const first = await makeBase(client, { ds_name: 'Manuals' });
    expect((await client.post('/knowledge-bases', { ds_name: 'MANUALS' }).expect(409)).body.code).toBe('already_exists');
    await client.delete(`/knowledge-bases/${first.ds_id}`).expect(204);
    const second = await makeBase(client, { ds_name: 'manuals' });
    expect((await client.post(`/knowledge-bases/${first.ds_id}/restore`).expect(409)).body.code).toBe('already_exists');
    await client.patch(`/knowledge-bases/${second.ds_id}`, { ds_name: 'Guides' }).expect(200);
    expect((await client.post(`/knowledge-bases/${first.ds_id}/restore`).expect(200)).body).toMatchObject({
      ds_id: first.ds_id,
      ds_active: true,
    });
    expect((await client.post(`/knowledge-bases/${first.ds_id}/restore`).expect(409)).body.code).toBe('invalid_state');
    expect((await client.patch(`/knowledge-bases/${second.ds_id}`, { ds_name: 'MANUALS' }).expect(409)).body.code).toBe('already_exists');
  });

  it('of one name created at once are one', async () => {
    const answers = await Promise.all([1, 2].map(() => ours.owner.client.post('/knowledge-bases', { ds_name: 'Once' })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  it('show what they hold and what the caller may do', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, FAQ);
    await addRecord(client, ds_id, { rec_content: { question: 'When?', answer: 'At nine.' } });
    const gone = await addRecord(client, ds_id, { rec_content: { question: 'Where?', answer: 'Here.' } });
    await client.delete(`/knowledge-bases/${ds_id}/records/${gone.rec_id}`).expect(204);
    const answer = await client.get(`/knowledge-bases/${ds_id}`).expect(200);
    expect(answer.body).toMatchObject({
      ds_type: 'form',
      form_id: FAQ,
      form_name: 'FAQ',
      form_managed_by: '00000000-0000-4000-8000-000000000001',
      ds_record_count: 1,
      ds_file_count: 0,
      ds_pending_count: 1,
      ds_failed_count: 0,
      ds_access: 'owner',
    });
    expect(answer.body).not.toHaveProperty('ds_acl');
    const viewer = await ours.member('viewer');
    expect((await viewer.client.get(`/knowledge-bases/${ds_id}`).expect(200)).body.ds_access).toBe('view');
  });

  it('are listed by name, category and state, in the order asked for, page by page', async () => {
    const { client } = ours.owner;
    const gone = await makeBase(client, { ds_name: 'Alpha' });
    for (const ds_name of ['Gamma', 'Beta', 'delta']) await makeBase(client, { ds_name, ds_category: ds_name === 'Beta' ? 'b' : 'other' });
    await client.delete(`/knowledge-bases/${gone.ds_id}`).expect(204);
    expect(await names('?sort=ds_name')).toEqual(['Beta', 'delta', 'Gamma']);
    expect(await names()).toEqual(['delta', 'Beta', 'Gamma']);
    expect(await names('?ds_name=ELT')).toEqual(['delta']);
    expect(await names('?ds_category=b')).toEqual(['Beta']);
    expect(await names('?ds_active=false')).toEqual(['Alpha']);
    const first = (await client.get('/knowledge-bases?sort=ds_name&limit=2').expect(200)).body as { next_cursor: string; data: object[] };
    expect(first.data).toHaveLength(2);
    expect(await names(`?sort=ds_name&limit=2&cursor=${first.next_cursor}`)).toEqual(['Gamma']);
  });

  it('refuse settings that are not valid, naming them', () =>
    inTurn(
      [
        [{ weights: {} }, 'ds_config.weights'],
        [{ retrieval: { similarity_threshold: 1.5 } }, 'ds_config.retrieval.similarity_threshold'],
        [{ retrieval: { top_k: 51 } }, 'ds_config.retrieval.top_k'],
        [{ retrieval: { rerank: true } }, 'ds_config.retrieval.rerank'],
        [{ retrieval: [] }, 'ds_config.retrieval'],
        [{ chunking: { target_tokens: 0 } }, 'ds_config.chunking.target_tokens'],
        [{ chunking: { target_tokens: 100, overlap_tokens: 60 } }, 'ds_config.chunking.overlap_tokens'],
        [{ language: 'english' }, 'ds_config.language'],
        [{ form_id: FAQ }, 'ds_config.form_id'],
      ],
      async (ds_config, path) => {
        const answer = await ours.owner.client.post('/knowledge-bases', { ds_name: 'x', ds_config }).expect(400);
        expect(answer.body.errors[0].path).toBe(path);
      },
    ));

  it('of the type form need an active schema of records', async () => {
    const { client } = ours.owner;
    const create = (ds_config: object) => client.post('/knowledge-bases', { ds_name: 'x', ds_type: 'form', ds_config });
    expect((await create({}).expect(400)).body.errors[0]).toMatchObject({ path: 'ds_config.form_id', code: 'required' });
    expect((await create({ form_id: newId() }).expect(400)).body.errors[0]).toMatchObject({ path: 'ds_config.form_id', code: 'reference' });
    const schema = await client
      .post('/knowledge-base-schemas', { form_name: 'Berth', form_config: { fields: [{ key: 'number', type: 'text', label: 'Number' }] } })
      .expect(201);
    await client.delete(`/knowledge-base-schemas/${schema.body.form_id}`).expect(204);
    expect((await create({ form_id: schema.body.form_id as string }).expect(400)).body.errors[0].code).toBe('reference');
    await create({ form_id: BRAND_VOICE }).expect(201);
  });

  it('keep their type and schema once they have records', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await client.patch(`/knowledge-bases/${ds_id}`, { ds_type: 'form', ds_config: { form_id: FAQ } }).expect(200);
    await client.patch(`/knowledge-bases/${ds_id}`, { ds_config: { retrieval: { top_k: 3 } } }).expect(200);
    expect((await client.get(`/knowledge-bases/${ds_id}`).expect(200)).body).toMatchObject({
      form_id: FAQ,
      ds_config: { form_id: FAQ, retrieval: { top_k: 3 } },
    });
    const record = await addRecord(client, ds_id, { rec_content: { question: 'When?', answer: 'At nine.' } });
    for (const body of [{ ds_type: 'text', ds_config: {} }, { ds_config: { form_id: BRAND_VOICE } }])
      expect((await client.patch(`/knowledge-bases/${ds_id}`, body).expect(409)).body.code).toBe('invalid_state');
    await client.patch(`/knowledge-bases/${ds_id}`, { ds_config: { language: 'en' } }).expect(200);
    await client.delete(`/knowledge-bases/${ds_id}/records/${record.rec_id}`).expect(204);
    await client.patch(`/knowledge-bases/${ds_id}`, { ds_type: 'text', ds_config: {} }).expect(200);
  });

  it('change only for those who have read the present version', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { etag } = (await client.get(`/knowledge-bases/${ds_id}`).expect(200)).headers as { etag: string };
    await client.with({ 'If-Match': etag }).patch(`/knowledge-bases/${ds_id}`, { ds_description: 'One' }).expect(200);
    await client.with({ 'If-Match': etag }).patch(`/knowledge-bases/${ds_id}`, { ds_description: 'Two' }).expect(412);
    await client.with({ 'If-Match': etag }).delete(`/knowledge-bases/${ds_id}`).expect(412);
  });

  it('cannot be restored after 30 days', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    await api.sql(`UPDATE knowledge_base SET ds_deleted = now() - interval '31 days' WHERE ds_id = $1`, [ds_id]);
    expect((await client.post(`/knowledge-bases/${ds_id}/restore`).expect(410)).body.code).toBe('gone');
  });

  it('are at most 1,000 in a workspace, deleted ones aside', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    await client.delete(`/knowledge-bases/${ds_id}`).expect(204);
    await api.sql(
      `INSERT INTO knowledge_base (tenant_id, ds_id, ds_name, ds_type) SELECT $1, gen_random_uuid(), 'Base ' || n, 'text' FROM generate_series(1, 1000) n`,
      [ours.tenant_id],
    );
    expect((await client.post('/knowledge-bases', { ds_name: 'One more' }).expect(409)).body.code).toBe('limit_reached');
    expect((await client.post(`/knowledge-bases/${ds_id}/restore`).expect(409)).body.code).toBe('limit_reached');
  });
});

describe('access to a knowledge base', () => {
  it('is given by its list: unreadable bases are not there, readable ones are not changed', async () => {
    const { client, user_id } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { rec_id } = await addText(client, ds_id, 'Note', 'The pier closes at nine.');
    const [excluded, reader] = [await ours.member('admin'), await ours.member('editor')];
    const acl = { users: { [user_id]: 'owner', [reader.user_id]: 'view' } };
    expect((await client.put(`/knowledge-bases/${ds_id}/access`, { ds_acl: acl }).expect(200)).body).toEqual({ ds_acl: acl });

    const base = `/knowledge-bases/${ds_id}`;
    const record = `${base}/records/${rec_id}`;
    const reads = ['', '/access', '/files', '/records', `/records/${rec_id}`];
    for (const path of reads) await excluded.client.get(base + path).expect(404);
    await excluded.client.post(`${base}/search`, { query: 'pier' }).expect(404);
    expect(await names('', excluded.client)).toEqual([]);

    for (const path of reads) await reader.client.get(base + path).expect(200);
    await reader.client.post(`${base}/search`, { query: 'pier' }).expect(200);
    await reader.client.patch(base, { ds_description: 'x' }).expect(403);
    await reader.client.put(`${base}/access`, { ds_acl: {} }).expect(403);
    await reader.client.post(`${base}/records`, { rec_name: 'x', rec_content: { body: 'x' } }).expect(403);
    await reader.client.patch(record, { rec_name: 'x' }).expect(403);
    await reader.client.delete(record).expect(403);
    await reader.client.post(`${base}/files`, { file_ids: [newId()] }).expect(403);
    await reader.client.delete(`${base}/files`, { file_ids: [newId()] }).expect(403);
    await reader.client.delete(base).expect(403);

    await client.put(`${base}/access`, { ds_acl: { ...acl, users: { ...acl.users, [reader.user_id]: 'edit' } } }).expect(200);
    await reader.client.patch(record, { rec_name: 'x' }).expect(200);
    await reader.client.delete(base).expect(403);
  });

  it('keeps an owner, and names its subjects by their ids', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    for (const ds_acl of [{ users: { [ours.owner.user_id]: 'view' } }, { teams: {} }, { users: { me: 'owner' } }])
      await client.put(`/knowledge-bases/${ds_id}/access`, { ds_acl }).expect(400);
  });

  it('is refused to those without the permission', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeBase(client);
    const { rec_id } = await addText(client, ds_id, 'Note', 'The pier closes at nine.');
    const viewer = (await ours.member('viewer')).client;
    const nobody = (await ours.member('owner', ['media:view'])).client;
    const base = `/knowledge-bases/${ds_id}`;
    for (const path of ['/knowledge-bases', base, `${base}/access`, `${base}/files`, `${base}/records`, `${base}/records/${rec_id}`])
      await nobody.get(path).expect(403);
    await nobody.post(`${base}/search`, { query: 'x' }).expect(403);
    await viewer.post('/knowledge-bases', { ds_name: 'x' }).expect(403);
    await viewer.patch(base, { ds_name: 'x' }).expect(403);
    await viewer.put(`${base}/access`, { ds_acl: {} }).expect(403);
    await viewer.delete(base).expect(403);
    await viewer.post(`${base}/restore`).expect(403);
    await viewer.post(`${base}/records`, { rec_name: 'x', rec_content: { body: 'x' } }).expect(403);
    await viewer.patch(`${base}/records/${rec_id}`, { rec_name: 'x' }).expect(403);
    await viewer.delete(`${base}/records/${rec_id}`).expect(403);
    await viewer.post(`${base}/files`, { file_ids: [newId()] }).expect(403);
    await viewer.delete(`${base}/files`, { file_ids: [newId()] }).expect(403);
    await viewer.post(`${base}/schema/fork`, { form_name: 'x' }).expect(403);
  });

  it('[knowledge 20] stays in the workspace: every id of it is unknown in another one', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, FAQ);
    const { rec_id } = await addRecord(client, ds_id, { rec_content: { question: 'When?', answer: 'At nine.' } });
    const schema = (await client.post('/knowledge-base-schemas', { form_name: 'Own', form_config: {} }).expect(201)).body.form_id as string;
    const theirs = (await api.workspace(['module-documents'])).owner.client;
    const base = `/knowledge-bases/${ds_id}`;
    for (const path of [base, `${base}/access`, `${base}/files`, `${base}/records`, `${base}/records/${rec_id}`])
      await theirs.get(path).expect(404);
    await theirs.patch(base, { ds_name: 'x' }).expect(404);
    await theirs.put(`${base}/access`, { ds_acl: {} }).expect(404);
    await theirs.delete(base).expect(404);
    await theirs.post(`${base}/restore`).expect(404);
    await theirs.post(`${base}/records`, { rec_content: { question: 'x', answer: 'x' } }).expect(404);
    await theirs.patch(`${base}/records/${rec_id}`, { rec_status: 'draft' }).expect(404);
    await theirs.delete(`${base}/records/${rec_id}`).expect(404);
    await theirs.post(`${base}/files`, { file_ids: [newId()] }).expect(404);
    await theirs.delete(`${base}/files`, { file_ids: [newId()] }).expect(404);
    await theirs.post(`${base}/schema/fork`, { form_name: 'x' }).expect(404);
    await theirs.post(`${base}/search`, { query: 'x' }).expect(404);
    await theirs.get(`/knowledge-base-schemas/${schema}`).expect(404);
    await theirs.patch(`/knowledge-base-schemas/${schema}`, { form_name: 'x' }).expect(404);
    await theirs.delete(`/knowledge-base-schemas/${schema}`).expect(404);
    await theirs.post('/knowledge-bases', { ds_name: 'x', ds_type: 'form', ds_config: { form_id: schema } }).expect(400);
    const own = await makeFormBase(theirs, FAQ);
    await theirs.get(`/knowledge-bases/${own.ds_id}/records/${rec_id}`).expect(404);
    await theirs.post('/uploads', { file_repo: { ds: ds_id }, file_name: 'x.txt', file_size: 1 }).expect(400);
  });
});
