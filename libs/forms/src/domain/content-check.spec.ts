import Ajv2020 from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { newId, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { CompiledForm } from './compiled-form';
import { checkContent, type CheckOptions } from './content-check';
import { FieldTypes, fieldTypeNames } from './field-types';
import { FormReader } from './form-reader';
import { contentSchema } from './json-schema';
import { projectContent } from './visible-fields';

const NOW = new Date('2026-03-01T12:00:00Z');
const ID = '0190a8c4-0000-7000-8000-00000000000a';
const OTHER = '0190a8c4-0000-7000-8000-00000000000b';

function compiled(config: JsonObject): CompiledForm {
  const read = new FormReader(new FieldTypes(), 'object', NOW).readForm(config, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
}

const formOf = (...fields: JsonObject[]): CompiledForm =>
  compiled({ fields: fields.map((one, at) => ({ key: `f${at}`, label: 'Field', ...one })) });
const check = (form: CompiledForm, content: JsonValue, more: Partial<CheckOptions> = {}) =>
  checkContent(form, content, { mode: 'create', now: NOW, at: 'obj_content', ...more });
const faults = (form: CompiledForm, content: JsonValue, more: Partial<CheckOptions> = {}): string[] =>
  check(form, content, more).faults.map(({ path, code }) => `${path} ${code}`);

interface TypeCase {
  readonly config?: JsonObject;
  readonly valid: readonly [given: JsonValue, stored?: JsonValue][];
  readonly invalid: readonly [given: JsonValue, code: string, below?: string][];
}

const OPTIONS: readonly JsonObject[] = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Banana', active: false },
];

/** For each type of the language: what it takes, in which form it is stored, and what it refuses with which code. */
const TYPES: Readonly<Record<string, TypeCase>> = {
  text: {
    config: { min_length: 2, max_length: 5, pattern: '[a-z]+' },
    valid: [['abc'], ['  abc ', 'abc']],
    invalid: [
      [7, 'type'],
      ['a', 'length'],
      ['abcdef', 'length'],
      ['ABC', 'pattern'],
      ['a\u0000b', 'format'],
      ['a\nb', 'format'],
      ['a\ud800b', 'format'],
    ],
  },
  long_text: {
    config: { max_length: 20 },
    valid: [['a\nb\t c ']],
    invalid: [
      ['x'.repeat(21), 'length'],
      [true, 'type'],
      ['\u0007', 'format'],
    ],
  },
  rich_text: {
    valid: [['# Hi'], ['a <b>c</b>', 'a c']],
    invalid: [
      ['x'.repeat(100_001), 'length'],
      [{}, 'type'],
    ],
  },
  number: {
    config: { min: 0, max: 10, decimals: 2 },
    valid: [[1.25], [10], [-0, 0]],
    invalid: [
      [-1, 'minimum'],
      [11, 'maximum'],
      [1.125, 'decimals'],
      [1e-7, 'decimals'],
      ['1', 'type'],
      [JSON.parse('1e400') as number, 'type'],
      [Number.NaN, 'type'],
    ],
  },
  integer: {
    config: { min: 1, step: 5 },
    valid: [[6], [Number.MAX_SAFE_INTEGER - 5]],
    invalid: [
      [1.5, 'type'],
      [JSON.parse('9007199254740993') as number, 'type'],
      [0, 'minimum'],
      [7, 'format'],
      ['6', 'type'],
    ],
  },
  decimal: {
    config: { precision: 6, scale: 2, min: '-5', max: '1000.5' },
    valid: [['12.50'], ['0012.5', '12.5'], ['-0.00', '0.00'], ['1000.50']],
    invalid: [
      ['1.234', 'decimals'],
      ['12345.67', 'length'],
      ['-5.01', 'minimum'],
      ['1000.51', 'maximum'],
      ['1e3', 'format'],
      [5, 'type'],
      ['9'.repeat(200), 'format'],
    ],
  },
  currency: {
    config: { currencies: ['EUR', 'CHF'] },
    valid: [[{ amount: '9.90', currency: 'EUR' }]],
    invalid: [
      [{ amount: '9.90', currency: 'USD' }, 'option', '.currency'],
      [{ amount: 9.9, currency: 'EUR' }, 'type', '.amount'],
      [{ amount: '1', currency: 'EUR', tax: 1 }, 'unknown_field', '.tax'],
      ['9.90 EUR', 'type'],
    ],
  },
  percent: {
    valid: [[12.5]],
    invalid: [
      [101, 'maximum'],
      [-1, 'minimum'],
      ['5', 'type'],
    ],
  },
  boolean: {
    valid: [[true], [false]],
    invalid: [
      [1, 'type'],
      ['true', 'type'],
    ],
  },
  date: {
    config: { min: '2000-01-01', max: 'today' },
    valid: [['2024-02-29'], ['2026-03-01']],
    invalid: [
      ['2025-02-30', 'format'],
      ['2026-03-02', 'maximum'],
      ['1999-12-31', 'minimum'],
      ['2025-2-3', 'format'],
      [20250203, 'type'],
      ['0000-01-01', 'format'],
    ],
  },
  time: {
    config: { min: '08:00' },
    valid: [['09:30'], ['09:30:15']],
    invalid: [
      ['24:00', 'format'],
      ['07:59', 'minimum'],
      [9, 'type'],
    ],
  },
  datetime: {
    valid: [
      ['2026-03-31T09:30:00+02:00', '2026-03-31T07:30:00.000Z'],
      ['2026-03-31T09:30:00.1234Z', '2026-03-31T09:30:00.123Z'],
    ],
    invalid: [
      ['2025-02-30T00:00:00Z', 'format'],
      ['2026-03-31T09:30:00', 'format'],
      ['2026-03-31', 'format'],
      ['0001-01-01T00:00:00+14:00', 'format'],
      [0, 'type'],
    ],
  },
  duration: {
    config: { max: 'P2D' },
    valid: [['P1DT2H30M'], ['PT48H']],
    invalid: [
      ['PT49H', 'maximum'],
      ['P1Y', 'format'],
      ['P', 'format'],
      ['PT', 'format'],
      [5, 'type'],
    ],
  },
  email: {
    valid: [['a.b+c@harbour.example']],
    invalid: [
      ['a@b', 'format'],
      ['a b@c.de', 'format'],
      [1, 'type'],
      [`${'a'.repeat(250)}@b.de`, 'length'],
    ],
  },
  url: {
    valid: [['https://a.example/x?y=1']],
    invalid: [
      ['javascript:alert(1)', 'format'],
      ['ftp://a.example', 'format'],
      ['no url', 'format'],
      [1, 'type'],
    ],
  },
  phone: {
    valid: [['+49 30 901820', '+4930901820']],
    invalid: [
      ['030 901820', 'format'],
      ['+1', 'format'],
      [1, 'type'],
    ],
  },
  color: {
    valid: [['#0A7CFF', '#0a7cff'], ['#0a7cff80']],
    invalid: [
      ['#fff', 'format'],
      ['red', 'format'],
      [1, 'type'],
    ],
  },
  select: {
    config: { options: OPTIONS },
    valid: [['a']],
    invalid: [
      ['b', 'option'],
      ['c', 'option'],
      [1, 'type'],
    ],
  },
  multi_select: {
    config: { options: OPTIONS, max_items: 1 },
    valid: [[['a']], [['a', 'a'], ['a']], [[]]],
    invalid: [
      [['b'], 'option', '[0]'],
      [['a', 1], 'type', '[1]'],
      ['a', 'type'],
    ],
  },
  tags: {
    config: { max_items: 3 },
    valid: [
      [
        ['b', 'a', 'b'],
        ['b', 'a'],
      ],
    ],
    invalid: [
      [['a', 'b', 'c', 'd'], 'length'],
      [[1], 'type', '[0]'],
      ['a', 'type'],
      [['x'.repeat(101)], 'length', '[0]'],
    ],
  },
  rating: {
    config: { max: 3 },
    valid: [[3]],
    invalid: [
      [4, 'maximum'],
      [2.5, 'type'],
    ],
  },
  location: {
    valid: [[{ lat: 43.46, lng: 11.88, label: 'Arezzo' }], [{ lat: -90, lng: 180 }]],
    invalid: [
      [{ lat: 91, lng: 0 }, 'maximum', '.lat'],
      [{ lat: 0, lng: -181 }, 'minimum', '.lng'],
      [{ lat: 0 }, 'required', '.lng'],
      [{ lat: '0', lng: 0 }, 'type', '.lat'],
      [{ lat: 0, lng: 0, alt: 1 }, 'unknown_field', '.alt'],
    ],
  },
  file: {
    valid: [[ID], [ID.toUpperCase(), ID]],
    invalid: [
      ['x', 'format'],
      [7, 'type'],
      [[ID], 'type'],
    ],
  },
  files: {
    config: { max_items: 2 },
    valid: [[[ID, OTHER]], [[ID, ID], [ID]]],
    invalid: [
      [ID, 'type'],
      [['x'], 'format', '[0]'],
    ],
  },
  user: { valid: [[ID]], invalid: [['x', 'format']] },
  role: { valid: [[ID]], invalid: [['x', 'format']] },
  object: { config: { schema: ID }, valid: [[OTHER]], invalid: [[1, 'type']] },
  objects: { config: { schema: ID }, valid: [[[OTHER]]], invalid: [[OTHER, 'type']] },
  record: { valid: [[ID]], invalid: [['x', 'format']] },
  taxonomy: { config: { taxonomy: ID }, valid: [[OTHER]], invalid: [[[OTHER], 'type']] },
  group: {
    config: { fields: [{ key: 'city', type: 'text', label: 'City', required: true }] },
    valid: [[{ city: 'Arezzo' }]],
    invalid: [
      [{}, 'required', '.city'],
      [{ city: 'A', zip: 1 }, 'unknown_field', '.zip'],
      ['Arezzo', 'type'],
      [[], 'type'],
    ],
  },
  list: {
    config: { fields: [{ key: 'sku', type: 'text', label: 'Sku' }], max_items: 2, unique_by: 'sku' },
    valid: [
      [
        [{ sku: 'a' }, { sku: 'b' }],
        [
          { _id: 'row', sku: 'a' },
          { _id: 'row', sku: 'b' },
        ],
      ],
    ],
    invalid: [
      [[{ sku: 'a' }, { sku: 'a' }], 'unique', '[1].sku'],
      [[{}, {}, {}], 'length'],
      [[1], 'type', '[0]'],
      [[{ sku: 1 }], 'type', '[0].sku'],
      [{}, 'type'],
    ],
  },
  json: {
    valid: [[{ a: [1, { b: null }] }], ['x'], [JSON.parse('{"__proto__": {"polluted": true}}') as JsonValue]],
    invalid: [
      [{ a: 'x'.repeat(66_000) }, 'length'],
      [{ a: JSON.parse('1e400') as number }, 'type'],
      [{ a: '\u0000' }, 'format'],
    ],
  },
  auto_number: { valid: [], invalid: [[7, 'read_only']] },
  section: { valid: [], invalid: [['x', 'unknown_field']] },
  note: { valid: [], invalid: [['x', 'unknown_field']] },
};

describe('a value of the type', () => {
  it('[objects 1, 2] has cases here for every type of the language', () => {
    expect(Object.keys(TYPES).sort()).toEqual([...fieldTypeNames()].sort());
  });

  const takenCases = Object.entries(TYPES).flatMap(([type, { config, valid }]) =>
    valid.map(([given, stored = given]) => ({ type, config, given, stored })),
  );
  const refusedCases = Object.entries(TYPES).flatMap(([type, { config, invalid }]) =>
    invalid.map(([given, code, below = '']) => ({ type, config, given, code, below })),
  );

  it.each(takenCases)('$type takes $given', ({ type, config, given, stored }) => {
    const checked = check(formOf({ type, ...config }), { f0: given }, { newRowId: () => 'row' });
    expect(checked.faults).toEqual([]);
    expect(checked.content).toEqual({ f0: stored });
  });

  it.each(refusedCases)('$type refuses a value as $code', ({ type, config, given, code, below }) => {
    const found = check(formOf({ type, ...config }), { f0: given }).faults;
    expect(found.map((fault) => `${fault.path} ${fault.code}`)).toEqual([`obj_content.f0${below} ${code}`]);
    expect(found[0]?.message).toMatch(/^(Field|City|Sku|There is no field) /);
  });

  it('[objects 1] is described by a JSON Schema that an independent validator accepts and applies', () => {
    const valued = Object.entries(TYPES).filter(([, { valid }]) => valid.length > 0);
    const form = compiled({ fields: valued.map(([type, { config }]) => ({ key: type, type, label: type, ...config })) });
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true });
    addFormats(ajv);
    const validate = ajv.compile(contentSchema(form.fields) as object);
    const content = Object.fromEntries(valued.map(([type, { valid }]) => [type, valid[0]?.[0] ?? null]));
    const checked = check(form, content);
    expect(checked.faults).toEqual([]);
    expect(validate(checked.content) ? [] : validate.errors).toEqual([]);
    expect(projectContent(form, checked.content).content).toEqual(checked.content);
    for (const [type, { invalid }] of valued) {
      const wrong = invalid.find(([, code]) => code === 'type');
      // JSON itself has no such number.
      if (wrong && type !== 'json')
        expect({ type, taken: validate({ ...checked.content, [type]: wrong[0] }) }).toEqual({ type, taken: false });
    }
  });
});

