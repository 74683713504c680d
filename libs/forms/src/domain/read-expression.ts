import type { JsonValue } from '@atrium/platform/kernel';
import type { Faults } from '@atrium/platform/settings';
import { Expression } from './expression';

/** An expression, or null with its fault reported at its position. */
export function readExpression(text: JsonValue | undefined, path: string, faults: Faults): Expression | null {
  if (typeof text !== 'string' || text.trim() === '') {
    faults.add(path, text === undefined ? 'required' : 'type', 'An expression is required.');
    return null;
  }
  const parsed = Expression.parse(text);
  if (parsed instanceof Expression) return parsed;
  faults.add(path, 'format', `The expression is not valid at position ${parsed.position}: ${parsed.message}.`);
  return null;
}
