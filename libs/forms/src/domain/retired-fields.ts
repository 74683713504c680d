import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownValue, type Field } from './field';

/** A field that was removed: its values stay stored, and come back with a field of its key. */
export interface RetiredField {
  readonly config: JsonObject;
  readonly at: string;
}

/** Removed fields by the dotted path that they had; below a group or list that was renamed since, by that which they have now. */
export type RetiredFields = Readonly<Record<string, RetiredField>>;

/** A field that shows values which were stored before, and what they were kept from. */
export interface ContinuedField {
  readonly now: Field;
  readonly before: Pick<Field, 'hidden' | 'sensitive'>;
}

/** The least from which a retired field can be made again. */
export const retiredConfig = (field: Field): JsonObject => ({
  key: field.key,
  type: field.type.name,
  label: field.label,
  ...field.settings,
  // Who may not see the values may not show them to everybody by a field of the same key.
  hidden: field.hidden,
  sensitive: field.sensitive,
  ...(field.type.takesOptions ? { options: field.options.map(({ value, label }): JsonValue => ({ value, label })) } : {}),
  ...(field.type.takesFields ? { fields: field.fields.map(retiredConfig) } : {}),
});

/** The field of a removed one's key and those inside it, as far as any had a definition, by itself or within what was removed. */
export function revivedFields(now: Field, config: JsonObject, retired: ReadonlyMap<string, RetiredField>): readonly ContinuedField[] {
  const within = ownValue(config, 'fields');
  const inner = Array.isArray(within) ? (within as readonly JsonValue[]).filter(isObject) : [];
  return [
    { now, before: { hidden: isClosed(config, 'hidden'), sensitive: isClosed(config, 'sensitive') } },
    ...now.fields.flatMap((field) => {
      const found = retired.get(field.path)?.config ?? inner.find((one) => ownValue(one, 'key') === field.key);
      return found ? revivedFields(field, found, retired) : [];
    }),
  ];
}

/** Fields that were removed before their flags were kept count as closed. */
const isClosed = (config: JsonObject, flag: 'hidden' | 'sensitive'): boolean => ownValue(config, flag) !== false;

/** Names what was removed below a path by its new name. */
export function renameBelow(retired: Map<string, RetiredField>, from: string, to: string): void {
  for (const [path, field] of [...retired]) {
    if (!path.startsWith(`${from}.`)) continue;
    retired.delete(path);
    retired.set(`${to}${path.slice(from.length)}`, field);
  }
}
