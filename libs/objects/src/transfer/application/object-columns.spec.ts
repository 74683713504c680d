import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { RowReader, suggestedColumns } from './object-columns';

type FormOfTests = Parameters<typeof suggestedColumns>[2];

const FIELDS: Readonly<Record<string, object>> = {
  sku: { unique: true, in_list: false, type: {} },
  number: { unique: true, in_list: false, type: { readOnly: true } },
  price: { unique: false, in_list: false, type: {} },
  address: { unique: false, in_list: false, type: { takesFields: true } },
  'lines.price': { unique: false, in_list: true, type: {} },
};
const form = { field: (path: string) => FIELDS[path] } as unknown as FormOfTests;

describe('columns of objects', () => {
  it('are what their names say: fields first, each thing once', () => {
    const columns = ['SKU', 'External ID', 'obj_external_id', 'address', 'Terms', 'Colour', 'title'];
    expect(suggestedColumns(columns, { SKU: 'sku' }, form)).toEqual({
      SKU: 'sku',
      'External ID': 'obj_external_id',
      obj_external_id: null,
      address: 'address',
      Terms: 'obj_terms',
      Colour: null,
      title: 'obj_name',
    });
  });

  it('say nothing that the service writes alone', () => {
    expect(suggestedColumns(['Number'], { Number: 'number' }, form)).toEqual({ Number: null });
  });
});

const NOTHING: JsonObject = {};

describe('a row', () => {
  const read = (values: Record<string, JsonValue>) =>
    new RowReader(
      { id: 'obj_external_id', url: 'obj_external_url', name: 'obj_name', terms: 'obj_terms', price: 'price', note: null },
      { readValues: ({ price }) => ({ content: price === undefined ? NOTHING : { price }, faults: [] }) },
    ).readRow(values, 'aside');

  it('says an object, and nothing by empty cells', () => {
    expect(read({ id: 7, url: ' https://a.example/7 ', name: ' Lamp ', terms: 'a; b;;', price: 1, note: 'x' })).toEqual({
      wish: {
        obj_content: { price: 1 },
        obj_external_id: '7',
        obj_external_url: 'https://a.example/7',
        obj_name: 'Lamp',
        obj_terms: ['a', 'b'],
      },
      faults: [],
    });
    expect(read({ id: { number: 7, shown: '007' } }).wish).toEqual({ obj_external_id: '007' });
    expect(read({ id: { number: 1234, shown: '1,234' }, name: { number: 1234, shown: '1,234' } }).wish).toEqual({
      obj_external_id: '1234',
      obj_name: '1,234',
    });
    expect(read({ id: '', name: ' ', terms: null }).wish).toEqual({});
    expect(read({ terms: ['a', ' b '] }).wish).toEqual({ obj_terms: ['a', 'b'] });
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
    const { wish, faults } = read(values);
    expect([wish, faults.map(({ path }) => path)]).toEqual([null, [column]]);
  });
});
