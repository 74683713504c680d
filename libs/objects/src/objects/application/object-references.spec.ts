import { Forms, FormReferences } from '@atrium/forms';
import { newId, SystemClock, TimeOrderedIds, type JsonObject } from '@atrium/platform/kernel';
import { withoutReferences } from './object-references';

const [SCHEMA, GONE, KEPT] = [newId(), newId(), newId()];
const forms = new Forms(new FormReferences(), new SystemClock(), new TimeOrderedIds());
const reference = (key: string, type: 'object' | 'objects') => ({ key, type, label: key, schema: SCHEMA });
const { fields } = forms.compileForm({
  fields: [
    { key: 'name', type: 'text', label: 'Name' },
    reference('one', 'object'),
    reference('some', 'objects'),
    { key: 'group', type: 'group', label: 'Group', fields: [reference('one', 'object')] },
    { key: 'lines', type: 'list', label: 'Lines', fields: [reference('some', 'objects'), { key: 'note', type: 'text', label: 'Note' }] },
  ],
});
const gone = (id: string): boolean => id === GONE;

describe('content without references that are gone', () => {
  it('loses single ones and keeps the others of a list, in groups and rows too', () => {
    const content: JsonObject = {
      name: GONE,
      one: GONE,
      some: [GONE, KEPT],
      group: { one: GONE },
      lines: [
        { _id: '1', some: [GONE], note: GONE },
        { _id: '2', some: [KEPT] },
      ],
    };
    expect(withoutReferences(content, fields, gone)).toEqual({
      name: GONE,
      some: [KEPT],
      group: {},
      lines: [
        { _id: '1', some: [], note: GONE },
        { _id: '2', some: [KEPT] },
      ],
    });
  });

  it('keeps values of fields that the schema does not have', () => {
    const content = { old: GONE, one: KEPT };
    expect(withoutReferences(content, fields, gone)).toEqual(content);
  });
});
