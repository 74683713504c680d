import { stringify } from 'csv-stringify/sync';
import { guardedCell } from './formula-guard';
import { shownText, type Cell } from '../row';

export interface WriteOptions {
  readonly format: 'csv' | 'tsv';
  /** A comma, or a tab for tsv, unless said otherwise. */
  readonly delimiter?: string;
  /** Begins with the mark by which spreadsheet programs know UTF-8; without it they guess. On unless said otherwise. */
  readonly mark?: boolean;
}

const ROWS_AT_ONCE = 500;

/** Rows as delimited text in UTF-8, in pieces: formulas guarded, cells quoted where they need to be, lines ended as RFC 4180 says. */
export async function* writeDelimited(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  { format, delimiter = format === 'tsv' ? '\t' : ',', mark = true }: WriteOptions,
): AsyncGenerator<string, void> {
  const written = (piece: readonly (string | null)[][]): string =>
    stringify([...piece], { delimiter, record_delimiter: '\r\n', quoted_match: /[\r\n]|^\s|\s$/ });
  if (mark) yield '\uFEFF';
  let piece: (string | null)[][] = [];
  for await (const row of rows) {
    piece.push(row.map(textOf));
    if (piece.length < ROWS_AT_ONCE) continue;
    yield written(piece);
    piece = [];
  }
  if (piece.length > 0) yield written(piece);
}

function textOf(cell: Cell): string | null {
  if (cell === null) return null;
  return typeof cell === 'string' || typeof cell === 'object' ? guardedCell(shownText(cell)) : String(cell);
}
