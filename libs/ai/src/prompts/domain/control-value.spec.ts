import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { plainNumber, takenValue, type TakenValue } from './control-value';

const TODAY = '2026-05-04';
const ID = '01890000-0000-7000-8000-0000000000A1';
const OPTIONS = [
  { value: 'formal', label: 'formal and polite' },
  { value: 'casual', label: 'casual' },
];

const take = (type: string, props: JsonObject, value?: JsonValue): TakenValue => takenValue({ type, props }, value, TODAY);

describe('a value', () => {
  it.each<[string, JsonObject, JsonValue | undefined, string]>([
    ['text', {}, 'as {{it}} is', 'as {{it}} is'],
    ['text', { min: 2, max: 2 }, '😀😀', '😀😀'],
    ['textarea', { pattern: '[a-z]+' }, 'abc', 'abc'],
    ['text', { default: 'usual' }, undefined, 'usual'],
    ['text', { default: 'usual' }, '', 'usual'],
    ['text', {}, undefined, ''],
    ['something-else', { color: 'any' }, 'x', 'x'],
    ['constructor', {}, 'x', 'x'],
    ['slider', { min: 2, max: 0.5, pattern: '(' }, '7', '7'],
    ['slider', { default: 3 }, undefined, ''],
    ['slider', { default: 'half' }, undefined, 'half'],
    ['number', { min: 0, step: 0.1 }, 0.3, '0.3'],
    ['number', {}, 1e21, '1000000000000000000000'],
    ['number', { default: 0 }, undefined, '0'],
    ['select', { options: OPTIONS }, 'formal', 'formal and polite'],
    ['radio', { options: OPTIONS, default: 'casual' }, null, 'casual'],
    ['multiselect', { options: OPTIONS }, ['casual', 'formal'], 'casual, formal and polite'],
    ['multiselect', { options: OPTIONS, default: ['formal'] }, [], 'formal and polite'],
    ['boolean', { true_text: 'with prices', false_text: '' }, true, 'with prices'],
    ['boolean', { true_text: 'with prices', false_text: 'without' }, undefined, 'without'],
    ['boolean', {}, true, 'yes'],
    ['date', {}, '2026-02-28', '2026-02-28'],
    ['date', { default: 'today' }, undefined, TODAY],
    ['date', { default: 'today', format: 'long' }, undefined, 'May 4, 2026'],
    ['color', {}, '#AbC', '#aabbcc'],
    ['color', {}, '2B6CB0', '#2b6cb0'],
    ['url', {}, 'HTTPS://Example.com', 'https://example.com/'],
  ])('of %s with %j: %j reads %j', (type, props, value, text) => {
    expect(take(type, props, value)).toEqual({ text });
  });

  it.each<[string, JsonObject, JsonValue | undefined, string]>([
    ['text', { required: true }, undefined, 'required'],
    ['text', { required: true }, '', 'required'],
    ['text', {}, 7, 'string'],
    ['text', { max: 2 }, 'abc', 'too_long'],
    ['text', { min: 2 }, 'a', 'too_short'],
    ['text', { pattern: '[a-z]+' }, 'abc1', 'pattern'],
    ['text', {}, 'a'.repeat(50_001), 'too_long'],
    ['number', {}, '7', 'number'],
    ['number', { min: 1 }, 0, 'too_small'],
    ['number', { max: 1 }, 2, 'too_large'],
    ['number', { min: 1, step: 2 }, 4, 'step'],
    ['select', { options: OPTIONS }, 'formal and polite', 'choice'],
    ['multiselect', { options: OPTIONS }, 'formal', 'array'],
    ['multiselect', { options: OPTIONS }, ['formal', 'formal'], 'duplicate'],
    ['multiselect', { options: OPTIONS, max: 1 }, ['formal', 'casual'], 'too_many'],
    ['multiselect', { options: OPTIONS, min: 2 }, ['formal'], 'too_few'],
    ['multiselect', { options: OPTIONS, min: 1 }, [], 'required'],
    ['boolean', {}, 'true', 'boolean'],
    ['date', {}, '2026-02-30', 'date'],
    ['date', {}, 'today', 'date'],
    ['date', { min: '2026-05-01' }, '2026-04-30', 'too_small'],
    ['date', { max: '2026-05-01' }, '2026-05-02', 'too_large'],
    ['file', {}, 'x', 'uuid'],
    ['file', {}, [ID], 'uuid'],
    ['file', { multiple: true }, Array.from({ length: 21 }, () => ID), 'too_many'],
    ['user', { required: true }, [], 'required'],
    ['slider', { required: true, default: 3 }, undefined, 'required'],
    ['slider', {}, 7, 'string'],
    ['color', {}, 'blue', 'color'],
    ['url', {}, 'javascript:alert(1)', 'url'],
    ['url', {}, 'not an address', 'url'],
  ])('of %s with %j: %j is refused as %s', (type, props, value, code) => {
    expect(take(type, props, value)).toEqual({ fault: expect.objectContaining({ code }) });
  });

  it('names rows by their ids, each once, in lower case', () => {
    expect(take('document', { multiple: true, types: ['image/*'] }, [ID, ID.toLowerCase()])).toEqual({
      rows: { kind: 'document', ids: [ID.toLowerCase()], types: ['image/*'] },
    });
    expect(take('album', {}, ID)).toEqual({ rows: { kind: 'album', ids: [ID.toLowerCase()], types: [] } });
  });

  it('that has another form than its wildcard asks for is refused without the expression', () => {
    const fault = (props: JsonObject) => take('text', { pattern: '[A-Z]+', ...props }, 'a');
    expect(fault({})).toMatchObject({ fault: { message: 'must match the format of the wildcard' } });
    expect(fault({ placeholder: 'ABC' })).toMatchObject({
      fault: { message: 'must match the format of the wildcard, such as ABC' },
    });
  });

  it('is checked by its pattern in linear time', () => {
    expect(take('text', { pattern: '(a+)+b' }, 'a'.repeat(40_000))).toEqual({ fault: expect.objectContaining({ code: 'pattern' }) });
  });
});

describe('a number', () => {
  it.each([
    [1e-7, '0.0000001'],
    [-1.5e-9, '-0.0000000015'],
    [1.25e21, '1250000000000000000000'],
    [-2e21, '-2000000000000000000000'],
    [0.1, '0.1'],
    [-0, '0'],
  ])('%d is written %s', (value, text) => {
    expect(plainNumber(value)).toBe(text);
  });
});
