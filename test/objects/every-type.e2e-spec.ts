import { newId } from '@atrium/platform/kernel';
import type { Client, RunningApi, TestWorkspace } from '@atrium/platform/testing';
import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { storeFile } from '../files/stored-files';
import { addText, makeBase } from '../knowledge/bases';
import { sharedAtriumWithWorker } from '../support/shared-atrium';
import { addTerm, makeTaxonomy } from './classifying';
import { field, makeObject, makeSchema, readObject, type Schema } from './objects';

/** A type: its settings, a value as it is stored, and one that is refused, with the code and the place below the field. */
interface Sample {
  readonly config?: object;
  readonly valid: unknown;
  readonly invalid: unknown;
  readonly code: string;
  readonly below?: string;
}

const OPTIONS = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Banana' },
];
const SKU = [field('sku', 'text')];

const PLAIN: Readonly<Record<string, Sample>> = {
  text: { config: { pattern: '[a-z]+' }, valid: 'abc', invalid: 'ABC', code: 'pattern' },
  long_text: { config: { max_length: 20 }, valid: 'a\nb', invalid: 'x'.repeat(21), code: 'length' },
  rich_text: { valid: '# Hi', invalid: 7, code: 'type' },
  number: { config: { min: 0, decimals: 2 }, valid: 1.25, invalid: 1.125, code: 'decimals' },
  integer: { config: { max: 10 }, valid: 6, invalid: 11, code: 'maximum' },
  decimal: { config: { precision: 6, scale: 2 }, valid: '12.50', invalid: '1.234', code: 'decimals' },
  currency: {
    config: { currencies: ['EUR'] },
    valid: { amount: '9.90', currency: 'EUR' },
    invalid: { amount: '9.90', currency: 'USD' },
    code: 'option',
    below: '.currency',
  },
  percent: { valid: 12.5, invalid: -1, code: 'minimum' },
  boolean: { valid: true, invalid: 'true', code: 'type' },
  date: { valid: '2024-02-29', invalid: '2025-02-30', code: 'format' },
  time: { config: { min: '08:00' }, valid: '09:30', invalid: '07:59', code: 'minimum' },
  datetime: { valid: '2026-03-31T07:30:00.000Z', invalid: '2026-03-31T09:30:00', code: 'format' },
  duration: { config: { max: 'P2D' }, valid: 'PT48H', invalid: 'PT49H', code: 'maximum' },
  email: { valid: 'a.b@harbour.example', invalid: 'a@b', code: 'format' },
  url: { valid: 'https://a.example/x?y=1', invalid: 'ftp://a.example', code: 'format' },
  phone: { valid: '+4930901820', invalid: '030 901820', code: 'format' },
  color: { valid: '#0a7cff', invalid: 'red', code: 'format' },
  select: { config: { options: OPTIONS }, valid: 'a', invalid: 'c', code: 'option' },
  multi_select: { config: { options: OPTIONS }, valid: ['a', 'b'], invalid: ['a', 'c'], code: 'option', below: '[1]' },
  tags: { config: { max_items: 2 }, valid: ['b', 'a'], invalid: ['a', 'b', 'c'], code: 'length' },
  rating: { config: { max: 3 }, valid: 3, invalid: 4, code: 'maximum' },
  location: { valid: { lat: 43.46, lng: 11.88 }, invalid: { lat: 91, lng: 0 }, code: 'maximum', below: '.lat' },
  group: {
    config: { fields: [field('city', 'text', { required: true })] },
    valid: { city: 'Arezzo' },
    invalid: {},
    code: 'required',
    below: '.city',
  },
  list: {
    config: { fields: SKU, unique_by: 'sku' },
    valid: [{ sku: 'x' }],
    invalid: [{ sku: 'x' }, { sku: 'x' }],
    code: 'unique',
    below: '[1].sku',
  },
  json: { valid: { a: [1, { b: null }] }, invalid: { a: 'x'.repeat(66_000) }, code: 'length' },
};

/** Codes of faults that a JSON Schema can say, and types of which it says no more than the shape. */
const SAID_BY_SCHEMA = ['length', 'type', 'maximum', 'minimum', 'option', 'required', 'format'];
const UNSAID = ['url', 'time', 'duration', 'datetime'];
/** No field stores such a value. */
const WRONG_SHAPE = { shape: ['none'] };

let api: RunningApi;
let ours: TestWorkspace;
let client: Client;
let samples: Readonly<Record<string, Sample>>;
let schema: Schema;

