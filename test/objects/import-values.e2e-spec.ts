import { newId } from '@atrium/platform/kernel';
import { workbookOf, type Client, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';
import { settled, upload } from '../files/uploading';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, makeTaxonomy } from './classifying';
import { imported, schemaOf, tableFile, type JobAnswer } from './importing';
import { listObjects } from './objects';

jest.setTimeout(120_000);

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
}, 120_000);
beforeEach(async () => {
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
});
afterAll(() => api.close());

interface ObjectAnswer {
  readonly obj_id: string;
  readonly obj_name: string;
  readonly obj_external_id: string | null;
  readonly obj_content: Record<string, unknown>;
}

const field = (key: string, type: string, more: object = {}) => ({ key, type, label: key, ...more });
const inWorkspace = (locale: string, zone = 'UTC'): Promise<unknown> =>
  api.sql('UPDATE workspace SET ws_locale = $2, ws_timezone = $3 WHERE tenant_id = $1', [ours.tenant_id, locale, zone]);
const objects = async (obj_form: string): Promise<ObjectAnswer[]> =>
  ((await client.get(`/objects?obj_form=${obj_form}&sort=obj_name&limit=100`).expect(200)).body as { data: ObjectAnswer[] }).data;
const contents = async (obj_form: string) => (await objects(obj_form)).map(({ obj_content }) => obj_content);
const errorsOf = ({ result }: JobAnswer) => (result?.errors ?? []).map(({ row, column, message }) => `${row} ${column}: ${message}`);
const table = (name: string, text: string): Promise<string> => tableFile(client, name, Buffer.from(text));

