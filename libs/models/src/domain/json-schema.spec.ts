import type { JsonObject } from '@atrium/platform/kernel';
import { JsonSchema } from './json-schema';

describe('a JSON Schema', () => {
  it('names the value and the place that do not fit', () => {
    const schema = new JsonSchema({ type: 'object', properties: { due: { type: 'string', format: 'date' } }, required: ['due'] });
    expect(schema.faults({ due: '2026-11-23' })).toEqual([]);
    expect(schema.faults({ due: 'soon' }, 'answer')).toEqual(['answer/due must match format "date"']);
    expect(schema.faults({})).toEqual(["value must have required property 'due'"]);
  });

  it('matches patterns in linear time', () => {
    const schema = new JsonSchema({ type: 'string', pattern: '^(a+)+$' });
    expect(schema.faults('aaaa')).toEqual([]);
    expect(schema.faults(`${'a'.repeat(50_000)}!`)).toHaveLength(1);
  });

  it('keeps its patterns apart', () => {
    const schema = new JsonSchema({
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a' }, b: { type: 'string', pattern: '^b' } },
    });
    expect(schema.faults({ a: 'a', b: 'b' })).toEqual([]);
    expect(schema.faults({ a: 'a', b: 'a' })).toHaveLength(1);
  });

  it('may bear the same $id as another', () => {
    const named = (type: string): JsonSchema => new JsonSchema({ $id: 'https://example.com/one', type });
    expect([named('string').faults(1), named('number').faults(1)]).toEqual([['value must be string'], []]);
  });

  it.each<[string, JsonObject]>([
    ['an unknown type', { type: 'person' }],
    ['a reference to elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['a pattern that looks behind', { type: 'string', pattern: '(?<=a)b' }],
    ['a pattern that refers back', { type: 'string', pattern: '(a+)\\1' }],
  ])('is refused with %s', (_, schema) => expect(() => new JsonSchema(schema)).toThrow());
});
