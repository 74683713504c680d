import type { Span } from '../domain/sentences';

/** Reading costs more than the length when references are looked up: long documents are read in pieces. */
const PIECE = 64 * 1024;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ROW = /^ {0,3}\|/;
const BELOW_HEADER = /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/;
/** Lists and quotes that begin inside each other on one line; each costs as much as all before it. */
const TOO_DEEP = /^(?:[ \t]{0,8}(?:[-+*>]|\d{1,9}[.)])){24}/m;

/** A stretch of a document that is read by itself: as markdown, as the rest of a fence or of a table, or as words alone. */
export interface Piece extends Span {
  readonly as: 'markdown' | 'code' | 'table' | 'words';
  /** Of the rest of a table: its header row with the line below. */
  readonly head?: Span;
}

/**
 * Cuts a document behind an empty line outside of code once a piece is long enough, and where none comes behind a line or within it:
 * no piece is longer than 64 KB. Of a fence or a table that is longer the pieces behind the first are its rest.
 */
export function piecesOf(markdown: string): Piece[] {
  const cutter = new Cutter(markdown);
  for (let at = 0; at < markdown.length;) {
    const newline = markdown.indexOf('\n', at);
    const end = newline < 0 ? markdown.length : newline + 1;
    cutter.line(at, end);
    at = end;
  }
  return cutter.finish();
}

class Cutter {
  private readonly pieces: Piece[] = [];
  private start = 0;
  private fence: string | null = null;
  private row: Span | null = null;
  private head: Span | null = null;
  /** What the piece is the rest of. */
  private rest: 'code' | 'table' | null = null;

  constructor(private readonly markdown: string) {}

  line(at: number, end: number): void {
    const line = this.markdown.slice(at, end);
    const isRow = this.fence === null && ROW.test(line);
    if (!isRow) {
      if (this.rest === 'table') this.cut(at, null);
      this.head = null;
    }
    if (end - this.start > PIECE) this.cut(at, this.restOf());
    while (end - this.start > PIECE) this.cut(this.start + placeIn(this.markdown.slice(this.start, this.start + PIECE)), this.restOf());
    if (isRow && this.row && this.head === null && BELOW_HEADER.test(line.trimEnd())) this.head = { start: this.row.start, end };
    this.row = isRow ? { start: at, end } : null;
    const mark = FENCE.exec(line)?.[1];
    if (mark && this.fence === null) this.fence = mark;
    else if (mark && this.fence !== null && mark.startsWith(this.fence)) {
      this.fence = null;
      if (this.rest === 'code') this.cut(end, null);
    }
    if (this.fence === null && line.trim() === '' && end - this.start >= PIECE / 2) this.cut(end, null);
  }

  finish(): Piece[] {
    this.cut(this.markdown.length, null);
    return this.pieces;
  }

  private restOf(): Cutter['rest'] {
    if (this.fence !== null) return 'code';
    return this.head === null ? null : 'table';
  }

  private cut(end: number, next: Cutter['rest']): void {
    const { start, rest, head } = this;
    if (end > start) {
      const as = rest ?? (TOO_DEEP.test(this.markdown.slice(start, end)) ? 'words' : 'markdown');
      this.pieces.push({ start, end, as, ...(as === 'table' && head ? { head } : {}) });
    }
    this.start = end;
    this.rest = next;
  }
}

/** Where a line that is too long is cut: behind its last blank, and never within a pair of units. */
function placeIn(text: string): number {
  const blank = text.lastIndexOf(' ') + 1;
  if (blank > text.length / 2) return blank;
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}
