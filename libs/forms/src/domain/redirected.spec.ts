import type { JsonObject } from '@atrium/platform/kernel';
import { FieldTypes } from './field-types';
import { FormReader } from './form-reader';
import { redirectedValues } from './redirected';

const [OLD, NEW, OTHER] = ['1', '2', '3'].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`) as [string, string, string];

const compiled = (fields: readonly object[]) => {
  const read = new FormReader(new FieldTypes(), 'object', new Date()).readForm({ fields: fields as JsonObject[] }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return read.form;
};

const term = (key: string, more: object = {}): object => ({ key, type: 'taxonomy', label: key, taxonomy: OTHER, ...more });

describe('references that go to another thing', () => {
  const form = compiled([
    term('one'),
    term('many', { multiple: true }),
    { key: 'note', type: 'text', label: 'Note' },
    { key: 'place', type: 'group', label: 'Place', fields: [term('inner'), { key: 'city', type: 'text', label: 'City' }] },
    { key: 'rows', type: 'list', label: 'Rows', fields: [term('each')] },
  ]);
  const to = (content: JsonObject): JsonObject => redirectedValues(form, content, { kind: 'taxonomy', from: OLD, to: NEW });

  it('are those of the kind, in fields, groups and rows, each value as a whole', () => {
    expect(
      to({
        one: OLD,
        many: [OTHER, OLD],
        note: OLD,
        place: { inner: OLD, city: 'Arezzo' },
        rows: [
          { _id: 'a', each: OLD },
          { _id: 'b', each: OTHER },
        ],
      }),
    ).toEqual({
      one: NEW,
      many: [OTHER, NEW],
      place: { inner: NEW, city: 'Arezzo' },
      rows: [
        { _id: 'a', each: NEW },
        { _id: 'b', each: OTHER },
      ],
    });
  });

  it('stand once in a list that has the other thing already', () => expect(to({ many: [NEW, OLD] })).toEqual({ many: [NEW] }));
  it('are none where nothing refers to it', () => expect(to({ one: OTHER, many: [], note: OLD })).toEqual({}));
});
