import type { FormValues, OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import type { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectStore } from '../../objects/infrastructure/object-store';
import type { ImportReadings } from './import-reading';
import { ObjectTargets } from './object-target';

const ACTING = { user_id: 'u', roles: [] } as unknown as Principal;

describe('a batch of objects', () => {
  it('holds the schema, creates what is new, updates what is there, and says what became of each row in its order', async () => {
    const course: string[] = [];
    const readings = {
      openSchema: (_: string, lock = 'none') => (course.push(`schema ${lock}`), Promise.resolve({ form_id: 'f' } as OpenForm)),
      openReading: () => Promise.resolve({ columns: { mapping: {} }, reader: {} }),
    };
    const store = {
      listByExternalIds: (_: null, __: string, ids: readonly string[]) =>
        Promise.resolve(ids.filter((id) => id !== 'new').map((obj_external_id) => ({ obj_external_id, obj_acl: null }))),
    };
    const writes = {
      applyChanges: (_: unknown, changes: readonly { op: string; facts: { obj_external_id: string } }[]) =>
        Promise.resolve(
          changes.map(({ op, facts: { obj_external_id } }) => {
            course.push(`${op} ${obj_external_id}`);
            return obj_external_id === 'bad'
              ? { action: 'refused', faults: [{ path: 'obj_name', code: 'required', message: 'is required' }] }
              : { action: op === 'create' ? 'created' : 'updated' };
          }),
        ),
    };
    const targets = new ObjectTargets(
      readings as unknown as ImportReadings,
      store as unknown as ObjectStore,
      writes as unknown as ObjectWrites,
      {} as FormValues,
    );
    const target = await targets.openTarget(
      { columns: ['id'], isJson: false },
      { obj_form: 'f', mode: 'upsert', on_error: 'skip', rows: [] },
    );
    course.length = 0;
    const entries = ['there', 'bad', 'new'].map((id, at) => ({ row: at + 1, wish: { obj_external_id: id }, key: JSON.stringify(id) }));
    expect((await target.writeBatch(entries, ACTING)).map(({ outcome }) => outcome)).toEqual(['updated', 'refused', 'created']);
    expect(course).toEqual(['schema share', 'create new', 'update there', 'update bad']);
  });
});
