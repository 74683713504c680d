import type { JsonValue } from '@atrium/platform/kernel';
import { REDACTED, redactText } from '../../shared/domain/redaction';

const MAX_DEPTH = 8;
const MAX_NAMES = 50;
const MAX_NAME = 100;
const MAX_ITEMS = 20;

/**
 * A value without what it says: its names, its types and its lengths. `{"text": "Hello"}` → `{"text": "[string 5]"}`. Of a
 * secret not even the length is said.
 */
export function shapeOf(value: unknown, secrets: ReadonlySet<string> = new Set(), depth = 0): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return `[string ${[...value].length}]`;
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (depth === MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, secrets, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  const entries = Object.entries(value);
  const shapes = entries
    .slice(0, MAX_NAMES)
    .map(([name, part]): [string, JsonValue] => [
      redactText(name.slice(0, MAX_NAME)),
      secrets.has(name) ? REDACTED : shapeOf(part, secrets, depth + 1),
    ]);
  return Object.fromEntries(entries.length > MAX_NAMES ? [...shapes, ['_more', entries.length - MAX_NAMES]] : shapes);
}

const WINDOW: ReadonlySet<string> = new Set(['limit', 'limit_extended', 'offset']);
/** Ids, days and times, truth values: they say which rows were asked for, not what is in them. */
const POINTER = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|true|false|\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,18}(?:Z|[+ -]\d{2}:?\d{2})?)?)$/i;

/**
 * A query without what it says of content. What was searched for, filters by fields of content and cursors, which hold values
 * of a row, keep their shape alone.
 */
export const queryShapeOf = (query: object): JsonValue =>
  Object.fromEntries(
    Object.entries(query)
      .slice(0, MAX_NAMES)
      .map(([name, value]: [string, unknown]): [string, JsonValue] => [
        redactText(name.slice(0, MAX_NAME)),
        Array.isArray(value) ? value.slice(0, MAX_ITEMS).map((item) => askedShape(name, item)) : askedShape(name, value),
      ]),
  );

function askedShape(name: string, value: unknown): JsonValue {
  if (typeof value !== 'string') return shapeOf(value);
  const isPlain = WINDOW.has(name)
    ? /^\d{1,9}$/.test(value)
    : name === 'sort'
      ? /^-?[a-z_]{1,60}$/.test(value)
      : !name.includes('[') && POINTER.test(value);
  return isPlain ? value : shapeOf(value);
}
