import { isId, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { ownField } from './content-form';

export type Steps = readonly (string | number)[];

/** What content refers to: pages of its site and files of the workspace. */
export type ContentReference = 'page' | 'file';

/** Where a check of a value reports its faults, and asks after what the value refers to. Messages follow the label of the field. */
export interface ValueCheck {
  refuse(steps: Steps, code: string, message: string): undefined;
  /** Reports what is still missing; whether the value may be stored all the same. */
  lack(steps: Steps, code: string, message: string): boolean;
  ask(kind: ContentReference, id: string, steps: Steps): void;
}

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

/** An object with no keys but these; undefined, with its faults reported, if it is none. */
export function checkKeys(value: JsonValue, keys: readonly string[], check: ValueCheck, steps: Steps = []): JsonObject | undefined {
  if (!isObject(value)) return check.refuse(steps, 'type', 'must be an object.');
  const strange = Object.keys(value).filter((key) => !keys.includes(key));
  for (const key of strange) check.refuse([...steps, key], 'unknown_field', `can contain only ${keys.join(', ')}.`);
  return strange.length > 0 ? undefined : value;
}

export interface TextRule {
  readonly longest: number;
  readonly breaks?: boolean;
}

/** An optional text of an object: null where it is absent or empty, undefined where it is refused. */
export function checkTextAt(
  object: JsonObject,
  key: string,
  { longest, breaks = false, check, steps = [] }: TextRule & { readonly check: ValueCheck; readonly steps?: Steps },
): string | null | undefined {
  const value = ownField(object, key) ?? null;
  if (value === null || value === '') return null;
  return checkText(value, { longest, breaks, check, steps: [...steps, key] });
}

export function checkText(
  value: JsonValue,
  { longest, breaks = false, check, steps = [] }: TextRule & { readonly check: ValueCheck; readonly steps?: Steps },
): string | undefined {
  if (typeof value !== 'string') return check.refuse(steps, 'type', 'must be a string.');
  if (value.length > longest) return check.refuse(steps, 'length', `must have at most ${longest} characters.`);
  if (CONTROL.test(value) || (!breaks && /[\n\r\t]/.test(value)))
    return check.refuse(steps, 'format', 'contains a control character or half of a character.');
  return value;
}

/** Whether all texts of a JSON value can be stored; its nesting must be bounded before. */
export function isStorable(value: JsonValue): boolean {
  if (typeof value === 'string') return !/\u0000|\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return typeof value !== 'number' || Number.isFinite(value);
  return Object.entries(value).every(([key, inner]: [string, JsonValue]) => isStorable(key) && isStorable(inner));
}

/** The id of a page or a file, asked after. */
export function checkReference(value: JsonValue, kind: ContentReference, check: ValueCheck, steps: Steps = []): string | undefined {
  if (!isId(value)) return check.refuse(steps, typeof value === 'string' ? 'format' : 'type', `must have the id of a ${kind}.`);
  const id = value.toLowerCase();
  check.ask(kind, id, steps);
  return id;
}

/** An object without the members that are absent. */
export const filledOnly = (value: Readonly<Record<string, JsonValue | null | undefined>>): JsonObject =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined && entry[1] !== null));
