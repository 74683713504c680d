import { invalidField, invalidFields, type FieldFault } from '@atrium/platform/kernel';
import type { ImportMapping, ImportOrder } from './import-order';
import { isProperty, type RowKind } from './row-kind';

/** The name of a column as it is compared with others. */
export const foldedName = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ');

/** What columns say by their names: a field that `fields` found first, else a property of the row, each once. */
export function suggestedMapping({ properties }: RowKind, columns: readonly string[], fields: ImportMapping): ImportMapping {
  const taken = new Set(Object.values(fields));
  return Object.fromEntries(
    columns.map((column) => {
      const field = fields[column] ?? null;
      if (field !== null) return [column, field];
      const name = foldedName(column);
      const property = Object.keys(properties).find((one) => !taken.has(one) && properties[one]?.includes(name)) ?? null;
      if (property !== null) taken.add(property);
      return [column, property];
    }),
  );
}

/** Refuses a mapping of columns that are not there, to targets that are not there or that the service alone writes, or of two columns to one target. */
export function checkMapping(
  kind: RowKind,
  mapping: ImportMapping,
  columns: readonly string[],
  { isField, isReadOnly }: { readonly isField: (target: string) => boolean; readonly isReadOnly: (target: string) => boolean },
): void {
  const known = new Set(columns);
  const seen = new Map<string, string>();
  const faults = Object.entries(mapping).flatMap(([column, target]): FieldFault[] => {
    const path = `mapping.${column}`;
    // Files of JSON may have a column that their first rows have not.
    if (target === null) return [];
    if (!known.has(column)) return [{ path, code: 'unknown_column', message: `The table has no column ${column}.` }];
    if (!isProperty(kind, target) && !isField(target))
      return [{ path, code: 'unknown_field', message: `There is no field ${target} that a column can be mapped to.` }];
    if (isReadOnly(target))
      return [{ path, code: 'read_only', message: `${target} is written by the service alone; map the column to null.` }];
    const other = seen.get(target);
    seen.set(target, column);
    return other === undefined ? [] : [{ path, code: 'duplicate', message: `The column ${other} is mapped to ${target} as well.` }];
  });
  if (faults.length > 0) throw invalidFields(faults);
}

/** Refuses a key by which an upsert could not find rows: it is the external id or a unique field, and a column says it. */
export function checkKey(
  { noun, external_id }: RowKind,
  mapping: ImportMapping,
  { mode, key }: Pick<ImportOrder, 'mode' | 'key'>,
  isUnique: (field: string) => boolean,
): void {
  if (mode !== 'upsert') {
    if (key !== undefined) throw invalidField('key', 'is only allowed with the mode upsert', 'unknown_field');
    return;
  }
  const wanted = key ?? external_id;
  if (wanted !== external_id && !isUnique(wanted))
    throw invalidField('key', `must be ${external_id} or a unique field of the schema`, 'unknown_field');
  if (!Object.values(mapping).includes(wanted))
    throw invalidField('mapping', `must map a column to ${wanted}, because ${noun}s are found by it`, 'required');
}
