import type { Database } from '@atrium/platform/database';
import type { Clock } from '@atrium/platform/kernel';
import { FieldTypes } from '../domain/field-types';
import { FormReader } from '../domain/form-reader';
import { uniqueHash } from '../domain/value-index';
import type { FormNumberRows } from '../infrastructure/form-numbers.rows';
import type { FormValueRows } from '../infrastructure/form-values.rows';
import { FormValues } from './form-values';
import type { OpenForm } from './open-form';

function formWith(count: number): OpenForm {
  const fields = Array.from({ length: count }, (_, at) => ({ key: `f${at}`, type: 'text', label: `F${at}`, unique: true }));
  const read = new FormReader(new FieldTypes(), 'object', new Date(0)).readForm({ fields }, 'form_config');
  if ('faults' in read) throw new Error(JSON.stringify(read.faults));
  return { form_id: 'form', compiled: read.form } as unknown as OpenForm;
}

/** Values of which the rows have those that are given: by field, text and owner. */
function valuesWith(form: OpenForm, stored: readonly (readonly [field_key: string, text: string, owner_id: string])[]) {
  const owners = jest.fn((_: object, hashes: readonly string[]) =>
    Promise.resolve(
      stored.flatMap(([field_key, text, owner_id]) => {
        const field = form.compiled.field(field_key);
        const value_hash = field ? uniqueHash(field, text) : '';
        return hashes.includes(value_hash) ? [{ field_key, value_hash, owner_id }] : [];
      }),
    ),
  );
  const db = { read: (work: () => unknown) => work() };
  const values = new FormValues(
    db as unknown as Database,
    { findOwners: owners } as unknown as FormValueRows,
    {} as FormNumberRows,
    { now: () => new Date(0) } as unknown as Clock,
  );
  return { values, owners };
}

describe('rows that texts name by unique fields', () => {
  it.each([1, 20])('are asked for by one statement where there are %s of them', async (count) => {
    const form = formWith(count);
    const { values, owners } = valuesWith(form, []);
    expect(await values.findKeyedRows(form, ['one', 'two'])).toHaveLength(count);
    expect(owners).toHaveBeenCalledTimes(1);
    expect(owners.mock.calls[0]?.[0]).toMatchObject({ field_keys: form.compiled.all.map(({ path }) => path), within: null });
  });

  it('are looked for in turns with other work, however many values there are', async () => {
    const { values } = valuesWith(formWith(1), []);
    let others = 0;
    setImmediate(() => others++);
    await values.findKeyedRows(
      formWith(1),
      Array.from({ length: 50_000 }, (_, at) => `value ${at}`),
    );
    expect(others).toBe(1);
  });

  it('are not asked for where no field is unique', async () => {
    const form = { form_id: 'form', compiled: { all: [] } } as unknown as OpenForm;
    const { values, owners } = valuesWith(form, []);
    expect(await values.findKeyedRows(form, ['one'])).toEqual([]);
    expect(owners).not.toHaveBeenCalled();
  });

  it('are those of each field, for each spelling of a value', async () => {
    const form = formWith(3);
    const stored = [['f0', 'one', 'a'] as const, ['f2', 'one', 'b'] as const, ['f2', 'two', 'c'] as const];
    const { values } = valuesWith(form, stored);
    const found = await values.findKeyedRows(form, ['one', 'ONE', 'two', 'three']);
    const a = [
      ['one', 'a'],
      ['ONE', 'a'],
    ];
    const b = [
      ['one', 'b'],
      ['ONE', 'b'],
      ['two', 'c'],
    ];
    expect(found.map((owners) => [...owners])).toEqual([a, [], b]);
    expect([...(await values.findOwners(form, 'f2', ['two', 'three']))]).toEqual([['two', 'c']]);
  });
});
