import type { JsonObject } from '@atrium/platform/kernel';
import { JsonCheck, jsonIn } from './json-check';

const PERSON: JsonObject = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', minLength: 1 }, age: { type: 'integer', minimum: 0 }, mail: { type: 'string', format: 'email' } },
};

describe('a JSON Schema', () => {
  it.each([
    [{ name: 'Ada' }, []],
    [{ name: 'Ada', age: 36, mail: 'ada@example.com' }, []],
    [{}, [expect.stringContaining("required property 'name'")]],
    [{ name: '' }, [expect.stringContaining('/name')]],
    [{ name: 'Ada', age: -1 }, [expect.stringContaining('/age')]],
    [{ name: 'Ada', mail: 'nobody' }, [expect.stringContaining('/mail')]],
    [{ name: 'Ada', more: 1 }, [expect.stringContaining('additional properties')]],
    ['Ada', [expect.stringContaining('must be object')]],
  ])('says what is wrong with %j', (value, faults) => expect(new JsonCheck(PERSON).findFaults(value)).toEqual(faults));

  it.each<[string, JsonObject]>([
    ['an unknown type', { type: 'person' }],
    ['a reference back to the same value', { type: 'object', allOf: [{ $ref: '#' }] }],
    ['more than 32 KB', { description: 'x'.repeat(33_000) }],
  ])('is refused with %s', (_, schema) => {
    expect(() => new JsonCheck(schema)).toThrow(expect.objectContaining({ code: 'unprocessable_content' }));
  });
});

describe('JSON in a text', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['[1]', [1]],
    ['Sure: {"a":1}', undefined],
    ['', undefined],
    [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, undefined],
    ['{"a":"x\\u0000y"}', { a: 'xy' }],
  ])('reads %j', (text, value) => expect(jsonIn(text)).toEqual(value));
});
