/** A piece of an answer. */
export interface Piece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** Marks between which models think aloud, where their server leaves that in the answer. */
const MARKS = [
  { open: '<think>', close: /<\/think>/i },
  { open: '<thinking>', close: /<\/thinking>/i },
  { open: '<thought>', close: /<\/thought>/i },
  { open: '<reasoning>', close: /<\/reasoning>/i },
  { open: '[think]', close: /\[\/think\]/i },
  { open: '<seed:think>', close: /<\/seed:think>/i },
  { open: '<reflection>', close: /<\/reflection>/i },
  { open: '◁think▷', close: /◁\/think▷/i },
  { open: '<|channel|>analysis<|message|>', close: /<\|channel\|>final<\|message\|>/i },
] as const;
const LONGEST_MARK = Math.max(...MARKS.map(({ open }) => open.length + '/'.length));

/**
 * Separates the thoughts at the beginning of an answer from the answer. Text arrives in pieces, which are cut anywhere; behind the first
 * word of the answer, marks are part of it.
 */
export class ReasoningSplitter {
  /** White space before the first word: it is read once, however many pieces it comes in. */
  private blank = '';
  private held = '';
  private end: RegExp | null = null;
  private hasBegun = false;
  private hasThought = false;

  splitText(text: string): readonly Piece[] {
    if (this.hasBegun) return pieces('text', text);
    this.held += text;
    const found: Piece[] = [];
    for (let more = true; more;) more = this.end === null ? this.before(found) : this.within(found, this.end);
    return found;
  }

  /** What is held back when the answer ends. */
  releaseRest(): readonly Piece[] {
    const { blank, held, end } = this;
    [this.blank, this.held] = ['', ''];
    if (end !== null) return pieces('reasoning', held);
    return pieces('text', this.hasThought ? held : blank + held);
  }

  private before(found: Piece[]): boolean {
    const start = this.held.trimStart();
    this.blank += this.held.slice(0, this.held.length - start.length);
    this.held = start;
    const beginning = start.slice(0, LONGEST_MARK).toLowerCase();
    const mark = MARKS.find(({ open }) => beginning.startsWith(open));
    if (mark) {
      [this.blank, this.held, this.end, this.hasThought] = ['', start.slice(mark.open.length), mark.close, true];
      return true;
    }
    if (MARKS.some(({ open }) => open.startsWith(beginning))) return false;
    found.push(...pieces('text', this.hasThought ? start : this.blank + start));
    [this.blank, this.held, this.hasBegun] = ['', '', true];
    return false;
  }

  private within(found: Piece[], end: RegExp): boolean {
    const mark = end.exec(this.held);
    if (mark) {
      found.push(...pieces('reasoning', this.held.slice(0, mark.index)));
      [this.held, this.end] = [this.held.slice(mark.index + mark[0].length), null];
      return true;
    }
    // The end may be cut: as much is kept as may be the beginning of it.
    const known = Math.max(0, this.held.length - LONGEST_MARK + 1);
    found.push(...pieces('reasoning', this.held.slice(0, known)));
    this.held = this.held.slice(known);
    return false;
  }
}

/** An end of thoughts without a beginning, which templates of some models write into the question. */
const LONE_END = /(?<!`)<\/(think|thinking|thought|reasoning)>[ \t]*\r?\n/i;
const FENCE = /^[ \t]{0,3}```/gm;

/** Thoughts and the answer behind them. */
export interface ThoughtsAndAnswer {
  readonly reasoning: string;
  readonly text: string;
}

/** What is before and behind an end of thoughts whose beginning the model did not write; null where there is none. */
export function thoughtsBefore(whole: string): ThoughtsAndAnswer | null {
  const end = LONE_END.exec(whole);
  if (!end) return null;
  const reasoning = whole.slice(0, end.index);
  const isInCode = (reasoning.match(FENCE)?.length ?? 0) % 2 === 1;
  const [before, name] = [reasoning.toLowerCase(), (end[1] ?? '').toLowerCase()];
  const hasBeginning = ['>', ' ', '\n'].some((sign) => before.includes(`<${name}${sign}`));
  return isInCode || hasBeginning ? null : { reasoning, text: whole.slice(end.index + end[0].length).trimStart() };
}

/** The thoughts and the answer of a text that is there as a whole. */
export function thoughtsAndAnswer(text: string): readonly Piece[] {
  const apart = new ReasoningSplitter();
  const found = [...apart.splitText(text), ...apart.releaseRest()];
  const parted = found.some(({ kind }) => kind === 'reasoning') ? null : thoughtsBefore(text);
  return parted ? [...pieces('reasoning', parted.reasoning), ...pieces('text', parted.text)] : found;
}

const pieces = (kind: Piece['kind'], text: string): readonly Piece[] => (text === '' ? [] : [{ kind, text }]);
