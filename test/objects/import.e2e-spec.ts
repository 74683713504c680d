import { inWorkspace } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { BackgroundJobs } from '@atrium/platform/messaging';
import { workbookOf, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { addTerm, makeTaxonomy } from './classifying';
import { imported, schemaOf, tableFile, type JobAnswer } from './importing';

// Thousands of objects are written beside the tests.
jest.setTimeout(180_000);

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let obj_form: string;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  obj_form = await schemaOf(client, FIELDS, { title: 'name' });
});
afterAll(() => api.close());

const FIELDS = [
  { key: 'sku', type: 'text', label: 'Article', required: true, unique: true },
  { key: 'name', type: 'text', label: 'Name', required: true },
  { key: 'price', type: 'number', label: 'Price', min: 0, filterable: true },
  { key: 'since', type: 'date', label: 'Since' },
  { key: 'stock', type: 'integer', label: 'Stock', read_only: true },
];
const LAMPS = ['1', '2', '3'].map((n) => ({ id: `lamp-${n}`, sku: `L-${n}`, name: `Lamp ${n}`, price: Number(n), stock: 5 }));
const MAPPING = { id: 'obj_external_id', sku: 'sku', name: 'name', price: 'price', stock: 'stock' };

interface ObjectAnswer {
  readonly obj_id: string;
  readonly obj_name: string;
  readonly obj_content: Record<string, unknown>;
  readonly obj_external_id: string | null;
  readonly obj_external_url: string | null;
  readonly obj_terms: readonly string[];
}

const objects = async (by = client): Promise<ObjectAnswer[]> =>
  ((await by.get(`/objects?obj_form=${obj_form}&sort=obj_name&limit=1000`).expect(200)).body as { data: ObjectAnswer[] }).data;
const written = async (): Promise<unknown> =>
  (
    await api.sql(
      `SELECT (SELECT count(*)::int FROM object WHERE tenant_id = $1) AS objects, (SELECT sum(row_version)::int FROM object WHERE tenant_id = $1) AS versions,
              (SELECT count(*)::int FROM object_revision WHERE tenant_id = $1) AS revisions`,
      [ours.tenant_id],
    )
  )[0];
const faultOf = (answer: { body: unknown }): string => {
  const { errors } = answer.body as { errors: { path: string; code: string }[] };
  return errors.map(({ path, code }) => `${path} ${code}`).join();
};

describe('an import of objects that did not complete', () => {
  it.each(['cancelled', 'failed'])(
    'and is %s says what was written and which rows were refused, and keeps nothing of what was asked for',
    async (end) => {
      const job_id = newId();
      const values = [ours.tenant_id, job_id];
      await api.sql(
        "INSERT INTO background_job (tenant_id, job_id, job_kind, job_status, job_created_by) VALUES ($1, $2, 'objects.import', 'running', $3)",
        [...values, ours.owner.user_id],
      );
      for (const text of [
        `INSERT INTO object_import (tenant_id, job_id, imp_order, imp_row, imp_created, imp_failed) VALUES ($1, $2, '{"rows": [{"name": "Lamp"}]}', 500, 499, 1)`,
        "INSERT INTO object_import_fault (tenant_id, job_id, fault_row, fault_place, fault_column, fault_message) VALUES ($1, $2, 7, 0, 'name', 'is required')",
      ])
        await api.sql(text, values);
      if (end === 'cancelled') await client.delete(`/jobs/${job_id}`).expect(200);
      else await inWorkspace(ours.tenant_id, () => api.app.get(BackgroundJobs, { strict: false }).giveUp(job_id, 'Its workers were lost.'));
      const { result, status } = (await client.get(`/jobs/${job_id}`).expect(200)).body as JobAnswer;
      expect({ result, status }).toEqual({
        status: end,
        result: { created: 499, updated: 0, unchanged: 0, failed: 1, errors: [{ row: 7, column: 'name', message: 'is required' }] },
      });
      expect(await api.sql('SELECT imp_order FROM object_import WHERE tenant_id = $1 AND job_id = $2', values)).toEqual([
        { imp_order: {} },
      ]);
    },
  );
});

