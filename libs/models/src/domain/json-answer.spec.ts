import { growth, LINEAR } from '../../../platform/testing/src/growth';

import { jsonOf, objectIn } from './json-answer';

describe('the JSON of an answer', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' \n{"a":1}\n ', { a: 1 }],
    ['```json\n{"a":1}\n```', { a: 1 }],
    ['  ```\n\n[1]\n\n```  \n', [1]],
    ['```json \n"``` in it"\n```', '``` in it'],
    ['```ts\n{"a":1}\n```', undefined],
    ['```json\n{"a":1}', undefined],
    ['```', undefined],
    ['Here: {"a":1}', undefined],
  ])('%j', (said, value) => expect(jsonOf(said)).toEqual(value));

  it('is one object where one is asked for', () => {
    expect(objectIn('```json\n{"a":1}\n```')).toEqual({ a: 1 });
    expect(objectIn('[1]')).toBeNull();
  });

  it('is found in a time that grows with the length of the answer alone', () => {
    const lines = (length: number): string => `\`\`\`\n${'\n'.repeat(length)}x`;
    expect(growth(lines, 500_000, jsonOf)).toBeLessThan(LINEAR);
  });
});
