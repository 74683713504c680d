import { columnOfFault, missingKey, repeatedKey } from './row-faults';
import type { RowKind } from './row-kind';

const LAMPS = { content: 'lamp_content' } as RowKind;

describe('a fault of a row', () => {
  it('is reported by the column that says the field', () => {
    const pathOf = (path: string, mapping: Record<string, string | null>) =>
      columnOfFault(LAMPS, { path, code: 'required', message: '' }, mapping).path;
    expect(pathOf('lamp_content.address.city', { City: 'address.city' })).toBe('City');
    expect(pathOf('lamp_content.address.city', { Place: 'address' })).toBe('Place');
    expect(pathOf('lamp_content.tags[2]', { Tags: 'tags' })).toBe('Tags');
    expect(pathOf('lamp_terms[0]', { Terms: 'lamp_terms' })).toBe('Terms');
    expect(pathOf('lamp_content.address.city', {})).toBe('address.city');
    expect(pathOf('lamp_content.price', { Note: null })).toBe('price');
  });

  it('names the column of the key, and the row that was taken', () => {
    expect(missingKey('sku', { SKU: 'sku' })).toEqual({ path: 'SKU', code: 'required', message: 'The row has no value for the key sku.' });
    expect(repeatedKey('sku', { SKU: 'sku' }, 4)).toEqual({
      path: 'SKU',
      code: 'duplicate_key',
      message: 'Row 4 has the same key and was taken instead.',
    });
  });
});
