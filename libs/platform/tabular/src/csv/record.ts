const QUOTE = 34;
const LF = 10;
const CR = 13;

export interface RecordOptions {
  readonly delimiter: string;
  /** No text follows. */
  readonly ended: boolean;
  /** Characters that a quoted cell may have before its quotation mark counts as not closed. */
  readonly maxCell: number;
}

/**
 * One record of delimited text. A fault is a quotation mark that is not closed, or text behind a closing one; its line is
 * then skipped, and reading starts again with the next line. Every `next` is the position to continue at.
 */
export type ReadRecord =
  | { readonly kind: 'row'; readonly cells: readonly string[]; readonly next: number }
  | { readonly kind: 'fault'; readonly fault: 'open_quote' | 'text_after_quote'; readonly next: number }
  | { readonly kind: 'incomplete' };

const INCOMPLETE: ReadRecord = { kind: 'incomplete' };

/** Reads the record that begins at `from`. A cell is quoted when a quotation mark is its first character; elsewhere it is text. */
export function readRecord(text: string, from: number, options: RecordOptions): ReadRecord {
  const delimiter = options.delimiter.charCodeAt(0);
  const cells: string[] = [];
  let at = from;
  for (;;) {
    if (text.charCodeAt(at) === QUOTE) {
      const cell = quotedCell(text, at, options);
      if (typeof cell === 'string') return cell === 'incomplete' ? INCOMPLETE : faultAt(text, from, cell, options.ended);
      cells.push(cell.value);
      at = cell.end;
    } else {
      const start = at;
      at = endOfPlainCell(text, at, delimiter);
      cells.push(text.slice(start, at));
    }
    if (at >= text.length) return options.ended ? { kind: 'row', cells, next: at } : INCOMPLETE;
    const code = text.charCodeAt(at);
    if (code === delimiter) {
      at++;
      continue;
    }
    if (code !== LF && code !== CR) return faultAt(text, from, 'text_after_quote', options.ended);
    const next = afterBreak(text, at, options.ended);
    return next === undefined ? INCOMPLETE : { kind: 'row', cells, next };
  }
}

function endOfPlainCell(text: string, from: number, delimiter: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === LF || code === CR) break;
  }
  return at;
}

function quotedCell(
  text: string,
  from: number,
  { ended, maxCell }: RecordOptions,
): { value: string; end: number } | 'incomplete' | 'open_quote' {
  let value = '';
  let start = from + 1;
  for (;;) {
    const quote = text.indexOf('"', start);
    if (quote < 0) return text.length - from > maxCell || ended ? 'open_quote' : 'incomplete';
    if (quote - from > maxCell) return 'open_quote';
    value += text.slice(start, quote);
    if (quote + 1 >= text.length && !ended) return 'incomplete';
    if (text.charCodeAt(quote + 1) !== QUOTE) return { value, end: quote + 1 };
    value += '"';
    start = quote + 2;
  }
}

function faultAt(text: string, from: number, fault: 'open_quote' | 'text_after_quote', ended: boolean): ReadRecord {
  let at = from;
  while (at < text.length && text.charCodeAt(at) !== LF && text.charCodeAt(at) !== CR) at++;
  if (at >= text.length) return ended ? { kind: 'fault', fault, next: at } : INCOMPLETE;
  const next = afterBreak(text, at, ended);
  return next === undefined ? INCOMPLETE : { kind: 'fault', fault, next };
}

/** Behind a line break of any system; undefined when its second half may still come. */
function afterBreak(text: string, at: number, ended: boolean): number | undefined {
  if (text.charCodeAt(at) === LF) return at + 1;
  if (at + 1 >= text.length) return ended ? at + 1 : undefined;
  return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1;
}
