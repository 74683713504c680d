import { newId } from '@atrium/platform/kernel';
import { faultsOfBody } from '@atrium/platform/testing';
import { ImportObjects } from './import.dto';

const ROWS = [{ id: '1', name: 'Lamp' }];

describe('an import of objects', () => {
  it.each<[string, object, string, string]>([
    ['no rows', { rows: [] }, 'rows', 'too_few'],
    ['too many rows', { rows: Array.from({ length: 1_001 }, () => ({ a: 1 })) }, 'rows', 'too_many'],
    ['an unknown mode', { rows: ROWS, mode: 'replace' }, 'mode', 'choice'],
    ['a dry run', { rows: ROWS, dry_run: true }, 'dry_run', 'unknown_field'],
  ])('is refused with %s', async (_, more, path, code) => {
    expect(await faultsOfBody(ImportObjects, { obj_form: newId(), ...more })).toMatchObject([{ path, code }]);
  });
});
