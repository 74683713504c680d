import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STANDARD_TEMPLATES } from './standard-templates';

describe('the standard templates', () => {
  it('are the same for new workspaces and, by migration, for those that were there before', () => {
    const migration = readFileSync(join(__dirname, '../../../../../migrations/0072-record-templates.sql'), 'utf8');
    const [, planted = ''] = migration.split('$templates$');
    expect(JSON.parse(planted)).toEqual(STANDARD_TEMPLATES);
  });

  it('have ids and names of their own', () => {
    expect(new Set(STANDARD_TEMPLATES.map(({ form_id }) => form_id)).size).toBe(STANDARD_TEMPLATES.length);
    expect(new Set(STANDARD_TEMPLATES.map(({ form_name }) => form_name.toLowerCase())).size).toBe(STANDARD_TEMPLATES.length);
  });
});
