import { newId, Problem } from '@atrium/platform/kernel';
import { ScheduleHost } from '@atrium/platform/messaging';
import { eventually, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { PassageSearch } from '@atrium/retrieval';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, makeTaxonomy } from '../objects/classifying';
import { field } from '../objects/objects';
import { addRecord, FAQ, makeFormBase, readRecord } from './bases';
import { recordsOf, reportOf } from './filling';
import { imported, tableOf } from './importing';

jest.setTimeout(120_000);

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  client = ours.owner.client;
});
afterAll(() => api.close());

const schemaOf = async (fields: readonly object[]): Promise<string> =>
  (
    (await client.post('/knowledge-base-schemas', { form_name: `Schema ${newId()}`, form_config: { title: 'name', fields } }).expect(201))
      .body as { form_id: string }
  ).form_id;
const NAME = field('name', 'text', { required: true });
const SKU = field('sku', 'text', { unique: true, filterable: true });
const claims = (owner_id: string) =>
  api.sql(`SELECT 'unique' FROM form_unique WHERE owner_id = $1 UNION ALL SELECT 'value' FROM form_value WHERE owner_id = $1`, [owner_id]);

describe('unique values of records', () => {
  it('hold within their base, whatever other bases of the schema have', async () => {
    const form_id = await schemaOf([NAME, SKU]);
    const [a, b] = [await makeFormBase(client, form_id), await makeFormBase(client, form_id)];
    await addRecord(client, a.ds_id, { rec_content: { name: 'A', sku: 'K-1' } });
    const { rec_id } = await addRecord(client, b.ds_id, { rec_content: { name: 'B', sku: 'K-1' } });
    await client.post(`/knowledge-bases/${b.ds_id}/records`, { rec_content: { name: 'C', sku: 'K-1' } }).expect(409);
    expect(await imported(client, b.ds_id, { rows: [{ name: 'B2', sku: 'K-1' }], mode: 'upsert', key: 'sku' })).toMatchObject({
      updated: 1,
    });
    expect((await readRecord(client, b.ds_id, rec_id)).rec_name).toBe('B2');
  });

  it('are what cells call records by, where the field and the base are open', async () => {
    const makers = await makeFormBase(client, await schemaOf([NAME, SKU, field('code', 'text', { unique: true, sensitive: true })]));
    const { rec_id } = await addRecord(client, makers.ds_id, { rec_content: { name: 'Alba', sku: 'K-1', code: 'S-1' } });
    const lamps = await makeFormBase(client, await schemaOf([NAME, field('maker', 'record', { base: makers.ds_id })]));
    const rows = ['K-1', 'S-1'].map((maker) => ({ name: `By ${maker}`, maker }));
    expect(await imported(client, lamps.ds_id, { rows })).toMatchObject({ created: 1, failed: 1 });
    expect((await recordsOf(client, lamps.ds_id)).map(({ rec_content }) => rec_content)).toEqual([{ name: 'By K-1', maker: rec_id }]);
    await client.put(`/knowledge-bases/${makers.ds_id}/access`, { ds_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    const { client: editor } = await ours.member('editor');
    expect(await imported(editor, lamps.ds_id, { rows: [{ name: 'Closed', maker: 'K-1' }] })).toMatchObject({ created: 0, failed: 1 });
  });

  it('are counted within bases, and not quoted where a base is closed, when a field becomes unique', async () => {
    const form_id = await schemaOf([NAME, field('sku', 'text')]);
    const [a, b] = [await makeFormBase(client, form_id), await makeFormBase(client, form_id)];
    for (const { ds_id } of [a, b]) await addRecord(client, ds_id, { rec_content: { name: 'A', sku: 'K-1' } });
    await addRecord(client, a.ds_id, { rec_content: { name: 'A2', sku: 'K-1' } });
    await client.put(`/knowledge-bases/${a.ds_id}/access`, { ds_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    const unique = { form_config: { title: 'name', fields: [NAME, SKU] } };
    const answer = await client.patch(`/knowledge-base-schemas/${form_id}`, unique).expect(409);
    expect(answer.body.errors).toMatchObject([{ message: 'A value is stored 2 times.' }]);
  });

  it('and indexed ones go with the record that is purged', async () => {
    const { ds_id } = await makeFormBase(client, await schemaOf([NAME, SKU]));
    const { rec_id } = await addRecord(client, ds_id, { rec_content: { name: 'A', sku: 'K-1' } });
    await client.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    await addRecord(client, ds_id, { rec_content: { name: 'B', sku: 'K-1' } });
    await api.sql(`UPDATE knowledge_record SET rec_updated = now() - interval '31 days' WHERE rec_id = $1`, [rec_id]);
    expect(await claims(rec_id)).not.toEqual([]);
    if (!api.worker) throw new Error('There is no worker.');
    await api.worker.get(ScheduleHost, { strict: false }).runNow('knowledge.purge');
    await eventually(
      () => api.sql('SELECT 1 FROM knowledge_record WHERE rec_id = $1', [rec_id]),
      (rows) => rows.length === 0,
    );
    expect(await claims(rec_id)).toEqual([]);
  });
});

describe('a sensitive field of records', () => {
  it('is opened, and quoted, by those only who may see its values', async () => {
    const form_id = await schemaOf([NAME, field('iban', 'text', { sensitive: true })]);
    const { ds_id } = await makeFormBase(client, form_id);
    for (const name of ['A', 'B']) await addRecord(client, ds_id, { rec_content: { name, iban: 'DE1' } });
    const shaper = (await ours.member('owner', ['knowledge-base:view', 'knowledge-base:schema:edit'])).client;
    const as = (more: object) => ({ form_config: { title: 'name', fields: [NAME, field('iban', 'text', more)] } });
    expect((await shaper.patch(`/knowledge-base-schemas/${form_id}`, as({})).expect(403)).body.code).toBe('permission_denied');
    const unique = await shaper.patch(`/knowledge-base-schemas/${form_id}`, as({ sensitive: true, unique: true })).expect(409);
    expect(unique.body.errors).toMatchObject([{ message: 'A value is stored 2 times.' }]);
    await client.patch(`/knowledge-base-schemas/${form_id}`, as({})).expect(200);
  });
});

describe('a deleted record of a base that has another schema since', () => {
  const CLOSED = [NAME, field('iban', 'long_text', { sensitive: true, filterable: true }), field('code', 'text', { hidden: true })];
  const OPEN = [NAME, field('iban', 'long_text', { filterable: true }), field('code', 'text')];
  const CONTENT = { name: 'Mara', iban: 'DE1', code: 'X-1' };

  async function deleted(form_id: string) {
    const { ds_id } = await makeFormBase(client, form_id);
    const { rec_id } = await addRecord(client, ds_id, { rec_content: CONTENT });
    await client.delete(`/knowledge-bases/${ds_id}/records/${rec_id}`).expect(204);
    return { rec_id, base: `/knowledge-bases/${ds_id}`, read: (by: Client) => readRecord(by, ds_id, rec_id) };
  }
  const listed = async (by: Client, base: string, query = ''): Promise<unknown[]> =>
    ((await by.get(`${base}/records?rec_active=false${query}`).expect(200)).body as { data: { rec_content: object }[] }).data.map(
      ({ rec_content }) => rec_content,
    );

  it.each(['text', 'form'])('is shown by its own schema, by its id and in the list (%s)', async (ds_type) => {
    const { base, read } = await deleted(await schemaOf(CLOSED));
    const viewer = (await ours.member('viewer')).client;
    await client.patch(base, { ds_type, ds_config: ds_type === 'form' ? { form_id: await schemaOf(OPEN) } : {} }).expect(200);
    for (const [by, iban] of [
      [viewer, '•••'],
      [client, 'DE1'],
    ] as const) {
      expect((await read(by)).rec_content).toEqual({ name: 'Mara', iban });
      expect(await listed(by, base)).toEqual([{ name: 'Mara', iban }]);
    }
  });

  it('is listed beside records without a schema and those of others', async () => {
    const { base } = await deleted(await schemaOf(CLOSED));
    await client.patch(base, { ds_type: 'text', ds_config: {} }).expect(200);
    const { rec_id } = (await client.post(`${base}/records`, { rec_name: 'Note', rec_content: { body: 'Plain.' } }).expect(201)).body as {
      rec_id: string;
    };
    await client.delete(`${base}/records/${rec_id}`).expect(204);
    await client.patch(base, { ds_type: 'form', ds_config: { form_id: await schemaOf(OPEN) } }).expect(200);
    const viewer = (await ours.member('viewer')).client;
    expect(await listed(viewer, base, '&sort=rec_created')).toEqual([{ name: 'Mara', iban: '•••' }, { body: 'Plain.' }]);
  });

  it('is not found by fields of the other schema', async () => {
    const { base } = await deleted(await schemaOf(CLOSED));
    await client.patch(base, { ds_config: { form_id: await schemaOf(OPEN) } }).expect(200);
    const viewer = (await ours.member('viewer')).client;
    expect(await listed(viewer, base, '&rec_content[iban][contains]=DE')).toEqual([]);
  });

  it('keeps its schema when the one of its base is forked', async () => {
    const { base, read } = await deleted(await schemaOf(CLOSED));
    const before = await read(client);
    await client.patch(base, { ds_config: { form_id: FAQ } }).expect(200);
    await client.post(`${base}/schema/fork`, { form_name: `Fork ${newId()}` }).expect(201);
    expect(await read(client)).toEqual(before);
  });
});

describe('automatic numbers of records', () => {
  it('are left out by no record that is refused', async () => {
    const { ds_id } = await makeFormBase(client, await schemaOf([NAME, SKU, field('no', 'auto_number')]));
    const rows = ['K-1', 'K-1', 'K-2'].map((sku, at) => ({ name: `R${at}`, sku }));
    expect(await imported(client, ds_id, { rows, mode: 'insert' })).toMatchObject({ created: 2, failed: 1 });
    const { rec_content } = await addRecord(client, ds_id, { rec_content: { name: 'R3', sku: 'K-3' } });
    expect(rec_content['no']).toBe(3);
  });
});

describe('an export of records with closed values', () => {
  const exported = async (ds_id: string, format: string): Promise<string> => {
    const { download_url } = (await client.post(`/knowledge-bases/${ds_id}/export`, { format }).expect(200)).body as {
      download_url: string;
    };
    return (await fetch(download_url)).text();
  };

  it.each(['jsonl', 'csv'])(
    'as %s is read again as equal records by those who may see them: values, status, validity, metadata',
    async (format) => {
      const form_id = await schemaOf([NAME, field('iban', 'text', { sensitive: true }), field('pay', 'number', { sensitive: true })]);
      const [from, to] = [await makeFormBase(client, form_id), await makeFormBase(client, form_id)];
      await addRecord(client, from.ds_id, {
        rec_content: { name: 'Mara', iban: 'DE1', pay: 98.5 },
        rec_status: 'draft',
        rec_valid_from: '2026-01-01T00:00:00.000Z',
        rec_valid_until: '2027-01-01T00:00:00.000Z',
        rec_metadata: { owner: 'support' },
      });
      await addRecord(client, from.ds_id, { rec_content: { name: 'Nils' } });
      const table = await tableOf(client, to.ds_id, `back.${format}`, Buffer.from(await exported(from.ds_id, format)));
      expect(await imported(client, to.ds_id, { file_id: table })).toMatchObject({ status: 'completed', created: 2 });
      const said = async (ds_id: string) =>
        (await recordsOf(client, ds_id)).map((record) => {
          const {
            rec_id: _,
            rec_base: __,
            rec_source: ___,
            rec_created: ____,
            rec_updated: _____,
            rec_version: ______,
            ...facts
          } = record as object as Record<string, unknown>;
          return Object.fromEntries(Object.entries(facts).filter(([key]) => !key.startsWith('rec_index')));
        });
      expect(await said(to.ds_id)).toEqual(await said(from.ds_id));
    },
  );

  it('whose values were masked puts no placeholder in the place of a value', async () => {
    const form_id = await schemaOf([NAME, SKU, field('iban', 'text', { sensitive: true })]);
    const { ds_id } = await makeFormBase(client, form_id);
    const { rec_id } = await addRecord(client, ds_id, { rec_content: { name: 'Mara', sku: 'K-1', iban: 'DE1' } });
    const rows = [{ name: 'Mara', sku: 'K-1', iban: '•••' }];
    const job = await imported(client, ds_id, { rows, mode: 'upsert', key: 'sku' });
    expect(job).toMatchObject({ updated: 0, failed: 1 });
    expect(await (await fetch(job.report_url ?? '')).text()).toContain('placeholder');
    expect((await readRecord(client, ds_id, rec_id)).rec_content).toMatchObject({ iban: 'DE1' });
  });
});

describe('a search by meaning while texts cannot be embedded', () => {
  it('finds records by open words, and by nothing that is closed', async () => {
    const form_id = await schemaOf([
      NAME,
      field('iban', 'text', { sensitive: true }),
      field('hid', 'text', { hidden: true }),
      field('text', 'long_text'),
    ]);
    const { ds_id } = await makeFormBase(client, form_id);
    await addRecord(client, ds_id, { rec_content: { name: 'Mara', iban: 'zqiban', hid: 'zqhid', text: 'lighthouse keeper' } });
    const viewer = (await ours.member('viewer')).client;
    const found = async (text: string): Promise<number> =>
      ((await viewer.get(`/knowledge-bases/${ds_id}/records?embedding_search=${text}`).expect(200)).body as { data: object[] }).data.length;
    const broken = jest.spyOn(PassageSearch.prototype, 'searchPassages').mockRejectedValue(new Problem('upstream_failed', 'No answer.'));
    try {
      for (const closed of ['zqiban', 'zqhid', '%22iban%22']) expect([closed, await found(closed)]).toEqual([closed, 0]);
      for (const open of ['Mara', 'lighthouse']) expect([open, await found(open)]).toEqual([open, 1]);
    } finally {
      broken.mockRestore();
    }
  });
});

describe('names of terms', () => {
  it('are not in the faults of an import, which everyone reads who sees the base', async () => {
    const taxonomy = await makeTaxonomy(client);
    const [home, garden] = [await addTerm(client, taxonomy, 'Home'), await addTerm(client, taxonomy, 'Garden')];
    for (const { term_id } of [home, garden]) await addTerm(client, taxonomy, 'Lighting', { term_parent: term_id });
    const { ds_id } = await makeFormBase(client, await schemaOf([NAME, field('topic', 'taxonomy', { taxonomy })]));
    const rows = ['Lightning', 'Lighting', 'Home'].map((topic, at) => ({ name: `n${at}`, topic }));
    const job = await imported(client, ds_id, { rows });
    expect(job).toMatchObject({ created: 1, failed: 2 });
    const report = (await reportOf(job)).join('\n');
    expect(report).toMatch(/Lightning.{1,3} is not a term/);
    expect(report).not.toMatch(/Home|Garden|did you mean|there is no term/);
  });
});
