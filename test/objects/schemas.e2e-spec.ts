import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { inTurn } from '../support/in-turn';
import { WriteGate } from './write-gate';
import { field, followed, listObjects, makeObject, makeSchema, names, readObject, readSchema, reshape, type Schema } from './objects';

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

const schemas = async (query = ''): Promise<string[]> =>
  ((await client.get(`/object-schemas${query}`).expect(200)).body as { data: Schema[] }).data.map(({ form_name }) => form_name);

describe('object schemas', () => {
  it('are created, found, changed and deactivated by those who hold the permission', async () => {
    const made = await makeSchema(client, [field('price', 'number')], {
      form_name: 'Lamp',
      form_metadata: { icon: 'lamp', plural_name: 'Lamps' },
    });
    expect(made).toMatchObject({ form_name: 'Lamp', form_active: true, form_revision: 1, form_migration: null, form_object_count: 0 });
    expect((await client.post('/object-schemas', { form_name: 'LAMP' }).expect(409)).body.code).toBe('already_exists');
    await makeSchema(client, [], { form_name: 'Berth' });
    expect(await schemas('?sort=form_name')).toEqual(['Berth', 'Lamp']);
    expect(await schemas('?form_metadata[icon]=lamp')).toEqual(['Lamp']);
    expect(await schemas('?form_metadata[icon]=lamp&form_metadata[plural_name]=x')).toEqual([]);
    expect(await schemas('?form_name=ERT')).toEqual(['Berth']);
    await client.get('/object-schemas?form_metadata[a][b]=c').expect(400);
    await makeObject(client, made.form_id);
    expect(await readSchema(client, made.form_id)).toMatchObject({ form_object_count: 1 });
    const viewer = (await ours.member('viewer')).client;
    await viewer.get(`/object-schemas/${made.form_id}`).expect(200);
    await viewer.post('/object-schemas', { form_name: 'x' }).expect(403);
    await viewer.patch(`/object-schemas/${made.form_id}`, { form_name: 'x' }).expect(403);
    await viewer.delete(`/object-schemas/${made.form_id}`).expect(403);
    const { etag } = (await client.get(`/object-schemas/${made.form_id}`).expect(200)).headers as { etag: string };
    await client.patch(`/object-schemas/${made.form_id}`, { form_description: 'Lights' }).set('If-Match', etag).expect(200);
    await client.patch(`/object-schemas/${made.form_id}`, { form_description: 'x' }).set('If-Match', etag).expect(412);
    await client.delete(`/object-schemas/${made.form_id}`).expect(204);
    expect(await schemas()).toEqual(['Berth']);
    expect(await schemas('?form_active=false')).toEqual(['Lamp']);
    const told = await api.sql<{ aud_type: string }>(
      'SELECT aud_type FROM audit_event WHERE tenant_id = $1 AND aud_target_id = $2 ORDER BY aud_id',
      [ours.tenant_id, made.form_id],
    );
    expect(told.map(({ aud_type }) => aud_type)).toEqual(['object_schema.created', 'object_schema.updated', 'object_schema.deactivated']);
  });

  it('are refused with an error at what is wrong', () =>
    inTurn<[string, object, string]>(
      [
        ['a key of JavaScript', { fields: [field('__proto__', 'text')] }, 'form_config.fields[0].key'],
        ['a key that is reserved', { fields: [field('constructor', 'text')] }, 'form_config.fields[0].key'],
        ['a key of 41 characters', { fields: [field('x'.repeat(41), 'text')] }, 'form_config.fields[0].key'],
        ['a key twice', { fields: [field('a', 'text'), field('a', 'number')] }, 'form_config.fields[1].key'],
        ['a backreference', { fields: [field('a', 'text', { pattern: '(a)\\1' })] }, 'form_config.fields[0].pattern'],
        ['a default that its own field refuses', { fields: [field('a', 'integer', { default: 'x' })] }, 'form_config.fields[0].default'],
        ['a title that is no field', { title: 'gone', fields: [field('a', 'text')] }, 'form_config.title'],
        [
          'a layout of unknown fields',
          { fields: [field('a', 'text')], layout: [{ label: 'Main', fields: ['b'] }] },
          'form_config.layout[0].fields[0]',
        ],
        ['a broken expression', { fields: [field('a', 'text', { show_if: 'content.(' })] }, 'form_config.fields[0].show_if'],
        ['a type that comes later', { fields: [field('a', 'formula', { expr: '1' })] }, 'form_config.fields[0].type'],
      ],
      async (_, form_config, path) => {
        const refused = await client.post('/object-schemas', { form_name: `x ${newId()}`, form_config }).expect(400);
        expect(refused.body).toMatchObject({ code: 'validation_failed' });
        expect((refused.body as { errors: { path: string }[] }).errors.map((fault) => fault.path)).toContain(path);
      },
    ));

  it('show with compiled what an object stores, as an independent validator reads it', async () => {
    const { form_id } = await makeSchema(client, [
      field('price', 'number', { min: 0, decimals: 2 }),
      field('kind', 'select', { options: [{ value: 'a', label: 'A' }] }),
      field('lines', 'list', { fields: [field('count', 'integer'), field('note', 'text')] }),
      field('place', 'location'),
      field('cost', 'currency'),
      field('day', 'date'),
    ]);
    const { json_schema } = (await client.get(`/object-schemas/${form_id}?compiled=true`).expect(200)).body as { json_schema: object };
    expect((await client.get(`/object-schemas/${form_id}`).expect(200)).body).not.toHaveProperty('json_schema');
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    const valid = ajv.compile(json_schema);
    const content = {
      name: 'Lamp',
      price: 1.25,
      kind: 'a',
      lines: [{ count: 2, note: 'x' }],
      place: { lat: 1, lng: 2 },
      cost: { amount: '1.50', currency: 'EUR' },
      day: '2026-02-28',
    };
    const { obj_id } = await makeObject(client, form_id, content);
    const stored = (await readObject(client, obj_id)).obj_content;
    expect(stored).toMatchObject(content);
    expect(valid(stored) || valid.errors).toBe(true);
    expect(valid({ ...stored, price: 'dear' })).toBe(false);
    expect(valid({ ...stored, colour: 'red' })).toBe(false);
  });
});

