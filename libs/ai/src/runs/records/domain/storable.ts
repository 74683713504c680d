import type { JsonValue } from '@atrium/platform/kernel';

/** What PostgreSQL does not store in text and JSON: NUL, and halves of characters. Models and tools send both. */
const UNSTORABLE = /\u0000|\p{Surrogate}/gu;

export const storableText = (text: string): string => text.replace(UNSTORABLE, '');

/** The beginning of a text, which ends with a whole character, as it can be stored. */
export const storableStart = (text: string, most: number): string => storableText(text.slice(0, most));

/** The same of every text in a value, keys of objects too. */
export function storableJson(value: JsonValue): JsonValue {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map((item: JsonValue) => storableJson(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as Readonly<Record<string, JsonValue>>).map(([key, item]) => [storableText(key), storableJson(item)]),
  );
}

/** Text that arrives in pieces, which may be cut within a character: the halves are put together. */
export class TextPieces {
  private half = '';

  /** What of the text may be stored by now. */
  takePiece(piece: string): string {
    const text = this.half + piece;
    const isCut = /[\ud800-\udbff]$/.test(text);
    this.half = isCut ? text.slice(-1) : '';
    return storableText(isCut ? text.slice(0, -1) : text);
  }
}