describe('values of an import', () => {
  it('are never other numbers: what is no group of thousands is refused', async () => {
    await inWorkspace('en-US');
    const obj_form = await schemaOf(client, [field('name', 'text'), field('price', 'number')], { title: 'name' });
    const file_id = await table('prices.csv', 'name;price\na;0,750\nb;12,50\nc;1,250.5\nd;1 2\ne;9007199254740993\nf;\u22125\n');
    const job = await imported(client, { obj_form, file_id });
    expect(job).toMatchObject({ status: 'partial', done: 2, failed: 4, result: { created: 2, failed: 4 } });
    expect(await contents(obj_form)).toEqual([
      { name: 'c', price: 1250.5 },
      { name: 'f', price: -5 },
    ]);
    expect(errorsOf(job)[0]).toBe('2 price: price: "0,750" is not a number such as 1,250.75.');
  });

  it('are refused where others of their column, before or after, say that they can be two numbers', async () => {
    await inWorkspace('de-DE');
    const obj_form = await schemaOf(client, [field('name', 'text'), field('price', 'number')], { title: 'name' });
    const file_id = await table('mixed.csv', 'name;price\na;1.250\nb;12.75\nc;3,5\n');
    for (const on_error of ['abort', 'skip']) {
      const job = await imported(client, { obj_form, file_id, on_error });
      expect(errorsOf(job)).toEqual([expect.stringMatching(/^2 price: .*is ambiguous, because other cells.*\(1250 or 1\.250\)\.$/)]);
    }
    expect(await contents(obj_form)).toEqual([
      { name: 'b', price: 12.75 },
      { name: 'c', price: 3.5 },
    ]);
  });

  it('are refused also where those that say so are read and written much later', async () => {
    await inWorkspace('de-DE');
    const obj_form = await schemaOf(client, [field('name', 'text'), field('price', 'number')], { title: 'name' });
    // More rows than are read and written at once.
    const between = Array.from({ length: 600 }, (_, at) => `n${at};3,5\n`).join('');
    const file_id = await table('mixed.csv', `name;price\na;1.250\n${between}z;12.75\n`);
    for (const [on_error, created] of [
      ['abort', 0],
      ['skip', 601],
    ] as const) {
      const job = await imported(client, { obj_form, file_id, on_error });
      expect(errorsOf(job)).toEqual([expect.stringMatching(/^2 price: .*is ambiguous, because other cells.*\(1250 or 1\.250\)\.$/)]);
      expect(job.result).toMatchObject({ created, failed: 1 });
    }
  });

  it('keep every digit of numbers in JSON, and rows of a request that lost some are refused', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text'), field('sum', 'decimal')], { title: 'name' });
    const file_id = await table(
      'ids.json',
      '[{"external_id":9007199254740992,"name":"a","sum":12345678901234567890.25},{"external_id":9007199254740993,"name":9007199254740993,"sum":0.5}]',
    );
    expect(await imported(client, { obj_form, file_id })).toMatchObject({ status: 'completed', result: { created: 2 } });
    expect((await objects(obj_form)).map(({ obj_external_id, obj_content }) => [obj_external_id, obj_content])).toEqual([
      ['9007199254740993', { name: '9007199254740993', sum: '0.5' }],
      ['9007199254740992', { name: 'a', sum: '12345678901234567890.25' }],
    ]);
    const answer = await client
      .post('/objects/import', { obj_form, rows: [{ name: 'a' }, { external_id: 2 ** 53 + 2, name: 'b' }] })
      .expect(400);
    expect(answer.body).toMatchObject({
      errors: [{ path: 'rows[1].external_id', code: 'inexact', message: expect.stringContaining('as a string') }],
    });
  });

  it('are times of the workspace, and dates in the order that their column names', async () => {
    await inWorkspace('de-DE', 'Europe/Berlin');
    const obj_form = await schemaOf(client, [field('name', 'text'), field('at', 'datetime'), field('day', 'date')], { title: 'name' });
    const file_id = await table(
      'times.csv',
      'name;at;day\na;31.07.2026 14:30;03/04/2025\nb;2026-07-31T14:30:00;12/31/2025\nc;26.10.2025 02:30;\nd;29.03.2026 02:30;\n',
    );
    const first = await imported(client, { obj_form, file_id });
    expect(errorsOf(first)).toEqual([
      expect.stringMatching(/^2 day: .*can be two dates.*\(2025-04-03 or 2025-03-04\)/),
      expect.stringMatching(/^4 at: .*occurs twice.*2025-10-26T00:30:00Z or 2025-10-26T01:30:00Z/),
      expect.stringMatching(/^5 at: .*does not exist/),
    ]);
    expect(await contents(obj_form)).toEqual([{ name: 'b', at: '2026-07-31T12:30:00.000Z', day: '2025-12-31' }]);
    const mapping = { name: 'name', at: null, day: { field: 'day', format: 'MM/DD/YYYY' } };
    expect((await imported(client, { obj_form, file_id, mapping })).result).toMatchObject({ created: 4, failed: 0 });
    expect((await contents(obj_form))[0]).toEqual({ name: 'a', day: '2025-03-04' });
    const named = { ...mapping, name: { field: 'obj_name', format: 'MM/DD/YYYY' } };
    expect((await client.post('/objects/import', { obj_form, file_id, mapping: named }).expect(400)).body).toMatchObject({
      errors: [{ path: 'mapping.name.format', code: 'option' }],
    });
    for (const format of ['MM/YYYY', ''])
      expect(
        (await client.post('/objects/import', { obj_form, file_id, mapping: { ...mapping, day: { field: 'day', format } } }).expect(400))
          .body,
      ).toMatchObject({ errors: [{ path: 'mapping.day.format', code: 'format' }] });
  });

  it('in columns that nothing takes are refused, unless the column is left out', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text')], { title: 'name' });
    const rows = [{ name: 'a', colour: 'red', weight: 5 }];
    expect((await client.post('/objects/import', { obj_form, rows }).expect(400)).body).toMatchObject({
      errors: [
        {
          path: 'mapping.colour',
          code: 'unknown_column',
          message: 'The column colour matches no field. Map it to a field, or to null to skip it.',
        },
        { path: 'mapping.weight', code: 'unknown_column' },
      ],
    });
    const mapping = { name: 'name', colour: null, weight: null };
    expect(await imported(client, { obj_form, rows, mapping })).toMatchObject({ status: 'completed', result: { created: 1 } });
    // A mapping is no list of all columns: those that it does not name are taken by their names, or refused.
    const faultsOf = async (said: object): Promise<unknown> =>
      ((await client.post('/objects/import', { obj_form, rows, mapping: said }).expect(400)).body as { errors: object[] }).errors;
    expect(await faultsOf({ name: 'name', colour: null })).toEqual([
      expect.objectContaining({ path: 'mapping.weight', code: 'unknown_column' }),
    ]);
    expect(await faultsOf({ colour: 'name', weight: null })).toEqual([
      expect.objectContaining({ path: 'mapping.name', code: 'unknown_column' }),
    ]);
    await imported(client, { obj_form, rows: [{ name: 'by its name', colour: 'red' }], mapping: { colour: null } });
    expect((await listObjects(client, `?obj_form=${obj_form}&obj_name=by its name`)).data).toHaveLength(1);
    // A column that only one of many rows has.
    const late = [...Array.from({ length: 100 }, (_, at) => ({ name: `n${at}` })), { name: 'late', colour: 'red' }];
    expect((await client.post('/objects/import', { obj_form, rows: late }).expect(400)).body).toMatchObject({
      errors: [{ path: 'mapping.colour', code: 'unknown_column' }],
    });
  });

  it('name terms by id, slug, name, alias and path, and a misspelled one is answered with the nearest', async () => {
    const tax = await makeTaxonomy(client);
    const home = await addTerm(client, tax, 'Home');
    const lighting = await addTerm(client, tax, 'Lighting', { term_parent: home.term_id, term_aliases: ['Lamps'] });
    const obj_form = await schemaOf(
      client,
      [
        field('name', 'text'),
        field('topic', 'taxonomy', { taxonomy: tax }),
        field('topics', 'taxonomy', { taxonomy: tax, multiple: true }),
      ],
      { title: 'name' },
    );
    const rows = [lighting.term_id, lighting.term_slug, 'LIGHTING', 'lamps', 'Home > Lighting'].map((topic, at) => ({
      name: `n${at}`,
      topic,
      topics: `${topic}; Home`,
    }));
    const job = await imported(client, { obj_form, rows: [...rows, { name: 'wrong', topic: 'Lightning' }] });
    expect(errorsOf(job)).toEqual([
      '6 topic: topic: "Lightning" is not a term of this taxonomy (there is no term Lightning; did you mean Lighting?).',
    ]);
    const found = await contents(obj_form);
    expect(found).toHaveLength(5);
    for (const content of found) expect(content).toMatchObject({ topic: lighting.term_id, topics: [lighting.term_id, home.term_id] });
  });

  it('name objects by unique field, external id and name, of those that the importer may read', async () => {
    const makers = await schemaOf(client, [field('name', 'text'), field('code', 'text', { unique: true })], { title: 'name' });
    const made = await imported(client, {
      obj_form: makers,
      rows: [
        { name: 'Alba', code: 'A-1', external_id: 'x1' },
        { name: 'Bora', code: 'B-1' },
        { name: 'bora', code: 'B-2' },
        { name: 'Closed', code: 'C-1' },
      ],
    });
    expect(made.result).toMatchObject({ created: 4 });
    const [alba, , , closed] = await objects(makers);
    await client.patch(`/objects/${closed?.obj_id}`, { obj_acl: { users: { [ours.owner.user_id]: 'owner' } } }).expect(200);
    const obj_form = await schemaOf(client, [field('name', 'text'), field('maker', 'object', { schema: makers })], { title: 'name' });
    const editor = await ours.member('editor');
    const rows = ['A-1', 'x1', 'ALBA', 'Bora', 'Closed', 'C-1'].map((maker, at) => ({ name: `n${at}`, maker }));
    const job = await imported(editor.client, { obj_form, rows });
    expect((await contents(obj_form)).map(({ maker }) => maker)).toEqual([alba?.obj_id, alba?.obj_id, alba?.obj_id]);
    expect(errorsOf(job)).toEqual([
      '4 maker: maker: "Bora" matches several; use the id of one of them.',
      '5 maker: maker: "Closed" does not match any object that you can view.',
      '6 maker: maker: "C-1" does not match any object that you can view.',
    ]);
  });

  it('are one key however it is written: phone numbers, and letters with their marks apart', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text', { unique: true }), field('phone', 'phone', { unique: true })], {
      title: 'name',
    });
    const key = 'phone';
    await imported(client, { obj_form, rows: [{ name: 'M\u00fcller', phone: '+4930901820' }] });
    expect(
      (await imported(client, { obj_form, mode: 'upsert', key, rows: [{ name: 'M\u00fcller', phone: '+49 30 901820' }] })).result,
    ).toMatchObject({
      unchanged: 1,
    });
    expect((await imported(client, { obj_form, rows: [{ name: 'Mu\u0308ller' }] })).result).toMatchObject({ created: 0, failed: 1 });
    const ids = ['M\u00fc', 'Mu\u0308'].map((external_id, at) => ({ external_id, name: `n${at}` }));
    const job = await imported(client, { obj_form, mode: 'upsert', rows: ids });
    expect(job.result).toMatchObject({ created: 1, failed: 1 });
    expect(errorsOf(job)).toEqual(['1 external_id: Row 2 has the same key and was taken instead.']);
  });

  it('find objects whose id was stored with its marks apart, and make no second one of that id', async () => {
    const [whole, apart] = ['M\u00fc', 'Mu\u0308'];
    const obj_form = await schemaOf(client, [field('name', 'text')], { title: 'name' });
    expect((await imported(client, { obj_form, rows: [{ external_id: apart, name: 'a' }] })).result).toMatchObject({ created: 1 });
    const [{ obj_id, obj_external_id } = { obj_id: '', obj_external_id: null }] = await objects(obj_form);
    expect(obj_external_id).toBe(whole);
    for (const [at, id] of [whole, apart].entries()) {
      await api.sql('UPDATE object SET obj_external_id = $2 WHERE obj_id = $1', [obj_id, apart]);
      const rows = [{ external_id: id, name: `b${at}` }];
      const inserted = await imported(client, { obj_form, mode: 'insert', rows });
      expect(inserted.result).toMatchObject({ created: 0, failed: 1 });
      expect(errorsOf(inserted)).toEqual(['1 external_id: Another object already has this external id.']);
      expect((await imported(client, { obj_form, mode: 'upsert', rows })).result).toMatchObject({ created: 0, updated: 1 });
      expect(await objects(obj_form)).toMatchObject([{ obj_id, obj_external_id: whole, obj_name: `b${at}` }]);
    }
  });

  it('of one object are refused where JSON readers do not keep them, as those of rows are', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text'), field('price', 'number'), field('any', 'json')], { title: 'name' });
    const { obj_id } = (await client.post('/objects', { obj_form, obj_content: { name: 'a', price: 2 ** 53 - 1 } }).expect(201))
      .body as ObjectAnswer;
    for (const [facts, path] of [
      [{ obj_content: { name: 'b', price: 2 ** 53 + 2 } }, 'obj_content.price'],
      [{ obj_content: { name: 'b', any: { ids: [1, -(2 ** 60)] } } }, 'obj_content.any.ids[1]'],
      [{ obj_content: { name: 'b' }, obj_metadata: { id: 2 ** 60 } }, 'obj_metadata.id'],
    ] as const) {
      const errors = [{ path, code: 'inexact', message: expect.stringContaining('as a string') as string }];
      expect((await client.post('/objects', { obj_form, ...facts }).expect(400)).body).toMatchObject({ errors });
      expect((await client.patch(`/objects/${obj_id}`, facts).expect(400)).body).toMatchObject({ errors });
    }
    expect(await contents(obj_form)).toEqual([{ name: 'a', price: 2 ** 53 - 1 }]);
  });

  it('with signs that are not stored are refused by a sentence that names the sign', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text')], { title: 'name' });
    const job = await imported(client, { obj_form, rows: [{ name: 'one\ntwo' }, { name: 'a\tb' }, { name: 'a\u0007b' }] });
    expect(errorsOf(job)).toEqual([
      '1 name: name contains a line break, which a text of one line cannot contain.',
      '2 name: name contains a tab, which a text of one line cannot contain.',
      '3 name: name contains the control character U+0007, which a text of one line cannot contain.',
    ]);
  });

  it.each(['skip', 'abort'])('of a workbook are texts as its cells show them, and numbers as they are (%s)', async (on_error) => {
    const obj_form = await schemaOf(client, [field('code', 'text'), field('rate', 'percent'), field('share', 'text')], { title: 'code' });
    const header = ['code', 'rate', 'share'].map((name) => `<c t="inlineStr"><is><t>${name}</t></is></c>`).join('');
    const rows = `<row r="1">${header}</row><row r="2"><c s="1"><v>123</v></c><c s="2"><v>0.075</v></c><c s="2"><v>0.075</v></c></row>`;
    const workbook = workbookOf({ sheets: [{ name: 'A', rows }], formats: ['00000', '0.0%'] });
    await imported(client, { obj_form, file_id: await tableFile(client, 'codes.xlsx', workbook), on_error });
    expect(await contents(obj_form)).toEqual([{ code: '00123', rate: 7.5, share: '7.5%' }]);
  });
});

