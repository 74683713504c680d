import type { FieldFault, JsonValue } from '@atrium/platform/kernel';
import type { RecordWish } from '../../records/domain/record-facts';
import type { ImportMapping } from './import-order';

/** What a record is found by: its external id, or what the value of a unique field is worth. */
export function keyIn(
  { rec_external_id, rec_content = {} }: RecordWish,
  key = 'rec_external_id',
  worth: (key: string, value: JsonValue) => string = (_, value) => JSON.stringify(value),
): string | null {
  const value: JsonValue | undefined =
    key === 'rec_external_id'
      ? rec_external_id
      : key
          .split('.')
          .reduce<JsonValue | undefined>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined), rec_content);
  if (value === undefined || value === null) return null;
  return key === 'rec_external_id' ? JSON.stringify(value) : worth(key, value);
}

/** A fault of a record in the words of its table: the column that says the field. */
export function columnOfFault({ path, code, message }: FieldFault, mapping: ImportMapping): FieldFault {
  const field = path.replace(/^rec_content\./, '');
  const column = Object.keys(mapping).find(
    (name) => mapping[name] === field || (mapping[name] !== null && field.startsWith(`${mapping[name]}.`)),
  );
  return { path: column ?? field, code, message };
}

const isObject = (value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
