import { faultsOf, readValue, valueAt, type AnalysisField } from './analysis-field';

const of = (more: Partial<AnalysisField>): AnalysisField => ({ name: 'one', type: 'string', source: 'model', ...more });

describe('a value of an analysis', () => {
  it.each<[Partial<AnalysisField>, unknown, unknown]>([
    [{ type: 'string' }, ' calm ', 'calm'],
    [{ type: 'text' }, 'two\nlines', 'two\nlines'],
    [{ type: 'number', min: 0, max: 1 }, 0.5, 0.5],
    [{ type: 'integer' }, 3, 3],
    [{ type: 'boolean' }, false, false],
    [{ type: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'enum', values: ['calm', 'wild'] }, 'wild', 'wild'],
    [{ type: 'string[]' }, ['a', 'a', 'b'], ['a', 'b']],
    [{ type: 'enum[]', values: ['calm', 'wild'] }, ['calm'], ['calm']],
  ])('of %j is taken: %j', (field, given, value) => {
    expect(readValue(of(field), given)).toEqual({ value });
  });

  it.each<[Partial<AnalysisField>, unknown]>([
    [{ type: 'string' }, 3],
    [{ type: 'string' }, ' '],
    [{ type: 'string' }, 'x'.repeat(501)],
    [{ type: 'number', min: 0 }, -1],
    [{ type: 'number', max: 1 }, 2],
    [{ type: 'number' }, '3'],
    [{ type: 'integer' }, 1.5],
    [{ type: 'boolean' }, 'true'],
    [{ type: 'date' }, 'yesterday'],
    [{ type: 'enum', values: ['calm'] }, 'Calm'],
    [{ type: 'string[]' }, 'a'],
    [{ type: 'enum[]', values: ['calm'] }, ['calm', 'moody']],
  ])('of %j is refused: %j', (field, given) => {
    expect(readValue(of(field), given)).toEqual({ fault: expect.any(String) });
  });

  it('loses what cannot be stored', () => {
    expect(readValue(of({}), 'a\u0000b\ud800')).toEqual({ value: 'a b' });
  });

  it('is at a dotted path of its own, never at an inherited one', () => {
    expect(valueAt({ system: { gps: { lat: 1 } } }, 'system.gps.lat')).toBe(1);
    expect(valueAt({ system: {} }, 'system.constructor')).toBeUndefined();
    expect(valueAt({}, 'system.gps.lat')).toBeUndefined();
  });
});

describe('the fields of a schema', () => {
  it('are 1 to 40, of different names', () => {
    expect(faultsOf([])).toHaveLength(1);
    expect(faultsOf([of({}), of({})])).toEqual([expect.objectContaining({ path: 'mas_fields[1].name', code: 'duplicate' })]);
    expect(faultsOf([of({}), of({ name: 'two', type: 'enum', values: ['a'] })])).toEqual([]);
  });
});
