import type { JsonObject } from '@atrium/platform/kernel';
import { checkedSchema } from './json-schema';

describe('a JSON Schema', () => {
  it('of an object is taken as it is', () => {
    const schema = { type: 'object', properties: { due: { type: 'string', format: 'date', pattern: '^2' } }, required: ['due'], $id: 'x' };
    expect(checkedSchema('agent_schema', schema)).toBe(schema);
    expect(checkedSchema('agent_schema', schema)).toBe(schema);
  });

  it.each<[string, JsonObject]>([
    ['of something else', { type: 'string' }],
    ['of nothing in particular', {}],
    ['with a keyword of the wrong kind', { type: 'object', properties: 7 }],
    ['that refers to what is elsewhere', { type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }],
    ['that refers back to the same value', { type: 'object', allOf: [{ $ref: '#' }] }],
    ['with a pattern that backtracks', { type: 'object', properties: { a: { type: 'string', pattern: '(a+)\\1' } } }],
  ])('%s is refused', (_, schema) => {
    expect(() => checkedSchema('agent_schema', schema)).toThrow(expect.objectContaining({ code: 'validation_failed' }));
  });
});
