import { type Clock, type JsonObject } from '@atrium/platform/kernel';
import { Wildcard } from './wildcard';

const clock = { now: () => new Date('2026-05-04T12:00:00Z') } as Clock;
const OPTIONS = [
  { value: 'a', label: 'A' },
  { value: 'b', label: 'B' },
];

const pathsOf = (wildcard_control_type: string, wildcard_control_props: JsonObject): string[] => {
  try {
    new Wildcard().describe({ wildcard_name: 'tone', wildcard_control_type, wildcard_control_props }, clock);
    return [];
  } catch (error) {
    return (error as { errors: { path: string }[] }).errors.map(({ path }) => path.replace('wildcard_control_props.', ''));
  }
};

describe('a wildcard', () => {
  it.each<[string, JsonObject]>([
    ['text', { min: 1, max: 10, pattern: '^[a-z]+$', placeholder: 'x', default: 'abc', required: true }],
    ['number', { min: -1, max: 1, step: 0.5, default: 0.5 }],
    ['select', { options: OPTIONS, default: 'b', required: false }],
    ['multiselect', { options: OPTIONS, min: 0, max: 2, default: ['a', 'b'] }],
    ['boolean', { true_text: 'y', false_text: 'n', default: true }],
    ['date', { min: '2026-01-01', max: '2026-12-31', default: 'today', format: 'long' }],
    ['document', { multiple: true, required: true, types: ['application/pdf', 'image/*'] }],
    ['user', {}],
    ...['file', 'document', 'knowledge-base', 'album', 'user'].map((type): [string, JsonObject] => [type, { types: ['image/*'] }]),
    ['color', { default: '#fff' }],
    ['signature', { pen: 'blue', required: true }],
    ['signature', { pattern: '(', required: 'maybe', default: null }],
    ['slider', { min: 0.5, max: 0, default: 3, required: true }],
    ['constructor', { pattern: '(' }],
  ])('of the type %s takes the settings %j', (type, props) => {
    expect(pathsOf(type, props)).toEqual([]);
  });

  it.each<[string, JsonObject, string[]]>([
    ['text', { max: 0, rows: 3 }, ['max', 'rows']],
    ['text', { min: 5, max: 4 }, ['min']],
    ['text', { pattern: '(a)\\1' }, ['pattern']],
    ['text', { pattern: 'a(?=b)' }, ['pattern']],
    ['text', { pattern: 'a'.repeat(201) }, ['pattern']],
    ['text', { pattern: '[0-9]+', default: 'abc' }, ['default']],
    ['number', { step: 0 }, ['step']],
    ['number', { max: 1, default: 2 }, ['default']],
    ['select', {}, ['options']],
    ['select', { options: [] }, ['options']],
    ['select', { options: [{ value: 'a' }] }, ['options']],
    ['select', { options: [...OPTIONS, { value: 'a', label: 'C' }] }, ['options']],
    ['select', { options: Array.from({ length: 201 }, (_, at) => ({ value: `${at}`, label: 'x' })) }, ['options']],
    ['select', { options: OPTIONS, default: 'c' }, ['default']],
    ['multiselect', { options: OPTIONS, required: true }, ['required']],
    ['boolean', { default: 'yes' }, ['default']],
    ['date', { min: '2026-02-30' }, ['min']],
    ['date', { min: '2026-03-01', max: '2026-02-01' }, ['min']],
    ['date', { max: '2026-05-03', default: 'today' }, ['default']],
    ['date', { format: 'short' }, ['format']],
    ['file', { types: ['pdf'] }, ['types']],
    ['user', { types: ['png'] }, ['types']],
    ['album', { types: 'image/*' }, ['types']],
    ['knowledge-base', { rows: 2 }, ['rows']],
    ['url', { default: 'ftp://x' }, ['default']],
  ])('of the type %s refuses the settings %j', (type, props, paths) => {
    expect(pathsOf(type, props)).toEqual(paths);
  });
});
