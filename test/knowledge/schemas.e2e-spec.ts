import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addRecord, BRAND_VOICE, FAQ, indexed, makeBase, makeFormBase, PRODUCT, readRecord, search, titles, type Base } from './bases';

interface Schema {
  readonly form_id: string;
  readonly form_name: string;
  readonly form_managed_by: string | null;
  readonly form_config: { readonly fields: readonly { readonly key: string }[] };
  readonly form_migration: { readonly status: string } | null;
}

const TEMPLATES = ['Article', 'Brand voice', 'Contact', 'FAQ', 'Glossary', 'Policy', 'Product', 'Troubleshooting'];

let api: RunningApi;
let ours: TestWorkspace;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace();
});
afterAll(() => api.close());

const list = async (query = ''): Promise<Schema[]> =>
  ((await ours.owner.client.get(`/knowledge-base-schemas${query}`).expect(200)).body as { data: Schema[] }).data;
const read = async (form_id: string): Promise<Schema> =>
  (await ours.owner.client.get(`/knowledge-base-schemas/${form_id}`).expect(200)).body as Schema;
const fork = async ({ ds_id }: Base, form_name = 'Own'): Promise<Schema> =>
  (await ours.owner.client.post(`/knowledge-bases/${ds_id}/schema/fork`, { form_name }).expect(201)).body as Schema;
const followed = (form_id: string): Promise<Schema> =>
  eventually(
    () => read(form_id),
    ({ form_migration }) => form_migration === null || form_migration.status === 'done',
  );

