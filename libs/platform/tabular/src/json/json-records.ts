import { exactJson, isObject, measureJson, type JsonValue } from '@atrium/platform/kernel';
import { damagedFile, noArray, tooMany, tooWide } from '../problems';
import type { TabularLimits } from '../limits';
import type { TableRecord } from '../records';

/** Characters of one record: parsing more of them would hold the event loop. */
const LONGEST_RECORD = 1024 * 1024;
/** Different names of one record, those in nested objects included: each costs the parser a hundred times as much as one that it knows. */
const MOST_NAMES = 10_000;

export interface JsonOptions {
  readonly limits: TabularLimits;
  readonly what: string;
}

/** Objects of a text that has one on each line. A line that is not an object, or longer than one may be, carries its fault. */
export async function* jsonLines(source: AsyncIterable<string>, { limits, what }: JsonOptions): AsyncGenerator<TableRecord, void> {
  const line = new RecordText();
  let number = 0;
  for await (const piece of withEnd(source)) {
    for (const [at, part] of piece.split('\n').entries()) {
      if (at > 0) {
        number++;
        const text = line.end();
        if (text.trim() !== '') yield recordOf(number, text, limits);
      }
      line.add(part);
      if (line.length > limits.maxLine) throw tooMany(what, limits.maxLine, 'characters in a line');
    }
  }
}

async function* withEnd(source: AsyncIterable<string>): AsyncGenerator<string> {
  yield* source;
  yield '\n';
}

/** Objects of a text that is one array of them, one after the other as they come; they count from 1. */
export async function* jsonArray(source: AsyncIterable<string>, { limits, what }: JsonOptions): AsyncGenerator<TableRecord, void> {
  const elements = new ArrayElements();
  let number = 0;
  for await (const piece of source) {
    for (const text of elements.feed(piece)) yield recordOf(++number, text, limits);
    if (elements.broken) throw noArray(what);
    if (elements.pending > limits.maxLine) throw tooMany(what, limits.maxLine, 'characters in an element');
  }
  if (!elements.ended) throw damagedFile(what, 'Its array does not end.');
}

function recordOf(number: number, text: string, { maxColumns }: TabularLimits): TableRecord {
  const refused = (fault: string): TableRecord => ({ number, values: {}, fault });
  if (text.length > LONGEST_RECORD) return refused('The row is larger than 1 MiB.');
  if (measureJson(Buffer.from(text)).names > MOST_NAMES) return refused('The row has more than 10,000 different names.');
  const value = parsed(text);
  if (value === undefined) return refused('This is not valid JSON.');
  if (!isObject(value)) return refused('This is JSON, but not an object.');
  if (Object.keys(value).length > maxColumns) return refused(tooWide(maxColumns));
  return { number, values: value };
}

function parsed(text: string): JsonValue | undefined {
  try {
    return exactJson(text);
  } catch {
    return undefined;
  }
}

/** The text of a record as it comes; of one that is too long to be parsed no more is kept than shows it. */
class RecordText {
  /** All of its characters so far. */
  length = 0;
  private kept = '';

  add(part: string): void {
    this.length += part.length;
    if (this.kept.length <= LONGEST_RECORD) this.kept += part.slice(0, LONGEST_RECORD + 1 - this.kept.length);
  }

  /** What was kept of it; the next one begins. */
  end(): string {
    const text = this.kept;
    [this.kept, this.length] = ['', 0];
    return text;
  }
}

/** Parts the text of an array into the texts of its elements, without reading what is inside them. */
class ArrayElements {
  broken = false;
  ended = false;
  private begun = false;
  private readonly element = new RecordText();
  private depth = 0;
  private inString = false;
  private escaped = false;

  get pending(): number {
    return this.element.length;
  }

  *feed(piece: string): Generator<string> {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const sign = piece[at] ?? '';
      if (!this.begun || this.ended) {
        this.outside(sign);
        from = at + 1;
      } else if (this.isSplit(sign)) {
        this.element.add(piece.slice(from, at));
        const text = this.element.end();
        from = at + 1;
        this.ended = sign === ']';
        if (text.trim() !== '') yield text;
        else if (sign === ',') this.broken = true;
      }
    }
    this.element.add(piece.slice(from));
  }

  private outside(sign: string): void {
    if (!this.begun && sign === '[') this.begun = true;
    else if (sign.trim() !== '') this.broken = true;
  }

  /** Whether the character separates elements or ends the array. */
  private isSplit(sign: string): boolean {
    if (this.inString) {
      if (this.escaped) this.escaped = false;
      else if (sign === '\\') this.escaped = true;
      else if (sign === '"') this.inString = false;
      return false;
    }
    if (sign === '"') this.inString = true;
    else if (sign === '{' || sign === '[') this.depth++;
    else if (sign === '}' || sign === ']') return this.depth-- === 0;
    return sign === ',' && this.depth === 0;
  }
}
