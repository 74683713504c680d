import { guarded } from './formula-guard';
import type { Cell } from '../row';

export interface WriteOptions {
  readonly format: 'csv' | 'tsv';
  /** A comma, or a tab for tsv, unless said otherwise. */
  readonly delimiter?: string;
  /** Begins with the mark by which spreadsheet programs know UTF-8; without it they guess. On unless said otherwise. */
  readonly mark?: boolean;
}

const PIECE = 64 * 1024;

/** Rows as delimited text in UTF-8, in pieces: formulas guarded, cells quoted where they need to be, lines ended as RFC 4180 says. */
export async function* writeDelimited(
  rows: AsyncIterable<readonly Cell[]> | Iterable<readonly Cell[]>,
  { format, delimiter = format === 'tsv' ? '\t' : ',', mark = true }: WriteOptions,
): AsyncGenerator<string, void> {
  let text = mark ? '\uFEFF' : '';
  for await (const row of rows) {
    text += `${row.map((cell) => written(cell, delimiter)).join(delimiter)}\r\n`;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

function written(cell: Cell, delimiter: string): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = guarded(cell);
  const bare = !text.includes(delimiter) && !/["\r\n]|^\s|\s$/.test(text);
  return bare ? text : `"${text.replaceAll('"', '""')}"`;
}
