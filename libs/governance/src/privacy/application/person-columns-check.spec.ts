import { AclSources } from '@atrium/identity';
import { sql } from '@atrium/platform/database';
import { PersonDataSources, type PersonColumn, type PersonData } from '../../shared/application/person-data';
import type { PersonCatalog } from '../infrastructure/person-catalog.rows';
import { PersonColumnsCheck } from './person-columns-check';
import type { PersonTexts } from './person-texts';

const column = (table: string, more: Partial<PersonColumn> = {}): PersonColumn => ({
  table,
  column: 'made_by',
  subject: 'user',
  on_erase: 'keep',
  because: 'It is a test.',
  ...more,
});

/** What keeps a host from starting whose one context says this of people. */
async function faults(tables: readonly PersonColumn[], more: Partial<PersonData> = {}, acls = new AclSources()): Promise<string> {
  const sources = new PersonDataSources();
  sources.register({ context: 'test', order: 1, tables, ...more });
  const known = new Map(tables.map(({ table }) => [table, { columns: new Map([['made_by', 'uuid']]), texts: [] }]));
  const catalog = {
    findPersonColumns: () => Promise.resolve([]),
    describeTables: () => Promise.resolve(known),
  } as unknown as PersonCatalog;
  const texts = { findUncoveredTexts: () => Promise.resolve([]) } as unknown as PersonTexts;
  const check = new PersonColumnsCheck(sources, catalog, texts, acls);
  return check.onModuleInit().then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
}

describe('a table whose rows an export shows whole', () => {
  it('keeps a host from starting until it is said which rows the person may read', async () => {
    expect(await faults([column('logbook'), column('notebook')])).toMatch(/logbook is exported whole.*\n {2}notebook is exported whole/);
    expect(await faults([column('logbook')], { own: { logbook: { shown: (rows) => Promise.resolve(rows) } } })).toContain('logbook');
  });

  it('has an access list, a condition, rows of its own or a reason to be open; a mark needs none', async () => {
    const acls = new AclSources();
    const list = { table: 'logbook', id: 'lb_id', acl: 'lb_acl', creator: 'made_by', name: 'lb_name', view: 'media:view' } as const;
    acls.registerTable('logbook', list);
    expect(await faults([column('logbook')], {}, acls)).toBe('');
    expect(await faults([column('logbook')], { own: { logbook: { readable: () => sql`true` } } })).toBe('');
    expect(await faults([column('logbook')], { own: { logbook: { rows: () => Promise.resolve([]) } } })).toBe('');
    expect(await faults([column('logbook')], { open: { logbook: 'Only the person writes in it.' } })).toBe('');
    expect(await faults([column('logbook', { tells: 'mark' })])).toBe('');
  });

  it('is declared open only where nothing else decides', async () => {
    const open = { logbook: 'Only the person writes in it.' };
    expect(await faults([column('logbook')], { open, own: { logbook: { readable: () => sql`true` } } })).toContain(
      'logbook is declared open',
    );
    expect(await faults([column('logbook', { tells: 'mark' })], { open })).toContain('logbook is declared open');
    expect(await faults([column('logbook')], { open: { ...open, notebook: 'It is gone.' } })).toContain('notebook is declared open');
  });
});
