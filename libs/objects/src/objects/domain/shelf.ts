import type { JsonObject } from '@atrium/platform/kernel';
import type { StoredObject } from './stored-object';

/** A schema that an object is given. */
export interface NextSchema {
  readonly form_id: string;
  /** Keys of stored values that it shows as values of its own. */
  readonly fitting: ReadonlySet<string>;
  /** Keys whose values belong to the schema before and are remembered with it even where they go along: numbers that it gave. */
  readonly own: ReadonlySet<string>;
}

/**
 * Content under another schema. Values of equal keys go along where they fit; all others are put on the shelf of the schema they
 * come from, and those on the shelf of the next one come back.
 */
export function rehousedContent(
  { obj_form, obj_content, obj_shelf }: Pick<StoredObject, 'obj_form' | 'obj_content' | 'obj_shelf'>,
  { form_id, fitting, own }: NextSchema,
): Pick<StoredObject, 'obj_content' | 'obj_shelf'> {
  if (obj_form === form_id) return { obj_content, obj_shelf };
  const { [form_id]: back = {}, ...others } = obj_shelf;
  const goes = (key: string): boolean => fitting.has(key) && !Object.hasOwn(back, key);
  const entries = Object.entries(obj_content);
  const left: JsonObject = Object.fromEntries(entries.filter(([key]) => !goes(key) || own.has(key)));
  return {
    obj_content: { ...Object.fromEntries(entries.filter(([key]) => goes(key))), ...back },
    obj_shelf: Object.keys(left).length === 0 ? others : { ...others, [obj_form]: left },
  };
}
