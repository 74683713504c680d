import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { activeFlow, move, stateOf } from './flows';
import { imported } from './importing';
import { field, followed, makeObject, makeSchema, NAME, readObject } from './objects';

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

const pointAt = (obj_id: string, obj_form: string, more: object = {}) => client.patch(`/objects/${obj_id}`, { obj_form, ...more });
const contentOf = async (obj_id: string) => (await readObject(client, obj_id)).obj_content;
const replaced = (form_id: string, form_config: object) => client.patch(`/object-schemas/${form_id}`, { form_config });

describe('a locked state', () => {
  it('is not left by way of another schema', async () => {
    const [a, b] = [await makeSchema(client, [field('price', 'number')]), await makeSchema(client, [field('price', 'number')])];
    await activeFlow(client, [a.form_id]);
    const { obj_id } = await makeObject(client, a.form_id, { price: 5 });
    for (const transition of ['submit', 'approve']) await move(client, obj_id, transition).expect(200);
    for (const more of [{}, { obj_content: { price: 7 } }])
      expect((await pointAt(obj_id, b.form_id, more).expect(409)).body.code).toBe('invalid_state');
    expect(await stateOf(client, obj_id)).toMatchObject({ obj_form: a.form_id, obj_status: 'approved', obj_content: { price: 5 } });
    await move(client, obj_id, 'reopen').expect(200);
    await pointAt(obj_id, b.form_id).expect(200);
  });
});

describe('an object that is given another schema', () => {
  it('keeps what fits, hides what does not, and shows it again when it comes back', async () => {
    const large = await makeSchema(client, [field('size', 'text', { unique: true }), field('note', 'text')]);
    const count = await makeSchema(client, [field('size', 'number')]);
    const { obj_id } = await makeObject(client, large.form_id, { size: 'large', note: 'keep' });
    await pointAt(obj_id, count.form_id).expect(200);
    expect(await contentOf(obj_id)).toEqual({ name: 'Thing' });
    await client.patch(`/objects/${obj_id}`, { obj_content: { size: 3 } }).expect(200);
    await pointAt(obj_id, large.form_id).expect(200);
    expect(await contentOf(obj_id)).toEqual({ name: 'Thing', size: 'large', note: 'keep' });
    await pointAt(obj_id, count.form_id).expect(200);
    expect(await contentOf(obj_id)).toEqual({ name: 'Thing', size: 3 });
  });
});

