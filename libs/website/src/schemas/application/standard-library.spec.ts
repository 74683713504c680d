import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_SCHEMAS } from '../../content/domain/standard-library';

describe('the library Standard', () => {
  it('is the same in workspaces that were there before it and in new ones', () => {
    const migration = readFileSync(join(__dirname, '../../../../../migrations/0176-standard-library.sql'), 'utf8');
    const [, planted = ''] = migration.split('$schemas$');
    expect(JSON.parse(planted)).toEqual(STANDARD_SCHEMAS);
  });
});