describe('the preview of an import of objects', () => {
  it('shows columns with the fields that they say, and the first rows, and stores nothing', async () => {
    const obj_form = await schemaOf(client, [field('name', 'text'), field('price', 'number')], { title: 'name' });
    const file_id = await table('prices.csv', 'Name;price;external id;colour\nLamp;5;l-1;red\n');
    expect((await client.post('/objects/import/preview', { obj_form, file_id }).expect(200)).body).toEqual({
      columns: [
        { name: 'Name', samples: ['Lamp'], suggested_field: 'name', type: 'text' },
        { name: 'price', samples: ['5'], suggested_field: 'price', type: 'number' },
        { name: 'external id', samples: ['l-1'], suggested_field: 'obj_external_id', type: 'text' },
        { name: 'colour', samples: ['red'], suggested_field: null, type: null },
      ],
      rows: [{ Name: 'Lamp', price: '5', 'external id': 'l-1', colour: 'red' }],
      total_estimate: 1,
      encoding: expect.any(String) as string,
      delimiter: ';',
    });
    expect(await objects(obj_form)).toEqual([]);
    const { client: viewer } = await ours.member('owner', ['object:view']);
    await viewer.post('/objects/import/preview', { obj_form, rows: [{ name: 'a' }] }).expect(403);
    const theirs = await api.workspace(['module-objects']);
    await theirs.owner.client.post('/objects/import/preview', { obj_form, rows: [{ name: 'a' }] }).expect(400);
    await client.post('/objects/import/preview', { obj_form: newId(), rows: [{ name: 'a' }] }).expect(400);
  });

  it('says nothing of a file that is closed to the caller or of another workspace', async () => {
    const [shared, theirs] = [await api.workspace(['module-objects', 'module-documents']), await api.workspace(['module-objects'])];
    const { client: owner, user_id } = shared.owner;
    const { client: editor } = await shared.member('editor');
    const obj_form = await schemaOf(owner, [field('name', 'text')], { title: 'name' });
    const bytes = Buffer.from('name\nzqsecret\n');
    const { file_id: closed } = await upload(owner, 'zqclosed.csv', bytes, { file_repo: { library: ['docs'] } });
    await settled(owner, closed);
    const preview = (caller: Client, file_id: string) => caller.post('/objects/import/preview', { obj_form, file_id });
    await preview(editor, closed).expect(200);
    const folder = await owner
      .post('/document-folders', { album_name: 'Closed', album_acl: { users: { [user_id]: 'owner' } } })
      .expect(201);
    const { album_id } = folder.body as { album_id: string };
    await owner.post(`/document-folders/${album_id}/files`, { file_ids: [closed] }).expect(200);
    await preview(owner, closed).expect(200);
    const said = async (file_id: string) => {
      const { status, text, body } = await preview(editor, file_id);
      expect(text).not.toMatch(/zq/);
      const { code, detail, errors } = body as Record<string, unknown>;
      return { status, code, detail, errors };
    };
    const unknown = await said(newId());
    expect(unknown.status).toBeGreaterThanOrEqual(400);
    expect(await said(closed)).toEqual(unknown);
    expect(await said(await tableFile(theirs.owner.client, 'zqforeign.csv', bytes))).toEqual(unknown);
  });
});
