import { JsonSchema } from '@atrium/models';
import type { JsonObject } from '@atrium/platform/kernel';
import { fittingValues, missingFrom, withoutRequired } from './fitting-values';

const SCHEMA: JsonObject = {
  type: 'object',
  required: ['total', 'address', 'iban'],
  properties: {
    total: { type: 'number', minimum: 100 },
    code: { type: 'string', pattern: '^[A-Z]{3}$' },
    name: { type: 'string', minLength: 3 },
    'a/b': { anyOf: [{ type: 'string', maxLength: 2 }, { type: 'number' }] },
    days: { type: 'array', minItems: 2, items: { type: 'string', format: 'date' } },
    address: {
      type: 'object',
      required: ['street', 'town'],
      properties: { street: { type: 'string' }, town: { type: 'string', maxLength: 9 } },
    },
  },
};
const fitting = (values: JsonObject): JsonObject | string => fittingValues(new JsonSchema(withoutRequired(SCHEMA)), values);

describe('values that were found for a schema', () => {
  it('stay where they fit, and those that do not are left out', () => {
    const right = { total: 100, code: 'ABC', name: 'Ada', 'a/b': 'xy', days: ['2026-01-01', '2026-01-02'], address: { town: 'Kiel' } };
    expect(fitting(right)).toEqual(right);
    expect(fitting({ total: 99, code: 'AB', name: 'Al', 'a/b': 'xyz', address: { street: 'x', town: 'Kiel am Meer' } })).toEqual({
      address: { street: 'x' },
    });
  });

  it('are lists without the items that do not fit, or no list where too few are left', () => {
    expect(fitting({ days: ['2026-01-01', 'soon', '2026-01-02'] })).toEqual({ days: ['2026-01-01', '2026-01-02'] });
    expect(fitting({ days: ['soon', '2026-01-02'] })).toEqual({});
  });

  it('are refused where they do not fit together', () => {
    expect(fittingValues(new JsonSchema({ type: 'object', minProperties: 2 }), { a: 1 })).toBe('must NOT have fewer than 2 properties');
  });

  it('are missing where the schema requires them, at every depth', () => {
    expect(missingFrom(SCHEMA, { total: 1, address: { street: 'x' } })).toEqual(['iban', 'address.town']);
    expect(missingFrom(SCHEMA, {})).toEqual(['total', 'address', 'iban']);
  });

  it('are given up where checking all of them again and again takes more than one check may', () => {
    const text = 'a'.repeat(400);
    const costly = { const: text, allOf: Array.from({ length: 80 }, () => ({ pattern: 'a' })) };
    const wrong = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`wrong${at}`, { const: 1, not: {} }]));
    const values = { costly: text, ...Object.fromEntries(Object.keys(wrong).map((name) => [name, 1])) };
    const schema = new JsonSchema({ type: 'object', properties: { costly, ...wrong } });
    expect(schema.findMisfit({ costly: text })).toBeNull();
    expect(fittingValues(schema, values)).toContain('too large');
  });
});