describe('a schema whose objects are stored', () => {
  it('[objects 3] hides a removed field and shows it when it is back; a renamed one is readable at once and after the job', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number'), field('colour', 'text', { filterable: true })]);
    const { obj_id } = await makeObject(client, form_id, { price: 5, colour: 'red' });
    await reshape(client, form_id, [field('colour', 'text', { filterable: true })]).expect(200);
    expect((await readObject(client, obj_id)).obj_content).toEqual({ name: 'Thing', colour: 'red' });
    await followed(client, form_id);
    await reshape(client, form_id, [field('price', 'number'), field('colour', 'text', { filterable: true })]).expect(200);
    expect((await readObject(client, obj_id)).obj_content).toEqual({ name: 'Thing', price: 5, colour: 'red' });
    await followed(client, form_id);
    await reshape(client, form_id, [field('price', 'number'), field('shade', 'text', { filterable: true, renamed_from: 'colour' })]).expect(
      200,
    );
    const renamed = async (): Promise<void> => {
      const content = { name: 'Thing', price: 5, shade: 'red' };
      expect((await readObject(client, obj_id)).obj_content).toEqual(content);
      expect((await listObjects(client, `?obj_form=${form_id}`)).data[0]?.obj_content).toEqual(content);
      // The old key is no field any more, neither to write nor to find by.
      const old = await client.patch(`/objects/${obj_id}`, { obj_content: { colour: 'blue' } }).expect(400);
      expect(old.body.errors).toMatchObject([{ path: 'obj_content.colour', code: 'unknown_field' }]);
      await client.get(`/objects?obj_form=${form_id}&obj_content[colour]=red`).expect(400);
      expect(JSON.stringify((await client.get(`/objects/${obj_id}/revisions`).expect(200)).body)).toContain('"red"');
    };
    await renamed();
    await followed(client, form_id);
    await renamed();
    expect((await listObjects(client, `?obj_form=${form_id}&obj_content[shade]=red`)).data).toHaveLength(1);
    expect(await api.sql('SELECT rev_action FROM object_revision WHERE rev_object = $1 ORDER BY rev_version', [obj_id])).toEqual([
      { rev_action: 'created' },
      { rev_action: 'schema_changed' },
    ]);
  }, 60_000);

  it('[objects 4] does not become one that would lose values: 409 with their number, and taken where none is stored', async () => {
    const { form_id } = await makeSchema(client, [field('when', 'number')]);
    await reshape(client, form_id, [field('when', 'date')]).expect(200);
    await reshape(client, form_id, [field('when', 'number')]).expect(200);
    for (const when of [5, 6]) await makeObject(client, form_id, { when });
    await makeObject(client, form_id);
    const refused = await reshape(client, form_id, [field('when', 'date')]).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ code: 'type' }] });
    expect(refused.body.detail).toContain('2 stored values');
  });

  it.each([
    ['within a group', (obj_id: string) => readObject(client, obj_id)],
    ['of an object in the trash', (obj_id: string) => client.delete(`/objects/${obj_id}`).expect(204)],
    [
      'of an object that has another schema by now',
      async (obj_id: string) => client.patch(`/objects/${obj_id}`, { obj_form: (await makeSchema(client)).form_id }).expect(200),
    ],
  ])('[objects 4] counts a value %s', async (_, put) => {
    const fields = (type: string): object[] => [field('box', 'group', { fields: [field('when', type)] })];
    const { form_id } = await makeSchema(client, fields('number'));
    const { obj_id } = await makeObject(client, form_id, { box: { when: 5 } });
    await put(obj_id);
    const refused = await reshape(client, form_id, fields('date')).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ code: 'type' }] });
    expect(refused.body.detail).toContain('1 stored value');
  });

  it('[objects 5] may tighten: an object below is read, and refused at the next write of its content', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number')]);
    const { obj_id } = await makeObject(client, form_id, { price: 5 });
    await reshape(client, form_id, [field('price', 'number', { min: 10 })]).expect(200);
    expect((await readObject(client, obj_id)).obj_content.price).toBe(5);
    const refused = await client.patch(`/objects/${obj_id}`, { obj_content: { name: 'Other' } }).expect(400);
    expect(refused.body.errors).toMatchObject([{ path: 'obj_content.price', code: 'minimum' }]);
    await client.patch(`/objects/${obj_id}`, { obj_metadata: { a: 1 } }).expect(200);
    await client.patch(`/objects/${obj_id}`, { obj_content: { price: 10 } }).expect(200);
  });

  it('[objects 6] takes no content while it is inactive; other fields do, and content again under another schema', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number'), field('size', 'text')]);
    const other = await makeSchema(client, [field('price', 'number', { filterable: true }), field('size', 'number')]);
    const { obj_id } = await makeObject(client, form_id, { price: 5, size: 'large' });
    await client.delete(`/object-schemas/${form_id}`).expect(204);
    const path = `/objects/${obj_id}`;
    expect((await client.patch(path, { obj_content: { price: 6 } }).expect(409)).body.code).toBe('invalid_state');
    expect((await client.post('/objects', { obj_form: form_id, obj_content: { name: 'x' } }).expect(409)).body.code).toBe('invalid_state');
    // A field names the object: what the request says has no effect. Without such a field it has.
    expect((await client.patch(path, { obj_name: 'Ignored' }).expect(200)).body.obj_name).toBe('Thing');
    const untitled = await makeSchema(client, [], {}, { title: undefined });
    const named = await makeObject(client, untitled.form_id, {}, { obj_name: 'First' });
    await client.delete(`/object-schemas/${untitled.form_id}`).expect(204);
    await client.patch(`/objects/${named.obj_id}`, { obj_name: 'Second' }).expect(200);
    expect((await readObject(client, named.obj_id)).obj_name).toBe('Second');
    await client.patch(path, { obj_metadata: { kept: true } }).expect(200);
    const moved = await client.patch(path, { obj_form: other.form_id }).expect(200);
    expect(moved.body).toMatchObject({ obj_form: other.form_id, obj_content: { name: 'Thing', price: 5 } });
    await client.patch(path, { obj_content: { price: 6 } }).expect(200);
    expect((await listObjects(client, `?obj_form=${other.form_id}&obj_content[price]=6`)).data).toHaveLength(1);
    const again = await makeObject(client, other.form_id);
    expect((await client.patch(`/objects/${again.obj_id}`, { obj_form: form_id }).expect(409)).body.code).toBe('invalid_state');
  });

  it('does not make a field unique whose values are stored twice', async () => {
    const { form_id } = await makeSchema(client, [field('sku', 'text')]);
    await makeObject(client, form_id, { sku: 'A' });
    await makeObject(client, form_id, { sku: 'A' });
    const refused = await reshape(client, form_id, [field('sku', 'text', { unique: true })]).expect(409);
    expect(refused.body).toMatchObject({ code: 'in_use', errors: [{ code: 'unique', message: expect.stringContaining('A') as string }] });
  });

  it('[objects 10] is found by a key that becomes filterable once its migration is done', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number')]);
    for (const price of [3, 1, 2]) await makeObject(client, form_id, { name: `No ${price}`, price });
    await client.get(`/objects?obj_form=${form_id}&obj_content[price]=1`).expect(400);
    const gate = await WriteGate.open(api);
    try {
      await gate.at('INSERT ON form_value', `NEW.form_id = '${form_id}' AND NEW.field_key = 'price'`);
      await reshape(client, form_id, [field('price', 'number', { filterable: true })]).expect(200);
      await gate.untilHeldUp(1);
      const early = await client.get(`/objects?obj_form=${form_id}&obj_content[price]=1`).expect(409);
      expect(early.body).toMatchObject({ code: 'invalid_state' });
    } finally {
      await gate.release();
      await gate.close();
    }
    await followed(client, form_id);
    expect(names(await listObjects(client, `?obj_form=${form_id}&obj_content[price][gte]=2&sort=-obj_content_price`))).toEqual([
      'No 3',
      'No 2',
    ]);
  });

  it('takes its new objects and a change of itself at once, each by one revision', async () => {
    const { form_id } = await makeSchema(client, [field('price', 'number')]);
    const [changed, ...made] = await Promise.all([
      reshape(client, form_id, [field('price', 'number', { max: 10 })]),
      ...Array.from({ length: 8 }, () => client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', price: 11 } })),
    ]);
    expect(changed.status).toBe(200);
    expect(made.filter(({ status }) => status !== 201 && status !== 400)).toEqual([]);
    await client.post('/objects', { obj_form: form_id, obj_content: { name: 'x', price: 11 } }).expect(400);
  });
});