describe('content', () => {
  const form = compiled({
    fields: [
      { key: 'name', type: 'text', label: 'Name', required: true },
      { key: 'kind', type: 'select', label: 'Kind', options: OPTIONS, default: 'a' },
      { key: 'price', type: 'number', label: 'Price', min: 10 },
      { key: 'reason', type: 'text', label: 'Reason', required: true, show_if: 'content.price > 100' },
      { key: 'number', type: 'auto_number', label: 'Number' },
      { key: 'secret', type: 'text', label: 'Secret', sensitive: true },
      { key: 'inner', type: 'text', label: 'Inner', hidden: true },
      {
        key: 'lines',
        type: 'list',
        label: 'Lines',
        fields: [
          { key: 'sku', type: 'text', label: 'Sku' },
          { key: 'cost', type: 'number', label: 'Cost', hidden: true },
        ],
      },
    ],
    rules: [{ when: 'content.kind == "a"', assert: 'content.name != "nothing"', message: 'Needs a name', field: 'name' }],
  });

  it('has its defaults when it is new, and never later', () => {
    expect(check(form, { name: 'x' }).content).toEqual({ name: 'x', kind: 'a' });
    expect(check(form, { price: 20 }, { mode: 'update', previous: { name: 'x' } }).content).toEqual({ name: 'x', price: 20 });
  });

  it('refuses what it does not know, and what only the service writes', () => {
    expect(faults(form, { name: 'x', colour: 1, number: 7 })).toEqual(['obj_content.colour unknown_field', 'obj_content.number read_only']);
    expect(faults(form, JSON.parse('{"name": "x", "__proto__": {"a": 1}, "constructor": 1}') as JsonObject)).toEqual([
      'obj_content.__proto__ unknown_field',
      'obj_content.constructor unknown_field',
    ]);
    expect(faults(form, { name: 'x', number: 7 }, { trusted: true })).toEqual(['obj_content.number read_only']);
    expect(faults(form, { name: 'x', number: 7 }, { mode: 'update', previous: { name: 'x', number: 7 } })).toEqual([]);
    expect(faults(form, 'x')).toEqual(['obj_content type']);
    expect(faults(form, [])).toEqual(['obj_content type']);
  });

  it('is merged by key, null clears, and all of it is judged again', () => {
    const previous = { name: 'x', price: 5, secret: 's' };
    expect(faults(form, { secret: 't' }, { mode: 'update', previous })).toEqual(['obj_content.price minimum']);
    expect(check(form, { price: null }, { mode: 'update', previous }).content).toEqual({ name: 'x', secret: 's' });
    expect(faults(form, { name: null, price: 10 }, { mode: 'update', previous })).toEqual(['obj_content.name required']);
    expect(faults(form, { name: '  ' })).toEqual(['obj_content.name required']);
  });

  it('[objects 7] needs no field that its condition hides, and keeps what is stored there', () => {
    expect(faults(form, { name: 'x', price: 50 })).toEqual([]);
    expect(faults(form, { name: 'x', price: 150 })).toEqual(['obj_content.reason required']);
    expect(check(form, { name: 'x', price: 50, reason: 'kept' }).content).toMatchObject({ reason: 'kept' });
    expect(check(form, { price: 50 }, { mode: 'update', previous: { name: 'x', price: 150, reason: 'r' } }).content).toMatchObject({
      reason: 'r',
    });
  });

  it('[objects 7] obeys rules, which refuse by their own message', () => {
    expect(check(form, { name: 'nothing' }).faults).toEqual([{ path: 'obj_content.name', code: 'rule', message: 'Needs a name' }]);
    expect(faults(form, { name: 'nothing', kind: null })).toEqual([]);
  });

  it('keeps an inactive option that is stored, and refuses it where it is new', () => {
    expect(faults(form, { price: 20 }, { mode: 'update', previous: { name: 'x', kind: 'b' } })).toEqual([]);
    expect(faults(form, { kind: 'b' }, { mode: 'update', previous: { name: 'x', kind: 'a' } })).toEqual(['obj_content.kind option']);
    expect(faults(form, { price: 20 }, { mode: 'update', previous: { name: 'x', kind: 'gone' } })).toEqual(['obj_content.kind option']);
  });

  it('keeps the ids of the rows of a list, and what their fields hide', () => {
    const first = check(form, { name: 'x', lines: [{ sku: 'a', cost: 1 }, { sku: 'b' }] }).content;
    const [a, b] = first.lines as readonly JsonObject[];
    expect(new Set([a?._id, b?._id]).size).toBe(2);
    const shown = projectContent(form, first).content.lines as readonly JsonObject[];
    expect(shown[0]).toEqual({ _id: a?._id, sku: 'a' });
    const next = check(
      form,
      { lines: [b ?? {}, { ...shown[0], sku: 'c' }, { _id: 'mine', sku: 'd' }] },
      { mode: 'update', previous: first },
    ).content;
    const rows = next.lines as readonly JsonObject[];
    expect(rows.slice(0, 2)).toEqual([b, { _id: a?._id, sku: 'c', cost: 1 }]);
    expect(rows[2]?._id).not.toBe('mine');
  });

  it('keeps values of removed fields, also within groups and rows', () => {
    const previous = { name: 'x', old: 1, lines: [{ _id: 'r', sku: 'a', gone: true }] };
    const next = check(form, { price: 10 }, { mode: 'update', previous });
    expect(next.faults).toEqual([]);
    expect(next.content).toEqual({ name: 'x', price: 10, lines: [{ _id: 'r', sku: 'a', gone: true }], old: 1 });
    expect(check(form, { lines: [{ _id: 'r', sku: 'b' }] }, { mode: 'update', previous }).content.lines).toEqual([
      { _id: 'r', sku: 'b', gone: true },
    ]);
    expect(faults(form, { old: 2 }, { mode: 'update', previous })).toEqual(['obj_content.old unknown_field']);
  });

  it('asks after references that are new, and after no stored one', () => {
    const referring = formOf({ type: 'files' }, { type: 'user' });
    const asked = check(referring, { f0: [ID, OTHER], f1: ID }, { mode: 'update', previous: { f0: [ID] } }).references;
    expect(asked.map(({ kind, id, path }) => [kind, id, path])).toEqual([
      ['file', OTHER, 'obj_content.f0[1]'],
      ['user', ID, 'obj_content.f1'],
    ]);
  });

  it('reports 100 faults at most, however many there are', () => {
    const wide = formOf({ type: 'list', max_items: 200, fields: [{ key: 'n', type: 'number', label: 'N' }] });
    expect(faults(wide, { f0: Array.from({ length: 200 }, () => ({ n: 'x' })) })).toHaveLength(100);
  });

  it('refuses a text of another form by the hint of its field, without the expression', () => {
    const message = (more: JsonObject) => check(formOf({ type: 'text', pattern: '[A-Z]-[0-9]+', ...more }), { f0: 'a' }).faults[0]?.message;
    expect(message({})).toMatch(/must match the pattern of its schema\.$/);
    expect(message({ format_hint: 'A-12' })).toMatch(/must match the pattern of its schema: A-12\.$/);
  });

  it('evaluates a hostile pattern in time that grows with the text', () => {
    const hostile = formOf({ type: 'text', pattern: '^(a+)+$', max_length: 1_000 });
    expect(faults(hostile, { f0: `${'a'.repeat(999)}!` })).toEqual(['obj_content.f0 pattern']);
  });

  it('is stable: what was judged once and shown is judged the same again', () => {
    const text = fc.string({ maxLength: 20 });
    const content = fc.record(
      {
        name: text,
        kind: fc.constantFrom('a', 'b', 'c'),
        price: fc.oneof(fc.double({ noNaN: true }), fc.integer()),
        reason: text,
        secret: text,
        lines: fc.array(fc.record({ sku: text }, { requiredKeys: [] }), { maxLength: 4 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(content, (given) => {
        const first = check(form, given, { newRowId: newId });
        if (first.faults.length > 0) return;
        const shown = projectContent(form, first.content, { hidden: true, sensitive: true });
        expect(shown.issues).toEqual([]);
        const second = check(form, shown.content, { mode: 'update', previous: first.content });
        expect(second.faults).toEqual([]);
        expect(second.content).toEqual(first.content);
      }),
      {
        numRuns: 500,
        examples: [[{ name: '!', reason: ' ' }], [{ name: '!', kind: 'a', secret: ' ', lines: [{ sku: ' ' }] }]],
      },
    );
  });
});

describe('content that may be incomplete', () => {
  const form = compiled({
    fields: [
      { key: 'name', type: 'text', label: 'Name', required: true },
      { key: 'price', type: 'number', label: 'Price', min: 10 },
      { key: 'kinds', type: 'multi_select', label: 'Kinds', options: OPTIONS, min_items: 2 },
      { key: 'words', type: 'tags', label: 'Words', required: true },
      {
        key: 'lines',
        type: 'list',
        label: 'Lines',
        min_items: 2,
        max_items: 3,
        fields: [{ key: 'sku', type: 'text', label: 'Sku', required: true }],
      },
      { key: 'aside', type: 'text', label: 'Aside', required: true, show_if: 'content.price > 100' },
    ],
    rules: [{ assert: 'content.price > 20', message: 'Too cheap' }],
  });
  const incomplete = (content: JsonObject, more: Partial<CheckOptions> = {}) =>
    check(form, content, { incomplete: true, newRowId: () => 'row', ...more });
  const listed = (found: readonly { readonly path: string; readonly code: string }[]): string[] =>
    found.map(({ path, code }) => `${path} ${code}`);

  it('is stored without what is missing, and each gap is an issue', () => {
    const { content, faults, issues } = incomplete({ price: 30, kinds: ['a'], words: [], lines: [{ sku: ' ' }] });
    expect(faults).toEqual([]);
    expect(content).toEqual({ price: 30, kinds: ['a'], words: [], lines: [{ _id: 'row' }] });
    expect(listed(issues)).toEqual([
      'obj_content.name required',
      'obj_content.kinds length',
      'obj_content.words required',
      'obj_content.lines length',
      'obj_content.lines[0].sku required',
    ]);
    expect(issues[1]).toEqual({ path: 'obj_content.kinds', code: 'length', message: 'Kinds must have at least 2 items.' });
  });

  it('has as issues what whole content has as faults', () => {
    const given = { price: 30, kinds: ['a'], words: [], lines: [{ sku: 'a' }] };
    expect(incomplete(given).issues).toEqual(check(form, given).faults);
    const whole = { name: 'x', price: 15, words: ['a'], lines: [{ sku: 'a' }, { sku: 'b' }] };
    expect(incomplete(whole).issues).toEqual([{ path: 'obj_content', code: 'rule', message: 'Too cheap' }]);
    expect(incomplete(whole).issues).toEqual(check(form, whole).faults);
    expect(incomplete(whole).content).toMatchObject({ name: 'x', price: 15 });
    expect(check(form, whole).issues).toEqual([]);
    expect(incomplete({ ...whole, price: 21 })).toMatchObject({ faults: [], issues: [] });
  });

  it('is refused all the same where a value is malformed', () => {
    const malformed = incomplete({ price: 'x', kinds: ['c'], words: 7, lines: [{}, {}, {}, {}], strange: 1 });
    expect(listed(malformed.faults)).toEqual([
      'obj_content.strange unknown_field',
      'obj_content.price type',
      'obj_content.kinds[0] option',
      'obj_content.words type',
      'obj_content.lines length',
    ]);
    expect(listed(malformed.issues)).toEqual(['obj_content.name required']);
    expect(listed(incomplete({ price: 5 }).faults)).toEqual(['obj_content.price minimum']);
  });

  it('needs nothing that its condition hides', () => {
    expect(listed(incomplete({ name: 'x', price: 150, words: ['a'] }).issues)).toEqual(['obj_content.aside required']);
    expect(incomplete({ name: 'x', price: 90, words: ['a'] }).issues).toEqual([]);
  });
});

describe('content that takes the place of what is stored', () => {
  const form = compiled({
    fields: [
      { key: 'name', type: 'text', label: 'Name', default: 'Untitled' },
      { key: 'note', type: 'text', label: 'Note', show_if: 'content.name == "a" && content.inner == "i"' },
      { key: 'inner', type: 'text', label: 'Inner', hidden: true },
      { key: 'synced', type: 'text', label: 'Synced', read_only: true },
      { key: 'file', type: 'file', label: 'File' },
    ],
  });
  const previous = { name: 'a', note: 'n', inner: 'i', synced: 's', file: ID, old: 1 };
  const replace = (content: JsonObject, more: Partial<CheckOptions> = {}) => check(form, content, { mode: 'replace', previous, ...more });

  it('loses what its writer leaves out, but not what the writer does not see or cannot write', () => {
    expect(replace({ note: 'm' })).toMatchObject({ faults: [], content: { note: 'm', inner: 'i', synced: 's', old: 1 } });
    expect(Object.keys(replace({ note: 'm' }).content)).toEqual(['note', 'inner', 'synced', 'old']);
    expect(replace({ name: null, inner: null }).content).toEqual({ synced: 's', old: 1 });
    expect(replace({ synced: 't' }).faults.map(({ code }) => code)).toEqual(['read_only']);
    expect(replace({ synced: 't' }, { trusted: true }).content).toMatchObject({ synced: 't' });
  });

  it('is judged as it will be stored: by what is given and what stays, without defaults', () => {
    expect(replace({ name: 'a', note: 'x'.repeat(256) }).faults.map(({ path }) => path)).toEqual(['obj_content.note']);
    expect(replace({ note: 'x'.repeat(256) }).faults).toEqual([]);
    expect(replace({ name: 'b', note: 'x'.repeat(256) }).faults).toEqual([]);
  });

  it('asks after references that are new, and after stored ones where that is wanted', () => {
    expect(replace({ file: ID }).references).toEqual([]);
    expect(replace({ file: OTHER }).references).toMatchObject([{ kind: 'file', id: OTHER }]);
    expect(replace({ file: ID }, { asksStored: true }).references).toMatchObject([{ kind: 'file', id: ID, path: 'obj_content.file' }]);
  });

  it('is read through the moves of its form', () => {
    const moved = formOf({ key: 'f0', type: 'text', hidden: true }).withMoves([{ within: [], from: 'was', to: 'f0', convert: null }]);
    expect(check(moved, {}, { mode: 'replace', previous: { was: 'x' } })).toMatchObject({ content: { f0: 'x' }, faults: [] });
  });
});
