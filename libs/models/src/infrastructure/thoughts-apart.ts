/** A piece of an answer. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** Marks between which models think aloud, where their server leaves that in the answer. */
const MARKS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
  ['<thought>', '</thought>'],
  ['<reasoning>', '</reasoning>'],
  ['[think]', '[/think]'],
] as const;

/**
 * Separates the thoughts at the beginning of an answer from the answer. Text arrives in pieces, which are cut anywhere; behind the first
 * word of the answer, marks are part of it.
 */
export class ThoughtsApart {
  private held = '';
  private end: string | null = null;
  private hasBegun = false;
  private hasThought = false;

  take(text: string): readonly Piece[] {
    if (this.hasBegun) return pieces('text', text);
    this.held += text;
    const found: Piece[] = [];
    for (let more = true; more;) more = this.end === null ? this.before(found) : this.within(found, this.end);
    return found;
  }

  /** What is held back when the answer ends. */
  rest(): readonly Piece[] {
    const { held, end } = this;
    this.held = '';
    if (end !== null) return pieces('reasoning', held);
    return pieces('text', this.hasThought ? held.trimStart() : held);
  }

  private before(found: Piece[]): boolean {
    const start = this.held.trimStart();
    const lower = start.toLowerCase();
    const mark = MARKS.find(([open]) => lower.startsWith(open));
    if (mark) {
      [this.held, this.end, this.hasThought] = [start.slice(mark[0].length), mark[1], true];
      return true;
    }
    if (MARKS.some(([open]) => open.startsWith(lower))) return false;
    found.push(...pieces('text', this.hasThought ? start : this.held));
    [this.held, this.hasBegun] = ['', true];
    return false;
  }

  private within(found: Piece[], end: string): boolean {
    const at = this.held.toLowerCase().indexOf(end);
    if (at >= 0) {
      found.push(...pieces('reasoning', this.held.slice(0, at)));
      [this.held, this.end] = [this.held.slice(at + end.length), null];
      return true;
    }
    // The end may be cut: as much is kept as may be the beginning of it.
    const known = Math.max(0, this.held.length - end.length + 1);
    found.push(...pieces('reasoning', this.held.slice(0, known)));
    this.held = this.held.slice(known);
    return false;
  }
}

const pieces = (kind: Piece['kind'], text: string): readonly Piece[] => (text === '' ? [] : [{ kind, text }]);