describe('standard templates', () => {
  it('are there in every workspace under the same ids, and read only', async () => {
    const templates = await list('?template=true&sort=form_name');
    expect(templates.map(({ form_name }) => form_name)).toEqual(TEMPLATES);
    expect((await ours.owner.client.patch(`/knowledge-base-schemas/${FAQ}`, { form_name: 'x' }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    expect((await ours.owner.client.delete(`/knowledge-base-schemas/${FAQ}`).expect(409)).body.code).toBe('invalid_state');
    expect(await list('?template=false')).toEqual([]);
  });
});

describe('schemas of a workspace', () => {
  it('are created, changed and deactivated by those who hold the permission', async () => {
    const { client } = ours.owner;
    const form_config = { title: 'name', fields: [{ key: 'name', type: 'text', label: 'Name', required: true }] };
    const { form_id } = (await client.post('/knowledge-base-schemas', { form_name: 'Berth', form_config }).expect(201)).body as Schema;
    expect((await client.post('/knowledge-base-schemas', { form_name: 'BERTH', form_config }).expect(409)).body.code).toBe(
      'already_exists',
    );
    const wrong = await client.post('/knowledge-base-schemas', { form_name: 'x', form_config: { fields: [{ key: 'X' }] } }).expect(400);
    expect(wrong.body.errors[0].path).toBe('form_config.fields[0].key');
    const viewer = (await ours.member('viewer')).client;
    await viewer.get(`/knowledge-base-schemas/${form_id}`).expect(200);
    await viewer.post('/knowledge-base-schemas', { form_name: 'x', form_config }).expect(403);
    await viewer.patch(`/knowledge-base-schemas/${form_id}`, { form_name: 'x' }).expect(403);
    await viewer.delete(`/knowledge-base-schemas/${form_id}`).expect(403);
    const nobody = (await ours.member('owner', ['media:view'])).client;
    await nobody.get('/knowledge-base-schemas').expect(403);
    await nobody.get(`/knowledge-base-schemas/${form_id}`).expect(403);

    const { ds_id } = await makeFormBase(client, form_id);
    const { rec_id } = await addRecord(client, ds_id, { rec_content: { name: 'One' } });
    const path = `/knowledge-bases/${ds_id}/records`;
    await client.delete(`/knowledge-base-schemas/${form_id}`).expect(204);
    expect((await client.post(path, { rec_content: { name: 'Two' } }).expect(409)).body.code).toBe('invalid_state');
    expect((await client.patch(`${path}/${rec_id}`, { rec_content: { name: 'Two' } }).expect(409)).body.code).toBe('invalid_state');
    await client.patch(`${path}/${rec_id}`, { rec_status: 'archived' }).expect(200);
    expect((await list()).map(({ form_name }) => form_name)).not.toContain('Berth');
    await client.patch(`/knowledge-base-schemas/${form_id}`, { form_active: true }).expect(200);
    await client.patch(`${path}/${rec_id}`, { rec_content: { name: 'Two' } }).expect(200);
  });

  it('[knowledge 3] are forked from a template: the base and all its records follow the copy', async () => {
    const { client } = ours.owner;
    const base = await makeFormBase(client, PRODUCT);
    const kettle = await addRecord(client, base.ds_id, {
      rec_content: { name: 'Kettle', sku: 'K-1', price: { amount: '10', currency: 'EUR' } },
    });
    const gone = await addRecord(client, base.ds_id, { rec_content: { name: 'Pot' } });
    const other = await makeFormBase(client, PRODUCT);
    const pan = await addRecord(client, other.ds_id, {
      rec_content: { name: 'Pan', sku: 'P-1', price: { amount: '9', currency: 'EUR' } },
    });
    await client.delete(`/knowledge-bases/${base.ds_id}/records/${gone.rec_id}`).expect(204);
    const editor = await ours.member('owner', ['knowledge-base:view', 'knowledge-base:edit', 'knowledge-base:write']);
    await editor.client.post(`/knowledge-bases/${base.ds_id}/schema/fork`, { form_name: 'x' }).expect(403);

    const copy = await fork(base, 'Our products');
    expect(copy).toMatchObject({ form_name: 'Our products', form_managed_by: null });
    expect(copy.form_id).not.toBe(PRODUCT);
    expect((await client.get(`/knowledge-bases/${base.ds_id}`).expect(200)).body).toMatchObject({
      form_id: copy.form_id,
      form_name: 'Our products',
      form_managed_by: null,
      ds_config: { form_id: copy.form_id },
    });
    expect(await api.sql('SELECT DISTINCT rec_form FROM knowledge_record WHERE rec_base = $1', [base.ds_id])).toEqual([
      { rec_form: copy.form_id },
    ]);
    const listed = await client.get(`/knowledge-bases/${base.ds_id}/records?rec_content[price][lte]=10`).expect(200);
    expect(listed.body.data).toMatchObject([{ rec_id: kettle.rec_id, rec_form: copy.form_id }]);
    await client.post(`/knowledge-bases/${base.ds_id}/records`, { rec_content: { name: 'Twin', sku: 'K-1' } }).expect(409);

    // Another base of the template stays with it, and so do its records and their values.
    expect((await client.get(`/knowledge-bases/${other.ds_id}`).expect(200)).body).toMatchObject({ form_id: PRODUCT });
    const kept = await client.get(`/knowledge-bases/${other.ds_id}/records?rec_content[price][lte]=10`).expect(200);
    expect(kept.body.data).toMatchObject([{ rec_id: pan.rec_id, rec_form: PRODUCT }]);
    await client.post(`/knowledge-bases/${other.ds_id}/records`, { rec_content: { name: 'Twin', sku: 'P-1' } }).expect(409);

    const { form_config } = await read(copy.form_id);
    const fields = [...form_config.fields, { key: 'colour', type: 'text', label: 'Colour', filterable: true }];
    await client.patch(`/knowledge-base-schemas/${copy.form_id}`, { form_config: { ...form_config, fields } }).expect(200);
    await followed(copy.form_id);
    await client.patch(`/knowledge-bases/${base.ds_id}/records/${kettle.rec_id}`, { rec_content: { colour: 'red' } }).expect(200);
    const red = await client.get(`/knowledge-bases/${base.ds_id}/records?rec_content[colour]=red`).expect(200);
    expect(red.body.data).toHaveLength(1);

    expect((await client.post(`/knowledge-bases/${base.ds_id}/schema/fork`, { form_name: 'y' }).expect(409)).body.code).toBe(
      'invalid_state',
    );
    const fixed = await makeFormBase(client, BRAND_VOICE);
    const refused = await client.post(`/knowledge-bases/${fixed.ds_id}/schema/fork`, { form_name: 'z' }).expect(409);
    expect(refused.body.detail).toContain('Brand voice');
    const text = await makeBase(client);
    expect((await client.post(`/knowledge-bases/${text.ds_id}/schema/fork`, { form_name: 'z' }).expect(409)).body.code).toBe(
      'invalid_state',
    );
  });

  it('are forked once when two ask at once', async () => {
    const { client } = ours.owner;
    const { ds_id } = await makeFormBase(client, FAQ);
    const answers = await Promise.all(['a', 'b'].map((form_name) => client.post(`/knowledge-bases/${ds_id}/schema/fork`, { form_name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe('invalid_state');
    expect(await list('?template=false')).toHaveLength(1);
  });

  it('[knowledge 22] lose a field and get it back: records are readable without it, and found by it again', async () => {
    const { client } = ours.owner;
    const base = await makeFormBase(client, FAQ);
    const { rec_id } = await addRecord(client, base.ds_id, {
      rec_content: { question: 'When?', answer: 'At nine.', variants: ['foghorn schedule'] },
    });
    const { form_id, form_config } = await fork(base);
    await indexed(client, base.ds_id);
    const found = async (): Promise<string[]> => titles(await search(client, base.ds_id, 'foghorn', { mode: 'text' }));
    expect(await found()).toEqual(['When?']);

    const without = { ...form_config, fields: form_config.fields.filter(({ key }) => key !== 'variants') };
    await client.patch(`/knowledge-base-schemas/${form_id}`, { form_config: without }).expect(200);
    expect((await readRecord(client, base.ds_id, rec_id)).rec_content).toEqual({ question: 'When?', answer: 'At nine.' });
    await followed(form_id);
    await indexed(client, base.ds_id);
    expect(await found()).toEqual([]);

    await client.patch(`/knowledge-base-schemas/${form_id}`, { form_config }).expect(200);
    expect((await readRecord(client, base.ds_id, rec_id)).rec_content.variants).toEqual(['foghorn schedule']);
    await followed(form_id);
    await indexed(client, base.ds_id);
    expect(await found()).toEqual(['When?']);
  });
});