beforeAll(async () => {
  api = await sharedAtriumWithWorker();
  ours = await api.workspace(['module-objects']);
  ({ client } = ours.owner);
  const { form_id } = await makeSchema(client);
  const [one, two] = [await makeObject(client, form_id), await makeObject(client, form_id)];
  const file = await storeFile(api, ours, { name: 'plan.txt' });
  const taxonomy = await makeTaxonomy(client);
  const term = await addTerm(client, taxonomy, 'Lamps');
  const { data: roles } = (await client.get('/admin/roles').expect(200)).body as { data: { role_id: string }[] };
  const { ds_id } = await makeBase(client, { ds_type: 'text' });
  const record = await addText(client, ds_id, 'Gulls', 'Gulls nest on the pier.');
  const unknown = { invalid: newId(), code: 'reference' };
  samples = {
    ...PLAIN,
    file: { valid: file.file_id, ...unknown },
    files: { valid: [file.file_id], invalid: [newId()], code: 'reference', below: '[0]' },
    user: { valid: ours.owner.user_id, ...unknown },
    role: { valid: roles[0]?.role_id, ...unknown },
    object: { config: { schema: form_id }, valid: one.obj_id, ...unknown },
    objects: { config: { schema: form_id }, valid: [one.obj_id, two.obj_id], invalid: [newId()], code: 'reference', below: '[0]' },
    record: { config: { base: ds_id }, valid: record.rec_id, ...unknown },
    taxonomy: { config: { taxonomy }, valid: term.term_id, ...unknown },
  };
  schema = await makeSchema(client, [
    ...Object.entries(samples).map(([type, { config }]) => field(`a_${type}`, type, config)),
    field('a_number_of_its_own', 'auto_number'),
    field('a_section', 'section'),
    field('a_note', 'note', { text: 'Read this.' }),
  ]);
}, 120_000);
afterAll(() => api.close());

const contentOf = (pick: (sample: Sample) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(samples).map(([type, sample]) => [`a_${type}`, pick(sample)]));

describe('a schema with every type of field', () => {
  it('[objects 1] has a JSON Schema that an independent validator applies, and an object with all of them comes back equal', async () => {
    const { body } = await client.get(`/object-schemas/${schema.form_id}?compiled=true`).expect(200);
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
    addFormats(ajv);
    const validate = ajv.compile((body as { json_schema: object }).json_schema);

    const given = contentOf(({ valid }) => valid);
    const { obj_id } = await makeObject(client, schema.form_id, given);
    const { obj_content } = await readObject(client, obj_id);
    const [row] = obj_content['a_list'] as { _id: string; sku: string }[];
    expect(obj_content).toEqual({ name: 'Thing', ...given, a_list: [{ _id: row?._id, sku: 'x' }], a_number_of_its_own: 1 });
    expect(validate(obj_content) ? [] : validate.errors).toEqual([]);
    // What the service refuses by the shape of a value alone, the validator refuses as well.
    const taken = Object.entries(samples)
      .filter(([type]) => type !== 'json')
      .filter(([type, { invalid, code }]) =>
        validate({ ...obj_content, [`a_${type}`]: SAID_BY_SCHEMA.includes(code) && !UNSAID.includes(type) ? invalid : WRONG_SHAPE }),
      );
    expect(taken.map(([type]) => type)).toEqual([]);
    for (const [key, value] of [
      ['a_number_of_its_own', 'one'],
      ['a_section', 'x'],
      ['b_nothing', 'x'],
      ['name', null],
    ] as const)
      expect({ key, taken: validate({ ...obj_content, [key]: value }) }).toEqual({ key, taken: false });

    const { a_number_of_its_own: _, ...again } = obj_content;
    const twin = await makeObject(client, schema.form_id, again);
    expect(twin.obj_content).toEqual({ ...obj_content, a_list: twin.obj_content['a_list'], a_number_of_its_own: 2 });
    expect(twin.obj_content['a_list']).toEqual([expect.objectContaining({ sku: 'x' })]);
  });

  it('[objects 2] refuses one value that is not valid with one entry, for each type, where it is and why', async () => {
    const { obj_id } = await makeObject(client, schema.form_id);
    for (const [type, { invalid, code, below = '' }] of Object.entries(samples)) {
      const refused = await client.patch(`/objects/${obj_id}`, { obj_content: { [`a_${type}`]: invalid } });
      const { errors } = refused.body as { errors?: { path: string; code: string }[] };
      expect({ type, status: refused.status, errors: errors?.map((one) => `${one.path} ${one.code}`) }).toEqual({
        type,
        status: 400,
        errors: [`obj_content.a_${type}${below} ${code}`],
      });
    }
    for (const [key, code] of [
      ['a_number_of_its_own', 'read_only'],
      ['a_section', 'unknown_field'],
      ['a_note', 'unknown_field'],
    ] as const) {
      const { body } = await client.patch(`/objects/${obj_id}`, { obj_content: { [key]: 7 } }).expect(400);
      expect((body as { errors: object[] }).errors).toEqual([expect.objectContaining({ path: `obj_content.${key}`, code })]);
    }
  });
});