describe('an import of objects', () => {
  it('creates objects of rows, read-only fields too, and changes nothing when it is repeated', async () => {
    const job = await imported(client, { obj_form, rows: LAMPS, mapping: MAPPING });
    expect(job).toMatchObject({ status: 'completed', total: 3, done: 3, failed: 0, error: null });
    expect(job.result).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 0, errors: [] });
    expect(await objects()).toMatchObject(
      LAMPS.map(({ id, ...content }) => ({ obj_external_id: id, obj_name: content.name, obj_content: content })),
    );
    const before = await written();
    const again = await imported(client, { obj_form, rows: LAMPS, mapping: MAPPING, mode: 'upsert' });
    expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 3, failed: 0 });
    expect(await written()).toEqual(before);
    const brighter = LAMPS.map((row, at) => (at === 1 ? { ...row, price: 20 } : row));
    expect((await imported(client, { obj_form, rows: brighter, mapping: MAPPING, mode: 'upsert' })).result).toMatchObject({
      updated: 1,
      unchanged: 2,
    });
    const doubled = await imported(client, { obj_form, rows: LAMPS, mapping: MAPPING });
    expect(doubled).toMatchObject({ status: 'failed', error: 'All 3 rows failed.', result: { created: 0, failed: 3 } });
    expect(doubled.result?.errors[0]).toMatchObject({ row: 1, column: 'id' });
  });

  it('finds objects by a unique field, takes the last of several rows with one key, and names the others', async () => {
    const rows = [...LAMPS, { ...LAMPS[0], name: 'The last word' }, { name: 'Without a key' }].map(({ ...row }) => ({
      ...row,
      id: undefined,
    }));
    const job = await imported(client, { obj_form, rows: JSON.parse(JSON.stringify(rows)) as object[], mode: 'upsert', key: 'sku' });
    expect(job.result).toEqual({
      created: 3,
      updated: 0,
      unchanged: 0,
      failed: 2,
      errors: [
        { row: 1, column: 'sku', message: 'Row 4 has the same key and was taken instead.' },
        { row: 5, column: 'sku', message: 'The row has no value for the key sku.' },
      ],
    });
    expect((await objects()).map(({ obj_name }) => obj_name)).toEqual(['Lamp 2', 'Lamp 3', 'The last word']);
  });

  it('takes a key with its marks apart for the one in one piece, in a table and of objects that are there', async () => {
    const [composed, apart] = ['M\u00fcller', 'Mu\u0308ller'];
    const rows = [composed, apart].map((sku, at) => ({ sku, name: `Lamp ${at + 1}` }));
    const inserted = await imported(client, { obj_form, rows });
    expect(inserted.result).toMatchObject({ created: 1, failed: 1 });
    expect(inserted.result?.errors[0]).toMatchObject({ row: 2, column: 'sku' });
    const upserted = await imported(client, { obj_form, rows: [{ sku: apart, name: 'Lamp 3' }], mode: 'upsert', key: 'sku' });
    expect(upserted.result).toMatchObject({ created: 0, updated: 1, failed: 0 });
    const both = await imported(client, { obj_form, rows, mode: 'upsert', key: 'sku' });
    expect(both.result).toMatchObject({ created: 0, updated: 1, failed: 1 });
  });

  it('writes nothing when it must not fail and a row is not valid, and all of it otherwise', async () => {
    const rows = [...LAMPS, { id: 'no-name', sku: 'L-9', price: -1 }];
    const job = await imported(client, { obj_form, rows, mapping: MAPPING, on_error: 'abort' });
    expect(job).toMatchObject({ status: 'failed', error: '1 of 4 rows are not valid, and nothing was written. The job names them.' });
    expect(job.result).toMatchObject({ created: 0, updated: 0, failed: 1 });
    expect(job.result?.errors.map(({ row, column }) => [row, column])).toEqual([
      [4, 'name'],
      [4, 'price'],
    ]);
    expect(await objects()).toEqual([]);
    expect(await imported(client, { obj_form, rows: LAMPS, mapping: MAPPING, on_error: 'abort' })).toMatchObject({
      status: 'completed',
      result: { created: 3 },
    });
  });

  it('[objects 19] reads a workbook of 5,000 rows, leaves out ten that are not valid, and names row, column and reason', async () => {
    await api.sql("UPDATE workspace SET ws_locale = 'de-DE' WHERE tenant_id = $1", [ours.tenant_id]);
    // As spreadsheet programs write it: texts are shared, and cells without a value are left out or empty.
    const texts = new Map<string, number>();
    const cell = (value: string): string => {
      if (!texts.has(value)) texts.set(value, texts.size);
      return `<c t="s"><v>${texts.get(value)}</v></c>`;
    };
    const number = (value: string): string => `<c><v>${value}</v></c>`;
    const day = (value: string): string => `<c s="1"><v>${value}</v></c>`;
    /** Ten rows that are wrong in ten ways: where, in which column, by which cells, and what is said of it. */
    const wrong: Readonly<
      Record<number, readonly [column: string, cells: Partial<Record<'sku' | 'name' | 'price' | 'since', string>>, reason: RegExp]>
    > = {
      7: ['Price', { price: cell('teuer') }, /teuer/],
      507: ['Price', { price: number('-1') }, /0/],
      1_007: ['Price', { price: cell('1,2,3') }, /1,2,3/],
      1_507: ['Price', { price: '<c t="b"><v>1</v></c>' }, /./],
      2_007: ['Since', { since: cell('morgen') }, /morgen/],
      2_507: ['Since', { since: cell('31.02.2024') }, /31\.02\.2024/],
      3_007: ['Article', { sku: '<c/>' }, /is required/],
      3_507: ['Name', { name: '<c/>' }, /is required/],
      4_007: ['Name', { name: cell('x'.repeat(300)) }, /255/],
      4_507: ['Price', { price: '<c t="e"><v>#DIV/0!</v></c>' }, /./],
    };
    const header = `<row r="1">${['Article', 'Name', 'Price', 'Since'].map(cell).join('')}</row>`;
    const rows = Array.from({ length: 5_000 }, (_, at) => {
      const cells = {
        sku: cell(`A-${at}`),
        name: cell(`Artikel ${String(at).padStart(4, '0')}`),
        price: at % 2 === 0 ? cell('1.234,50') : number('1.234'),
        since: day('45429'),
        ...wrong[at]?.[1],
      };
      return `<row r="${at + 2}">${cells.sku}${cells.name}${cells.price}${cells.since}</row>`;
    });
    const workbook = workbookOf({
      sheets: [{ name: 'Preise', rows: header + rows.join('') }],
      formats: ['dd.mm.yyyy'],
      sharedTexts: [...texts.keys()],
    });
    const file_id = await tableFile(client, 'preise.xlsx', workbook);
    const job = await imported(client, { obj_form, file_id, on_error: 'skip' });
    expect(job).toMatchObject({ status: 'partial', total: 5_000, done: 4_990, failed: 10 });
    expect(job.result).toMatchObject({ created: 4_990, updated: 0, unchanged: 0, failed: 10 });
    expect(job.result?.errors.map(({ row, column, message }) => ({ row, column, message }))).toEqual(
      Object.entries(wrong).map(([at, [column, , reason]]) => ({
        row: Number(at) + 2,
        column,
        message: expect.stringMatching(reason) as string,
      })),
    );
    const [first, second] = await objects();
    expect(first?.obj_content).toEqual({ sku: 'A-0', name: 'Artikel 0000', price: 1234.5, since: '2024-05-17' });
    expect(second?.obj_content).toMatchObject({ price: 1.234 });
    expect(await written()).toMatchObject({ objects: 4_990 });
    const before = await written();
    const again = await imported(client, { obj_form, file_id, mode: 'upsert', key: 'sku' });
    expect(again.result).toMatchObject({ created: 0, updated: 0, unchanged: 4_990, failed: 10 });
    expect(await written()).toEqual(before);
  });

  it('sets address, terms and name, and refuses terms that are not known', async () => {
    const tax = await makeTaxonomy(client);
    const { term_id } = await addTerm(client, tax, 'Lamps');
    const plain = await schemaOf(client, [{ key: 'note', type: 'text', label: 'Note' }]);
    const rows = [
      { external_id: 'a', external_url: 'https://shop.example/a', name: 'Lamp A', terms: term_id, note: 'x' },
      { external_id: 'b', name: 'Lamp B', terms: newId() },
      { external_id: 'c', name: 'Lamp C', terms: 'no id' },
    ];
    const { result } = await imported(client, { obj_form: plain, rows });
    expect(result).toMatchObject({ created: 1, failed: 2 });
    expect(result?.errors.map(({ row, column }) => [row, column])).toEqual([
      [2, 'terms'],
      [3, 'terms'],
    ]);
    const { data } = (await client.get(`/objects?obj_form=${plain}`).expect(200)).body as { data: ObjectAnswer[] };
    expect(data).toMatchObject([
      {
        obj_name: 'Lamp A',
        obj_external_id: 'a',
        obj_external_url: 'https://shop.example/a',
        obj_terms: [term_id],
        obj_content: { note: 'x' },
      },
    ]);
  });

  it('leaves alone what the importer may not change', async () => {
    const [mine] = await Promise.all([imported(client, { obj_form, rows: LAMPS, mapping: MAPPING })]);
    expect(mine.result).toMatchObject({ created: 3 });
    const [closed] = await objects();
    await client.patch(`/objects/${closed?.obj_id}`, { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    const editor = await ours.member('editor');
    const rows = LAMPS.map((row) => ({ ...row, price: 99 }));
    const { result } = await imported(editor.client, { obj_form, rows, mapping: MAPPING, mode: 'upsert' });
    expect(result).toMatchObject({ updated: 2, failed: 1 });
    expect(result?.errors).toMatchObject([{ row: 1, column: 'id' }]);
    expect((await objects()).map(({ obj_content }) => obj_content.price)).toEqual([1, 99, 99]);
  });

  it('refuses what is no order, at what is wrong', () =>
    inTurn<[string, object, string]>(
      [
        ['neither file nor rows', {}, 'file_id one_of'],
        ['both', { rows: LAMPS, file_id: newId() }, 'file_id one_of'],
        ['no rows', { rows: [] }, 'rows too_few'],
        ['a column that is not there', { rows: LAMPS, mapping: { colour: 'name' } }, 'mapping.colour unknown_column'],
        ['a field that is not there', { rows: LAMPS, mapping: { id: 'colour' } }, 'mapping.id unknown_field'],
        ['a key that is not unique', { rows: LAMPS, mode: 'upsert', key: 'price' }, 'key unknown_field'],
        ['a key without a column', { rows: LAMPS, mapping: { sku: 'sku' }, mode: 'upsert' }, 'mapping required'],
      ],
      async (_, body, fault) => expect(faultOf(await client.post('/objects/import', { obj_form, ...body }).expect(400))).toBe(fault),
    ));

  it('refuses schemas and files that are not there, and a header that names a column twice', async () => {
    const theirs = await api.workspace(['module-objects']);
    const foreign = await schemaOf(theirs.owner.client, FIELDS);
    for (const form of [foreign, newId()])
      expect(faultOf(await client.post('/objects/import', { obj_form: form, rows: LAMPS }).expect(400))).toBe('obj_form reference');
    const theirFile = await tableFile(theirs.owner.client, 'a.csv', Buffer.from('sku,name\n1,2\n'));
    for (const file_id of [theirFile, newId()]) await client.post('/objects/import', { obj_form, file_id }).expect(400);
    const twice = await tableFile(client, 'twice.csv', Buffer.from('sku;name;name\n1;2;3\n'));
    expect(faultOf(await client.post('/objects/import', { obj_form, file_id: twice }).expect(400))).toBe('header.3 duplicate');
    await client.delete(`/object-schemas/${obj_form}`).expect(204);
    expect((await client.post('/objects/import', { obj_form, rows: LAMPS }).expect(409)).body.code).toBe('invalid_state');
    expect(await objects(theirs.owner.client)).toEqual([]);
  });

  it('needs the rights to create and to edit, and the module', async () => {
    const body = { obj_form, rows: LAMPS, mapping: MAPPING };
    for (const scopes of [['object:view', 'object:create'], ['object:view', 'object:edit'], ['object:view']]) {
      const { client: lacking } = await ours.member('owner', scopes);
      expect((await lacking.post('/objects/import', body).expect(403)).body.code).toBe('permission_denied');
    }
    const without = await api.workspace();
    expect((await without.owner.client.post('/objects/import', body).expect(403)).body.code).toBe('license_required');
    const { job_id } = (await client.post('/objects/import', body).expect(202)).body as { job_id: string };
    const other = await ours.member('owner');
    await other.client.get(`/jobs/${job_id}`).expect(404);
  });
});
