import { isObject, type JsonValue } from '@atrium/platform/kernel';

/** What an import has to know of the rows that a context stores. */
export interface RowKind {
  /** `object`, for sentences. */
  readonly noun: string;
  /** The property of a wish by which rows are found unless the order names another key. */
  readonly external_id: string;
  /** The property of a wish that holds the values of its fields. */
  readonly content: string;
  /** What columns can say besides the content, each with the names by which a column is taken for it. */
  readonly properties: Readonly<Record<string, readonly string[]>>;
}

export const isProperty = ({ properties }: RowKind, target: string): boolean => Object.hasOwn(properties, target);

/** The value by which a row is found; null: the row does not have it. */
export function keyValueOf({ external_id, content }: RowKind, wish: object, key = external_id): JsonValue {
  const said = wish as Readonly<Record<string, JsonValue | undefined>>;
  if (key === external_id) return said[external_id] ?? null;
  return key
    .split('.')
    .reduce<JsonValue>((at, name) => (isObject(at) && Object.hasOwn(at, name) ? (at[name] ?? null) : null), said[content] ?? null);
}
