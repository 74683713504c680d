import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { checkKey, checkMapping, columnOfFault, keyIn, RowReader, suggestedMapping } from './object-columns';

type FormOfTests = Parameters<typeof checkMapping>[2];

const FIELDS: Readonly<Record<string, object>> = {
  sku: { unique: true, in_list: false, type: {} },
  price: { unique: false, in_list: false, type: {} },
  address: { unique: false, in_list: false, type: { takesFields: true } },
  'lines.price': { unique: false, in_list: true, type: {} },
};
const form = { field: (path: string) => FIELDS[path] } as unknown as FormOfTests;

const faultsOf = (work: () => void): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);
  }
};

describe('columns of objects', () => {
  it('are what their names say: fields first, each thing once', () => {
    const columns = ['SKU', 'External ID', 'obj_external_id', 'address', 'Terms', 'Colour', 'title'];
    expect(suggestedMapping(columns, { SKU: 'sku' }, form)).toEqual({
      SKU: 'sku',
      'External ID': 'obj_external_id',
      obj_external_id: null,
      address: 'address',
      Terms: 'obj_terms',
      Colour: null,
      title: 'obj_name',
    });
  });

  it('are mapped to what is there, each target once', () => {
    const check = (mapping: Record<string, string | null>) => faultsOf(() => checkMapping(mapping, ['a', 'b'], form));
    expect(check({ a: 'price', b: 'obj_terms' })).toEqual([]);
    expect(check({ a: null, b: 'address' })).toEqual([]);
    expect(check({ c: 'price' })).toEqual(['mapping.c unknown_column']);
    expect(check({ a: 'colour' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'lines.price' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'obj_source' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'constructor' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 7 as unknown as string })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'price', b: 'price' })).toEqual(['mapping.b duplicate']);
  });

  it('have the key of an upsert, which is the external id or a unique field', () => {
    const check = (order: { mode: 'insert' | 'upsert'; key?: string }, ...targets: string[]) =>
      faultsOf(() => checkKey(Object.fromEntries(targets.map((target, at) => [`c${at}`, target])), order, form));
    expect(check({ mode: 'insert' })).toEqual([]);
    expect(check({ mode: 'insert', key: 'sku' }, 'sku')).toEqual(['key unknown_field']);
    expect(check({ mode: 'upsert' }, 'obj_external_id')).toEqual([]);
    expect(check({ mode: 'upsert' }, 'sku')).toEqual(['mapping required']);
    expect(check({ mode: 'upsert', key: 'sku' }, 'sku')).toEqual([]);
    expect(check({ mode: 'upsert', key: 'price' }, 'price')).toEqual(['key unknown_field']);
  });
});

const NOTHING: JsonObject = {};

describe('a row', () => {
  const read = (values: Record<string, JsonValue>) =>
    new RowReader(
      { id: 'obj_external_id', url: 'obj_external_url', name: 'obj_name', terms: 'obj_terms', price: 'price', note: null },
      { readValues: ({ price }) => ({ content: price === undefined ? NOTHING : { price }, faults: [] }) },
    ).read(values, 'aside');

  it('says an object, and nothing by empty cells', () => {
    expect(read({ id: 7, url: ' https://a.example/7 ', name: ' Lamp ', terms: 'a; b;;', price: 1, note: 'x' })).toEqual({
      facts: {
        obj_content: { price: 1 },
        obj_external_id: '7',
        obj_external_url: 'https://a.example/7',
        obj_name: 'Lamp',
        obj_terms: ['a', 'b'],
      },
      faults: [],
    });
    expect(read({ id: { number: 7, shown: '007' } }).facts).toEqual({ obj_external_id: '007' });
    expect(read({ id: { number: 1234, shown: '1,234' }, name: { number: 1234, shown: '1,234' } }).facts).toEqual({
      obj_external_id: '1234',
      obj_name: '1,234',
    });
    expect(read({ id: '', name: ' ', terms: null }).facts).toEqual({});
    expect(read({ terms: ['a', ' b '] }).facts).toEqual({ obj_terms: ['a', 'b'] });
  });

  it.each([
    [{ id: 'x'.repeat(513) }, 'id'],
    [{ id: { a: 1 } }, 'id'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ name: 'a\u0000b' }, 'name'],
    [{ name: '\ud800' }, 'name'],
    [{ url: 'no address' }, 'url'],
    [{ url: 'javascript:alert(1)' }, 'url'],
    [{ terms: Array.from({ length: 101 }, String) }, 'terms'],
  ])('is refused by its column for %j', (values, column) => {
    const { facts, faults } = read(values);
    expect([facts, faults.map(({ path }) => path)]).toEqual([null, [column]]);
  });

  it('has the key that objects are found by', () => {
    expect([
      keyIn({ obj_external_id: 'a' }),
      keyIn({}),
      keyIn({ obj_content: { sku: 'x' } }, 'sku'),
      keyIn({ obj_content: { a: { b: 1 } } }, 'a.b'),
      keyIn({ obj_content: {} }, 'constructor'),
    ]).toEqual(['a', null, 'x', 1, null]);
  });

  it('is reported by the column that says the field', () => {
    const pathOf = (path: string, mapping: Record<string, string | null>) =>
      columnOfFault({ path, code: 'required', message: '' }, mapping).path;
    expect(pathOf('obj_content.address.city', { City: 'address.city' })).toBe('City');
    expect(pathOf('obj_content.address.city', { Place: 'address' })).toBe('Place');
    expect(pathOf('obj_content.tags[2]', { Tags: 'tags' })).toBe('Tags');
    expect(pathOf('obj_terms[0]', { Terms: 'obj_terms' })).toBe('Terms');
    expect(pathOf('obj_content.price', { Note: null })).toBe('price');
  });
});
