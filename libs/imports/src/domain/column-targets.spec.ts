import { checkKey, checkMapping, suggestedMapping } from './column-targets';
import { keyValueOf, type RowKind } from './row-kind';

const LAMPS: RowKind = {
  noun: 'lamp',
  external_id: 'lamp_external_id',
  content: 'lamp_content',
  properties: { lamp_external_id: ['lamp external id', 'external id'], lamp_name: ['lamp name', 'name', 'title'] },
};

const faultsOf = (work: () => void): string[] => {
  try {
    work();
    return [];
  } catch (error) {
    return (error as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`);
  }
};

describe('columns of a table', () => {
  it('are what their names say: fields first, each thing once', () => {
    expect(suggestedMapping(LAMPS, ['SKU', 'External-ID', 'Title', 'name', 'Colour'], { SKU: 'sku', Colour: null })).toEqual({
      SKU: 'sku',
      'External-ID': 'lamp_external_id',
      Title: 'lamp_name',
      name: null,
      Colour: null,
    });
    expect(suggestedMapping(LAMPS, ['a', 'Name'], { a: 'lamp_name' })).toEqual({ a: 'lamp_name', Name: null });
  });

  it('are mapped to what is there, each target once', () => {
    const check = (mapping: Record<string, string | null>) =>
      faultsOf(() => {
        checkMapping(LAMPS, mapping, ['a', 'b'], {
          isField: (target) => ['price', 'number'].includes(target),
          isReadOnly: (target) => target === 'number',
        });
      });
    expect(check({ a: 'price', b: 'lamp_name' })).toEqual([]);
    expect(check({ a: null, b: 'price' })).toEqual([]);
    expect(check({ c: null })).toEqual([]);
    expect(check({ c: 'price' })).toEqual(['mapping.c unknown_column']);
    expect(check({ a: 'colour' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'constructor' })).toEqual(['mapping.a unknown_field']);
    expect(check({ a: 'price', b: 'price' })).toEqual(['mapping.b duplicate']);
    expect(check({ a: 'number', b: 'colour' })).toEqual(['mapping.a read_only', 'mapping.b unknown_field']);
    expect(check({ a: 'number', b: 'number' })).toEqual(['mapping.a read_only', 'mapping.b read_only']);
  });

  it('have the key of an upsert, which is the external id or a unique field', () => {
    const check = (order: { mode: 'insert' | 'upsert'; key?: string }, ...targets: string[]) =>
      faultsOf(() => {
        checkKey(LAMPS, Object.fromEntries(targets.map((target, at) => [`c${at}`, target])), order, (field) => field === 'sku');
      });
    expect(check({ mode: 'insert' })).toEqual([]);
    expect(check({ mode: 'insert', key: 'sku' }, 'sku')).toEqual(['key unknown_field']);
    expect(check({ mode: 'upsert' }, 'lamp_external_id')).toEqual([]);
    expect(check({ mode: 'upsert', key: 'lamp_external_id' }, 'lamp_external_id')).toEqual([]);
    expect(check({ mode: 'upsert' }, 'sku')).toEqual(['mapping required']);
    expect(check({ mode: 'upsert', key: 'sku' }, 'sku')).toEqual([]);
    expect(check({ mode: 'upsert', key: 'price' }, 'price')).toEqual(['key unknown_field']);
  });
});

describe('the key of a row', () => {
  it('is its external id, or what it says in a field', () => {
    expect([
      keyValueOf(LAMPS, { lamp_external_id: 'a' }),
      keyValueOf(LAMPS, {}),
      keyValueOf(LAMPS, { lamp_content: { sku: 'x' } }, 'sku'),
      keyValueOf(LAMPS, { lamp_content: { a: { b: 1 } } }, 'a.b'),
      keyValueOf(LAMPS, { lamp_content: {} }, 'constructor'),
      keyValueOf(LAMPS, {}, 'sku'),
    ]).toEqual(['a', null, 'x', 1, null, null]);
  });
});
