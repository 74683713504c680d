import { newId } from '@atrium/platform/kernel';
import { hasChanged, differencesOf, textOf, type StoredObject } from './stored-object';

const lamp: StoredObject = {
  obj_form: newId(),
  obj_name: 'Lamp',
  obj_content: { name: 'Lamp', lines: [{ _id: 'a', n: 1 }] },
  obj_status: null,
  obj_flow: null,
  obj_status_since: null,
  obj_terms: [],
  obj_cover_file: null,
  obj_acl: {},
  obj_metadata: {},
  obj_source: null,
  obj_external_id: null,
  obj_external_url: null,
  obj_synced: null,
  obj_locked_fields: [],
  obj_shelf: {},
  obj_issues: [],
  obj_active: true,
  obj_deleted: null,
  obj_dropped: false,
  obj_hash: null,
};

describe('what changes between two states of an object', () => {
  it('takes writing their metadata once, however often they are compared', () => {
    const [before, after] = [
      { ...lamp, obj_metadata: { a: 1 } },
      { ...lamp, obj_metadata: { a: -0, b: [1] } },
    ];
    const stringify = jest.spyOn(JSON, 'stringify');
    for (let time = 0; time < 3; time++) {
      expect(differencesOf(before, after)).toEqual([{ field: 'obj_metadata', from: { a: 1 }, to: { a: 0, b: [1] } }]);
      expect(hasChanged(before, after)).toBe(true);
    }
    const written = stringify.mock.calls.filter(([value]) => value === before.obj_metadata || value === after.obj_metadata);
    stringify.mockRestore();
    expect(written).toHaveLength(2);
  });

  it('is nothing where only the order of keys, the ids of rows or the time of a sync differ', () => {
    const same = { ...lamp, obj_content: { lines: [{ n: 1, _id: 'b' }], name: 'Lamp' }, obj_synced: new Date() };
    expect(hasChanged(lamp, same)).toBe(false);
    expect(differencesOf(lamp, same)).toEqual([]);
    expect(textOf(lamp, 1)).toBe(textOf(same, 1));
  });

  it('is shown by key of the content and by field, with both values', () => {
    const changed = { ...lamp, obj_terms: ['t'], obj_content: { name: 'Lamp', price: 2 } };
    expect(hasChanged(lamp, changed)).toBe(true);
    expect(differencesOf(lamp, changed)).toEqual([
      { field: 'obj_terms', from: [], to: ['t'] },
      { field: 'obj_content.lines', from: [{ _id: 'a', n: 1 }], to: null },
      { field: 'obj_content.price', from: null, to: 2 },
    ]);
  });

  it('of a new object is what it says, not what every object begins with', () => {
    expect(differencesOf(null, lamp).map(({ field }) => field)).toEqual(['obj_form', 'obj_name', 'obj_content.name', 'obj_content.lines']);
  });

  it('counts a hash of its source and a deletion as changes, although revisions do not name the hash', () => {
    expect(hasChanged(lamp, { ...lamp, obj_hash: 'x' })).toBe(true);
    expect(differencesOf(lamp, { ...lamp, obj_hash: 'x' })).toEqual([]);
    const deleted = { ...lamp, obj_active: false, obj_deleted: new Date() };
    expect(differencesOf(lamp, deleted)).toEqual([{ field: 'obj_active', from: true, to: false }]);
  });

  it('another schema or revision of it is another text', () => {
    expect(textOf(lamp, 1)).not.toBe(textOf(lamp, 2));
    expect(textOf(lamp, 1)).not.toBe(textOf({ ...lamp, obj_form: newId() }, 1));
    expect(textOf(lamp, 1)).toBe(textOf({ ...lamp, obj_terms: ['t'] }, 1));
  });
});
