import type { Database } from '@atrium/platform/database';
import type { FormMigrationRows } from '../infrastructure/form-migrations.rows';
import type { FormValueRows, UnfoldedForm } from '../infrastructure/form-values.rows';
import type { FormsRepository } from '../infrastructure/forms.repository';
import type { FormHolders } from './form-holders';
import { FormRefolding } from './form-refolding';
import type { FormRows } from './form-rows';
import type { FormValues } from './form-values';

const TENANT = '01990000-0000-7000-8000-000000000001';
const idOf = (n: number): string => String(n).padStart(6, '0');

/** Rows that are not folded, by form; ids of rows that cannot be folded; forms whose rows take a copy. */
let unfolded: Record<string, Set<string>>;
let broken: Set<string>;
let copying: Set<string>;
let batches: [form: string, rows: number][];
let begun: (string | null)[];

beforeEach(() => {
  [unfolded, broken, copying, batches, begun] = [{}, new Set(), new Set(), [], []];
});

const rowsOf = (count: number): Set<string> => new Set(Array.from({ length: count }, (_, n) => idOf(n)));

function refolding(): FormRefolding {
  const db = { read: (work: () => unknown) => work(), write: (work: () => unknown) => work() };
  const rows = {
    findNextUnfolded: (after: UnfoldedForm | null) => {
      const form_id = Object.keys(unfolded).find((id) => (unfolded[id]?.size ?? 0) > 0 && id > (after?.form_id ?? ''));
      return Promise.resolve(form_id && { tenant_id: TENANT, form_id });
    },
    findUnfoldedRows: (form_id: string, after: string | null, most: number) => {
      begun.push(after);
      return Promise.resolve([...(unfolded[form_id] ?? [])].filter((id) => id > (after ?? '')).slice(0, most));
    },
    markFolded: (form_id: string, ids: readonly string[]) => {
      batches.push([form_id, ids.length]);
      for (const id of ids) unfolded[form_id]?.delete(id);
      return Promise.resolve();
    },
  };
  const holder = { lockRows: (_: string, ids: readonly string[]) => Promise.resolve(ids.map((id) => ({ id, content: {} }))) };
  const values = {
    refoldRows: (_: unknown, owners: { owner_id: string }[]) =>
      owners.some(({ owner_id }) => broken.has(owner_id)) ? Promise.reject(new Error('unreadable')) : Promise.resolve(),
  };
  const running = new FormRefolding(
    db as unknown as Database,
    rows as unknown as FormValueRows,
    { findRow: () => Promise.resolve({ form_kind: 'object' }) } as unknown as FormsRepository,
    { isCopying: (form_id: string) => Promise.resolve(copying.has(form_id)) } as unknown as FormMigrationRows,
    { openForm: () => Promise.resolve({}) } as unknown as FormRows,
    values as unknown as FormValues,
    { findHolder: () => holder } as unknown as FormHolders,
  );
  jest.spyOn(running['log'], 'warn').mockImplementation();
  return running;
}

const run = (): Promise<void> => refolding().foldForms(new AbortController().signal);

describe('values that are not folded', () => {
  it('are looked for behind those that have been', async () => {
    unfolded = { a: rowsOf(250) };
    await run();
    expect(begun).toEqual([null, idOf(99), idOf(199)]);
    expect(batches).toEqual([
      ['a', 100],
      ['a', 100],
      ['a', 50],
    ]);
  });

  it('are folded a few batches of each form in turn', async () => {
    unfolded = { a: rowsOf(720), b: rowsOf(10) };
    await run();
    expect(batches.map(([form]) => form)).toEqual(['a', 'a', 'a', 'a', 'a', 'b', 'a', 'a', 'a']);
    expect(unfolded).toEqual({ a: new Set(), b: new Set() });
  });

  it('of a row that cannot be folded keep no other one from it', async () => {
    unfolded = { a: rowsOf(230) };
    broken.add(idOf(42));
    await run();
    expect(unfolded).toEqual({ a: new Set([idOf(42)]) });
  });

  it('are left alone while rows take a copy of their form', async () => {
    unfolded = { a: rowsOf(3), b: rowsOf(2) };
    copying.add('a');
    await run();
    expect([batches, unfolded.a?.size]).toEqual([[['b', 2]], 3]);
  });
});