describe('values of an object that has another schema now', () => {
  it('follow the schema they belong to: its renamed fields, and a change of type that they could not follow is refused', async () => {
    const home = await makeSchema(client, [field('size', 'text'), field('count', 'integer'), field('note', 'text')]);
    const away = await makeSchema(client, []);
    const { obj_id } = await makeObject(client, home.form_id, { size: 'large', count: 3, note: 'keep' });
    await pointAt(obj_id, away.form_id).expect(200);
    expect(await contentOf(obj_id)).toEqual({ name: 'Thing' });

    const refused = await replaced(home.form_id, {
      fields: [NAME, field('size', 'number'), field('count', 'integer'), field('note', 'text')],
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(JSON.stringify(refused.body)).toContain('1 stored values of size');
    await replaced(home.form_id, {
      fields: [
        NAME,
        field('width', 'text', { renamed_from: 'size' }),
        field('count', 'decimal'),
        field('note', 'text', { sensitive: true }),
      ],
    }).expect(200);
    await followed(client, home.form_id);

    await pointAt(obj_id, home.form_id).expect(200);
    expect(await contentOf(obj_id)).toEqual({ name: 'Thing', width: 'large', count: '3', note: 'keep' });
    const viewer = await ours.member('viewer');
    expect((await readObject(viewer.client, obj_id)).obj_content).toEqual({ name: 'Thing', width: 'large', count: '3', note: '•••' });
  });
});

describe('closed values of an object that is given another schema', () => {
  it('stay with the schema that closes them, unless who moves it may see them there', async () => {
    const closed = await makeSchema(client, [
      field('note', 'text', { hidden: true }),
      field('grp', 'group', { fields: [field('pay', 'text', { hidden: true })] }),
      field('size', 'text'),
    ]);
    const open = await makeSchema(client, [
      field('note', 'text'),
      field('grp', 'group', { fields: [field('pay', 'text')] }),
      field('size', 'text'),
    ]);
    const editor = (await ours.member('editor')).client;
    const content = { note: 'closed', grp: { pay: 'closed' }, size: 'L' };
    const [theirs, own] = [await makeObject(client, closed.form_id, content), await makeObject(client, closed.form_id, content)];
    await editor.patch(`/objects/${theirs.obj_id}`, { obj_form: open.form_id }).expect(200);
    expect(await contentOf(theirs.obj_id)).toEqual({ name: 'Thing', size: 'L' });
    await pointAt(own.obj_id, open.form_id).expect(200);
    expect(await contentOf(own.obj_id)).toEqual({ name: 'Thing', ...content });
    await pointAt(theirs.obj_id, closed.form_id).expect(200);
    expect((await readObject(client, theirs.obj_id, '?include_hidden=true')).obj_content).toEqual({ name: 'Thing', ...content });
  });
});

describe('revisions of an object that was given another schema', () => {
  it('show what was written under each schema as far as that one shows it', async () => {
    const fields = (note: object, code: object) => [field('note', 'text', note), field('code', 'text', code), field('size', 'text')];
    const closed = await makeSchema(client, fields({ sensitive: true }, { hidden: true }));
    const open = await makeSchema(client, fields({}, {}));
    const viewer = (await ours.member('viewer')).client;
    const { obj_id } = await makeObject(client, closed.form_id, { note: 'first', code: 'one', size: 'S' });
    await client.patch(`/objects/${obj_id}`, { obj_content: { note: 'second', code: 'two', size: 'M' } }).expect(200);
    await pointAt(obj_id, open.form_id).expect(200);
    await client.patch(`/objects/${obj_id}`, { obj_content: { note: 'third', code: 'three', size: 'L' } }).expect(200);
    const told = async (reader: Client) => {
      const { data } = (await reader.get(`/objects/${obj_id}/revisions?sort=rev_version`).expect(200)).body as {
        data: { rev_changes: { field: string; from: unknown; to: unknown }[] }[];
      };
      return data.map(({ rev_changes }) =>
        Object.fromEntries(
          rev_changes
            .filter(({ field: of }) => ['note', 'code', 'size'].includes(of.replace('obj_content.', '')))
            .map(({ field: of, from, to }) => [of.replace('obj_content.', ''), [from, to]]),
        ),
      );
    };
    const last = { note: ['second', 'third'], code: ['two', 'three'], size: ['M', 'L'] };
    expect(await told(viewer)).toEqual([{ note: [null, '•••'], size: [null, 'S'] }, { note: ['•••', '•••'], size: ['S', 'M'] }, {}, last]);
    expect(await told(client)).toEqual([
      { note: [null, 'first'], size: [null, 'S'] },
      { note: ['first', 'second'], size: ['S', 'M'] },
      {},
      last,
    ]);
  });
});

describe('automatic numbers', () => {
  const NUMBER = field('no', 'auto_number');

  it('[objects 9] go on counting under another key', async () => {
    const { form_id } = await makeSchema(client, [NUMBER]);
    for (const no of [1, 2, 3]) expect((await makeObject(client, form_id)).obj_content.no).toBe(no);
    await replaced(form_id, { title: 'name', fields: [NAME, field('number', 'auto_number', { renamed_from: 'no' })] }).expect(200);
    await followed(client, form_id);
    expect((await makeObject(client, form_id)).obj_content.number).toBe(4);
  });

  it('[objects 9] are the own ones of each schema of an object', async () => {
    const [a, b] = [await makeSchema(client, [NUMBER]), await makeSchema(client, [NUMBER])];
    const first = await makeObject(client, a.form_id);
    await makeObject(client, b.form_id);
    await pointAt(first.obj_id, b.form_id).expect(200);
    expect((await contentOf(first.obj_id)).no).toBe(2);
    await pointAt(first.obj_id, a.form_id).expect(200);
    expect((await contentOf(first.obj_id)).no).toBe(1);
    expect((await makeObject(client, a.form_id)).obj_content.no).toBe(2);
    await pointAt(first.obj_id, b.form_id).expect(200);
    expect((await contentOf(first.obj_id)).no).toBe(2);
    expect((await makeObject(client, b.form_id)).obj_content.no).toBe(3);
  });

  it('[objects 9] are written by no import', async () => {
    const { form_id } = await makeSchema(client, [NUMBER]);
    const job = await imported(client, {
      obj_form: form_id,
      rows: [
        { name: 'A', no: 2 },
        { name: 'B', no: 2 },
      ],
      mode: 'insert',
    });
    expect(job.result).toMatchObject({ created: 2, failed: 0 });
    expect((await makeObject(client, form_id)).obj_content.no).toBe(3);
    const mapped = { obj_form: form_id, rows: [{ name: 'A', n: 2 }], mode: 'insert', mapping: { name: 'name', n: 'no' } };
    expect((await imported(client, mapped).catch(() => null))?.status ?? 'refused').not.toBe('completed');
  });
});

describe('unique values', () => {
  it('are compared by what they are worth when a field becomes unique, and are quoted to nobody who may not see them', async () => {
    const fields = (more: object) => [NAME, field('amount', 'decimal', more)];
    const { form_id } = await makeSchema(client, [field('amount', 'decimal')]);
    await makeObject(client, form_id, { amount: '1.0' });
    await makeObject(client, form_id, { amount: '1.00' });
    const seen = await replaced(form_id, { title: 'name', fields: fields({ unique: true }) }).expect(409);
    expect(seen.body.errors).toMatchObject([{ message: '"1.0" is stored 2 times.' }]);
    const closed = await replaced(form_id, { title: 'name', fields: fields({ unique: true, sensitive: true }) }).expect(409);
    expect(closed.body.errors).toMatchObject([{ message: 'A value is stored 2 times.' }]);
  });

  it('of objects with an access list of their own are counted and not quoted', async () => {
    const { form_id } = await makeSchema(client, [field('code', 'text')]);
    const obj_acl = { users: { [ours.owner.user_id]: 'owner' } };
    for (const name of ['A', 'B']) await makeObject(client, form_id, { name, code: 'X-1' }, { obj_acl });
    const answer = await replaced(form_id, { title: 'name', fields: [NAME, field('code', 'text', { unique: true })] }).expect(409);
    expect(answer.body.errors).toMatchObject([{ message: 'A value is stored 2 times.' }]);
  });

  it('find the object of a row however the row writes them', async () => {
    const { form_id } = await makeSchema(client, [field('tel', 'phone', { unique: true })]);
    const order = (name: string, tel: string) => ({ obj_form: form_id, rows: [{ name, tel }], mode: 'upsert', key: 'tel' });
    expect((await imported(client, order('A', '+49 30 901820'))).result).toMatchObject({ created: 1 });
    expect((await imported(client, order('B', '+49 (30) 901820'))).result).toMatchObject({ created: 0, updated: 1, failed: 0 });
    expect((await imported(client, order('B', '+4930901820'))).result).toMatchObject({ unchanged: 1, failed: 0 });
  });
});

describe('a change of a schema', () => {
  it('refuses to continue a field that is not there', async () => {
    const { form_id } = await makeSchema(client, [field('size', 'text')]);
    const config = { title: 'name', fields: [NAME, field('width', 'text', { renamed_from: 'height' })] };
    expect((await replaced(form_id, config).expect(400)).body.errors).toMatchObject([
      { path: 'form_config.fields[1].renamed_from', code: 'reference' },
    ]);
  });
});

describe('a sensitive field', () => {
  it('is opened by those only who may see its values', async () => {
    const { form_id } = await makeSchema(client, [field('iban', 'text', { sensitive: true })]);
    await makeObject(client, form_id, { iban: 'DE1' });
    const shaper = (await ours.member('owner', ['object:view', 'object:schema:edit'])).client;
    const open = { form_config: { title: 'name', fields: [NAME, field('iban', 'text')] } };
    expect((await shaper.patch(`/object-schemas/${form_id}`, open).expect(403)).body.code).toBe('permission_denied');
    await client.patch(`/object-schemas/${form_id}`, open).expect(200);
  });
});

describe('a placeholder', () => {
  it('is never stored in the place of the value that it represents', async () => {
    const { form_id } = await makeSchema(client, [field('iban', 'text', { sensitive: true, unique: true })]);
    const { obj_id } = await makeObject(client, form_id, { iban: 'DE1' });
    await client.patch(`/objects/${obj_id}`, { obj_content: { iban: '•••' } }).expect(400);
    const job = await imported(client, { obj_form: form_id, rows: [{ name: 'A', iban: '•••' }], mode: 'insert' });
    expect(job.result).toMatchObject({ created: 0, failed: 1 });
    expect(await contentOf(obj_id)).toMatchObject({ iban: 'DE1' });
  });
});
