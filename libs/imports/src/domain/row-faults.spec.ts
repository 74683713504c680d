import { RefusedRows } from '@atrium/forms';
import { ColumnsOfTargets, columnOfFault, missingKey, refusedRow, repeatedKey } from './row-faults';
import type { RowKind } from './row-kind';

const LAMPS = { content: 'lamp_content' } as RowKind;

describe('a fault of a row', () => {
  it('is reported by the column that says the field', () => {
    const pathOf = (path: string, mapping: Record<string, string | null>) =>
      columnOfFault(LAMPS, { path, code: 'required', message: '' }, new ColumnsOfTargets(mapping)).path;
    expect(pathOf('lamp_content.address.city', { City: 'address.city' })).toBe('City');
    expect(pathOf('lamp_content.address.city', { Place: 'address' })).toBe('Place');
    expect(pathOf('lamp_content.tags[2]', { Tags: 'tags' })).toBe('Tags');
    expect(pathOf('lamp_terms[0]', { Terms: 'lamp_terms' })).toBe('Terms');
    expect(pathOf('lamp_content.address.city', {})).toBe('address.city');
    expect(pathOf('lamp_content.price', { Note: null })).toBe('price');
    expect(pathOf('lamp_content.prices', { Price: 'price' })).toBe('prices');
    expect(pathOf('lamp_content.a.b[1].c', { A: 'a', B: 'a.b' })).toBe('B');
    expect(pathOf('', { A: 'a' })).toBe('');
  });

  it('is one of 50 of a row, the last of which says how many others there are', () => {
    const faults = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `c${at}`, code: 'format', message: '' }));
    expect(refusedRow(1, faults(50)).faults).toHaveLength(50);
    const { row, faults: listed } = refusedRow(2, faults(1_300));
    expect([row, listed.length, listed.at(-2)?.path]).toEqual([2, 50, 'c48']);
    expect(listed.at(-1)).toEqual({ path: '', code: 'more', message: 'The row has 1,251 more faults, which are not listed.' });
  });

  it('leaves a row open of which all values are only taken, also those that are not listed', () => {
    const taken = Array.from({ length: 60 }, (_, at) => ({ path: `c${at}`, code: 'unique', message: '' }));
    const isOpen = (faults: typeof taken): boolean => {
      const refused = new RefusedRows();
      refused.addRows([refusedRow(1, faults)]);
      return !refused.isFinal;
    };
    expect(isOpen(taken)).toBe(true);
    expect(isOpen([...taken, { path: 'price', code: 'format', message: '' }])).toBe(false);
  });

  it('names the column of the key, and the row that was taken', () => {
    expect(missingKey('sku', new ColumnsOfTargets({ SKU: 'sku' }))).toEqual({
      path: 'SKU',
      code: 'required',
      message: 'The row has no value for the key sku.',
    });
    expect(repeatedKey('sku', new ColumnsOfTargets({ SKU: 'sku' }), 4)).toEqual({
      path: 'SKU',
      code: 'duplicate_key',
      message: 'Row 4 has the same key and was taken instead.',
    });
  });
});
