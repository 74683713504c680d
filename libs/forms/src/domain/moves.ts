import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { Conversion } from './conversion';
import { decimalText } from './decimals';
import { ownValue } from './field';

/** What happens to one key of stored content: it gets another name, its value another shape, or both. Doing it twice is doing it once. */
export interface Move {
  /** Keys that lead to the object that has it; through a list, to each of its rows. */
  readonly within: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly convert: Conversion | null;
}

/** Content as it is once the moves are done; the content itself where they have nothing to do. */
export function applyMoves(content: JsonObject, moves: readonly Move[]): JsonObject {
  return moves.reduce((at, move) => movedWithin(at, move.within, move), content);
}

function movedWithin(content: JsonObject, within: readonly string[], move: Move): JsonObject {
  const [step, ...deeper] = within;
  if (step === undefined) return movedKey(content, move);
  const inner = ownValue(content, step);
  if (isObject(inner)) {
    const next = movedWithin(inner, deeper, move);
    return next === inner ? content : replaced(content, step, step, next);
  }
  if (!Array.isArray(inner)) return content;
  const rows = (inner as readonly JsonValue[]).map((row) => (isObject(row) ? movedWithin(row, deeper, move) : row));
  return rows.every((row, at) => row === (inner as readonly JsonValue[])[at]) ? content : replaced(content, step, step, rows);
}

function movedKey(content: JsonObject, { from, to, convert }: Move): JsonObject {
  const value = ownValue(content, from);
  if (value === undefined) return content;
  // Written under its new name already: that is the later word.
  if (from !== to && ownValue(content, to) !== undefined)
    return Object.fromEntries(Object.entries(content).filter(([key]) => key !== from));
  const next = convert ? converted(value, convert) : value;
  return from === to && next === value ? content : replaced(content, from, to, next);
}

const replaced = (content: JsonObject, from: string, to: string, value: JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(content).map(([key, old]) => (key === from ? [to, value] : [key, old])));

function converted(value: JsonValue, conversion: Conversion): JsonValue {
  if (conversion === 'list') return typeof value === 'string' || isObject(value) ? [value] : value;
  if (typeof value === 'number') return decimalText(value);
  return conversion === 'text' && typeof value === 'boolean' ? String(value) : value;
}
