import type { TabularLimits } from '../limits';
import { tooMany } from '../problems';
import { trimmedCells, type Row } from '../row';
import { readRecord } from './record';

export interface DelimitedOptions {
  readonly delimiter: string;
  readonly limits: TabularLimits;
  readonly what: string;
}

const FAULTS = {
  open_quote: 'A quotation mark is opened and not closed.',
  text_after_quote: 'Text follows a closing quotation mark. Write a quotation mark inside a cell twice.',
} as const;

/** Rows of delimited text. A row with a broken quotation mark carries its fault, and the next line is read as the next row. */
export async function* delimitedRows(source: AsyncIterable<string>, options: DelimitedOptions): AsyncGenerator<Row, void> {
  const { limits, what } = options;
  let text = '';
  let number = 0;
  const rowsOf = function* (ended: boolean): Generator<Row, void> {
    let at = 0;
    while (at < text.length) {
      const record = readRecord(text, at, { delimiter: options.delimiter, ended, maxCell: limits.maxCell });
      if (record.kind === 'incomplete') break;
      number++;
      if (record.next - at > limits.maxLine) throw tooMany(what, limits.maxLine, 'characters in a row');
      const from = at;
      at = record.next;
      if (record.kind === 'fault') yield { number, cells: [text.slice(from, at).trimEnd()], fault: FAULTS[record.fault] };
      else {
        if (record.cells.length > limits.maxColumns) throw tooMany(what, limits.maxColumns, 'columns');
        if (record.cells.some((cell) => cell.length > limits.maxCell)) throw tooMany(what, limits.maxCell, 'characters in a cell');
        const cells = trimmedCells(record.cells.map((cell) => (cell === '' ? null : cell)));
        if (cells.length > 0) yield { number, cells };
      }
    }
    text = text.slice(at);
    if (text.length > limits.maxLine) throw tooMany(what, limits.maxLine, 'characters in a row');
  };
  // A row that goes on is read again when there is twice as much of it, not at every piece.
  let enough = 0;
  for await (const piece of source) {
    text += piece;
    if (text.length < Math.min(enough, limits.maxLine)) continue;
    yield* rowsOf(false);
    enough = text.length * 2;
  }
  yield* rowsOf(true);
}
