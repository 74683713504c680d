import type { JsonValue } from '@atrium/platform/kernel';
import { sourceRow } from './source-row';

const nested = (levels: number): JsonValue => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`) as JsonValue;

describe('a row of a source', () => {
  it('is what the source says', () => {
    expect(sourceRow({ a: [{ b: 1 }] })).toEqual({ value: { a: [{ b: 1 }] } });
    expect(sourceRow(nested(100)).fault).toBeUndefined();
  });

  it('is refused alone where it is no object, or nests beyond all use', () => {
    expect(sourceRow('text')).toEqual({ value: null, fault: 'The row is not an object.' });
    expect(sourceRow(nested(101), 'Row 7')).toEqual({ value: null, fault: 'Row 7 is nested deeper than 100 levels.' });
    expect(sourceRow(nested(5_000)).value).toBeNull();
  });
});
