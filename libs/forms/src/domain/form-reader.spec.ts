import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { FieldTypes } from './field-types';
import { FormReader } from './form-reader';

const NOW = new Date('2026-03-01T12:00:00Z');

const read = (config: JsonValue) => new FormReader(new FieldTypes(), 'object', NOW).readForm(config, 'form_config');
const faultsOf = (config: JsonValue): string[] => {
  const found = read(config);
  return 'faults' in found ? found.faults.map(({ path, code }) => `${path} ${code}`) : [];
};
const field = (more: JsonObject): JsonObject => ({ key: 'name', type: 'text', label: 'Name', ...more });
const faultsOfField = (more: JsonObject): string[] => faultsOf({ fields: [field(more)] });
const ID = '0190a8c4-0000-7000-8000-000000000000';

describe('a configuration', () => {
  it('may say nothing', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ version: 1, fields: [] })).toEqual([]);
  });

  it('is closed at every level, and every fault has its path', () => {
    const config = {
      version: 2,
      colour: 'red',
      fields: [
        field({ colour: 1, required: 'yes' }),
        { key: 'kind', type: 'select', label: 'Kind', options: [{ value: 'a', colour: 1 }] },
        { key: 'lines', type: 'list', label: 'Lines', fields: [{ key: 'price', type: 'number', label: 'Price', minimum: 1 }] },
      ],
      layout: [{ label: 'Main', width: 2, fields: ['name', 'missing'] }],
      rules: [{ assert: 'true', message: 'x', colour: 1 }],
    };
    expect(faultsOf(config as unknown as JsonObject)).toEqual([
      'form_config.colour unknown_field',
      'form_config.version option',
      'form_config.fields[0].colour unknown_field',
      'form_config.fields[0].required type',
      'form_config.fields[1].options[0].colour unknown_field',
      'form_config.fields[2].fields[0].minimum unknown_field',
      'form_config.rules[0].colour unknown_field',
      'form_config.layout[0].width unknown_field',
      'form_config.layout[0].fields[1] reference',
    ]);
  });

  it.each(['__proto__', 'Constructor', 'constructor', 'prototype', 'a'.repeat(41), '1a', 'a-b', '_id', ''])('refuses the key %s', (key) => {
    expect(faultsOf({ fields: [{ ...field({}), key }] })).toEqual(['form_config.fields[0].key format']);
  });

  it('refuses a key that occurs there twice, among siblings alone', () => {
    expect(faultsOf({ fields: [field({}), field({})] })).toEqual(['form_config.fields[1].key unique']);
    expect(faultsOf({ fields: [field({}), { key: 'g', type: 'group', label: 'G', fields: [field({})] }] })).toEqual([]);
  });

  it.each([
    ['formula', 'option'],
    ['toString', 'option'],
    [7, 'option'],
  ])('refuses the type %s', (type, code) => {
    expect(faultsOfField({ type })).toEqual([`form_config.fields[0].type ${code}`]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['no label', { label: undefined as unknown as string }, ['label required']],
    ['a backreference', { pattern: '(a)\\1' }, ['pattern pattern']],
    ['a look-around', { pattern: '(?=a)b' }, ['pattern pattern']],
    ['a length beyond the type', { max_length: 1_001 }, ['max_length maximum']],
    ['bounds in the wrong order', { min_length: 20, max_length: 10 }, ['min_length maximum']],
    ['a default of another type', { default: 7 }, ['default.type']],
    ['a default that is too long', { max_length: 3, default: 'harbour' }, ['default.length']],
    ['a condition that does not parse', { show_if: 'content.' }, ['show_if format']],
    ['a condition that gives a number', { show_if: '1 + 1' }, ['show_if type']],
    ['a unique list', { type: 'tags', unique: true }, ['unique option']],
    ['a filter on a group', { type: 'json', filterable: true }, ['filterable option']],
    ['a select without options', { type: 'select' }, ['options required']],
    ['an object without its schema', { type: 'object' }, ['schema required']],
    ['an object whose schema is no id', { type: 'object', schema: 'x' }, ['schema type']],
    ['a taxonomy of no taxonomy', { type: 'taxonomy', taxonomy: 7 }, ['taxonomy type']],
    ['the schema of json, which comes later', { type: 'json', schema: {} }, ['schema unknown_field']],
    ['a value of a note', { type: 'note', required: true }, ['required unknown_field']],
    ['a date that is none as a bound', { type: 'date', min: '2025-02-30' }, ['min format']],
    ['a word of another type as a bound', { type: 'date', min: 'now' }, ['min format']],
    ['a decimal bound as a number', { type: 'decimal', min: 1 }, ['min type']],
    ['a rating of 11', { type: 'rating', max: 11 }, ['max maximum']],
    ['a currency in small letters', { type: 'currency', currencies: ['eur'] }, ['currencies format']],
    ['what an automatic number begins with', { type: 'auto_number', default: 1 }, ['default option']],
    ['a rename from nothing', { renamed_from: 'No' }, ['renamed_from format']],
    ['a group of nothing', { type: 'group', fields: [] }, ['fields required']],
  ])('refuses %s', (_, more, expected) => {
    expect(
      faultsOfField(JSON.parse(JSON.stringify(more.label === undefined && 'label' in more ? { ...more, label: '' } : more)) as JsonObject),
    ).toEqual(expected.map((one) => `form_config.fields[0].${one.replace(/^default\./, 'default ')}`));
  });

  it('refuses titles, summaries and rows of a list that name no field', () => {
    expect(faultsOf({ fields: [field({})], title: 'missing', summary: ['name', 'gone'] })).toEqual([
      'form_config.title reference',
      'form_config.summary[1] reference',
    ]);
    expect(faultsOf({ fields: [{ key: 'tags', type: 'tags', label: 'Tags' }], title: 'tags' })).toEqual(['form_config.title type']);
    expect(faultsOfField({ type: 'list', fields: [field({})], unique_by: 'sku' })).toEqual(['form_config.fields[0].unique_by reference']);
  });

  it('refuses a rename from a key that is still there', () => {
    expect(faultsOf({ fields: [field({}), field({ key: 'title', renamed_from: 'name' })] })).toEqual([
      'form_config.fields[1].renamed_from unique',
    ]);
  });

  it('holds 200 fields, nested ones counted, three levels, and 64 KB', () => {
    const many = (count: number): JsonObject[] => Array.from({ length: count }, (_, at) => field({ key: `f${at}` }));
    expect(faultsOf({ fields: many(200) })).toEqual([]);
    expect(faultsOf({ fields: [{ key: 'g', type: 'group', label: 'G', fields: many(200) }] })).toContain('form_config.fields length');
    const nest = (depth: number): JsonObject =>
      depth === 0 ? field({}) : { key: 'g', type: 'group', label: 'G', fields: [nest(depth - 1)] };
    expect(faultsOf({ fields: [nest(2)] })).toEqual([]);
    expect(faultsOf({ fields: [nest(3)] })[0]).toMatch(/length/);
    expect(faultsOf({ fields: many(200).map((one) => ({ ...one, help: 'h'.repeat(400) })) })).toEqual(['form_config length']);
  });

  it('refuses rules without a message, and conditions over the budget', () => {
    const rule = (more: JsonObject) => faultsOf({ fields: [field({})], rules: [{ assert: 'true', message: 'No.', ...more }] });
    expect(rule({})).toEqual([]);
    expect(rule({ message: '' })).toEqual(['form_config.rules[0].message required']);
    expect(rule({ field: 'gone' })).toEqual(['form_config.rules[0].field reference']);
    expect(rule({ assert: `${'1 + '.repeat(150)}1 > 0` })).toEqual(['form_config.rules[0].assert format']);
    expect(rule({ when: '"text"' })).toEqual(['form_config.rules[0].when type']);
  });

  it('names the position of what cannot be parsed', () => {
    const found = read({ fields: [field({ show_if: 'content.a > + 1' })] });
    expect('faults' in found && found.faults[0]?.message).toMatch(/position 12/);
  });

  it('takes what the contract shows', () => {
    const config = {
      version: 1,
      fields: [
        field({ required: true }),
        { key: 'kind', type: 'select', label: 'Kind', options: [{ value: 'a', label: 'A' }] },
        { key: 'price', type: 'number', label: 'Price', required: true, min: 0, decimals: 2 },
        { key: 'approver', type: 'user', label: 'Approver' },
        { key: 'maker', type: 'object', label: 'Maker', schema: ID, on_delete: 'restrict' },
      ],
      title: 'name',
      summary: ['kind', 'price'],
      layout: [{ label: 'Main', columns: 2, fields: ['name', 'price'] }],
      rules: [{ when: 'content.price > 100.0', assert: 'has(content.approver)', message: 'Needs an approver', field: 'approver' }],
    };
    expect(faultsOf(config)).toEqual([]);
  });

  it('reports 100 faults at most', () => {
    const fields = Array.from({ length: 150 }, (_, at) => field({ key: `f${at}`, colour: 1 }));
    expect(faultsOf({ fields })).toHaveLength(100);
  });
});
