import type { JsonValue } from '@atrium/platform/kernel';
import { redactText } from '../../shared/domain/redaction';

const MAX_DEPTH = 8;
const MAX_NAMES = 50;
const MAX_NAME = 100;
const MAX_ITEMS = 20;

/** A value without what it says: its names, its types and its lengths. `{"text": "Hello"}` → `{"text": "[string 5]"}`. */
export function shapeOf(value: unknown, depth = 0): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return `[string ${[...value].length}]`;
  if (typeof value !== 'object') return `[${typeof value}]`;
  if (depth === MAX_DEPTH) return '[deep]';
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => shapeOf(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `[${value.length - MAX_ITEMS} more]`] : items;
  }
  const entries = Object.entries(value);
  const shapes = entries
    .slice(0, MAX_NAMES)
    .map(([name, part]): [string, JsonValue] => [redactText(name.slice(0, MAX_NAME)), shapeOf(part, depth + 1)]);
  return Object.fromEntries(entries.length > MAX_NAMES ? [...shapes, ['_more', entries.length - MAX_NAMES]] : shapes);
}
