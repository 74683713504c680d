import type { Readable } from 'node:stream';
import type { Cell } from '../row';

export interface CellRange {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

const MOST_RANGES = 100_000;
const MARK = 'mergeCells';
const ELEMENT = 'mergeCell';
const REFERENCE = /^\s(?:[^>]*\s)?ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"/;
const LONGEST_ELEMENT = 500;
/** Ranges that a row is in; they are beside each other, so that an honest sheet has few. */
const MOST_OPEN = 1_000;
/** What is kept of the text before, so that a mark on a border of chunks is found. */
const OVERLAP = 64;

/** The merged ranges of a sheet, which stand behind all of its rows. */
export async function mergedRanges(sheet: Readable): Promise<CellRange[]> {
  let text = '';
  let found = false;
  for await (const chunk of sheet) {
    text += (chunk as Buffer).toString('latin1');
    const at: number = found ? 0 : text.indexOf(MARK);
    found ||= at >= 0;
    text = found ? text.slice(Math.max(0, at)) : text.slice(-OVERLAP);
    if (found && text.length > MOST_RANGES * OVERLAP) break;
  }
  if (!found) return [];
  return rangesIn(text);
}

/** Each element is looked at once, from its name to its end. */
function rangesIn(text: string): CellRange[] {
  const ranges: CellRange[] = [];
  for (let at = text.indexOf(ELEMENT); at >= 0 && ranges.length < MOST_RANGES; at = text.indexOf(ELEMENT, at)) {
    const end = text.indexOf('>', at);
    if (end < 0) break;
    const [, left = '', top, right = '', bottom] =
      REFERENCE.exec(text.slice(at + ELEMENT.length, Math.min(end, at + LONGEST_ELEMENT))) ?? [];
    if (top !== undefined) ranges.push({ top: Number(top), bottom: Number(bottom), left: columnOf(left), right: columnOf(right) });
    at = end;
  }
  return ranges;
}

/** Fills the cells of merged ranges with what their first one holds, row after row. */
export class MergedCells {
  private readonly starting: CellRange[];
  private open: { readonly range: CellRange; readonly value: Cell }[] = [];

  constructor(ranges: readonly CellRange[]) {
    this.starting = [...ranges].sort((a, b) => b.top - a.top);
  }

  /** The cells of a row that holds something, filled; rows come in their order. */
  fill(row: number, cells: readonly Cell[]): readonly Cell[] {
    this.open = this.open.filter(({ range }) => range.bottom >= row);
    for (let range = this.starting.at(-1); range && range.top <= row; range = this.starting.at(-1)) {
      this.starting.pop();
      if (range.top === row && range.bottom >= row && this.open.length < MOST_OPEN)
        this.open.push({ range, value: cells[range.left] ?? null });
    }
    if (this.open.length === 0) return cells;
    const filled = [...cells];
    for (const { range, value } of this.open) {
      if (value === null) continue;
      while (filled.length <= Math.min(range.right, range.left + MOST_ACROSS)) filled.push(null);
      for (let column = range.left; column <= range.right && column <= range.left + MOST_ACROSS; column++) filled[column] ??= value;
    }
    return filled;
  }
}

/** Titles are merged over whole rows; nobody needs them in each column of the sheet. */
const MOST_ACROSS = 255;

/** 0 for A, 26 for AA. */
export function columnOf(letters: string): number {
  let column = 0;
  for (let at = 0; at < letters.length; at++) column = column * 26 + letters.charCodeAt(at) - 64;
  return column - 1;
}
