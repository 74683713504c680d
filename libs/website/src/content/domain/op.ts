import { invalidField, invalidState, type JsonValue, type Problem } from '@atrium/platform/kernel';
import type { ContentField, FindComponent } from './content-form';

export const OP_NAMES = ['set', 'unset', 'insert', 'move', 'remove', 'duplicate'] as const;
export type OpName = (typeof OP_NAMES)[number];
export const MOST_OPS = 200;

/** One change of a page. Blocks are named by their `_uid`; where an operation inserts or moves, `before`, `after` or `parent_uid` and `key` say where. */
export interface ContentOp {
  readonly op: OpName;
  readonly uid?: string | null;
  readonly key?: string | null;
  readonly value?: JsonValue;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly parent_uid?: string | null;
}

export function requireField({ component }: { readonly component: string }, key: string, find: FindComponent, at: string): ContentField {
  const field = find(component)?.form.fields.find((one) => one.key === key);
  if (!field) throw invalidField(at, `The component ${component} has no field ${key}.`, 'unknown_field');
  return field;
}

export function requireText(value: string | null | undefined, at: string): string {
  if (typeof value !== 'string' || value === '') throw invalidField(at, 'This operation requires it.', 'required');
  return value;
}

export function requireValue({ value }: ContentOp, at: string): JsonValue {
  if (value === undefined) throw invalidField(`${at}.value`, 'This operation requires a value.', 'required');
  return value;
}

export const unknownBlock = (uid: string): Problem => invalidState(`The page has no block ${uid}.`);

export const notLocalized = (path: string, what: string): Problem =>
  invalidField(path, `${what} cannot be changed in one locale; change it in the default locale.`, 'not_localized');
