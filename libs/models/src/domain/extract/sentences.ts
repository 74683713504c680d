/** A sentence of a text: it is the text between its ends, letter by letter. */
export interface Sentence {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'sentence' });
/** Segmenting is done in pieces, so that a text without a full stop costs no more than one with many. */
const PIECE = 20_000;
/** A full stop behind these does not end a sentence. */
const GOES_ON =
  /(?:^|[\s(])(?:\p{L}|\p{N}{1,2}|z\.\s?B|u\.\s?a|d\.\s?h|e\.g|i\.e|vs|cf|ca|approx|no|nr|fig|figs|eq|dr|prof|mr|mrs|ms|st|bzw|vgl|abb|etc)\.\s*$/iu;
/** A line of its own: a heading, what underlines one, a rule, the fence of a block. */
const OWN_LINE = /^(?:#{1,6}\s.*|[=*_-]{2,}|```.*|~~~.*)$/;
/** Where the next line begins something new: a list item, heading, quote, row of a table, an underline. */
const BEGINS = /^(?:[\s#>|*+-]|$|={2,}|```|~~~|\d{1,3}[.)]\s)/;
const HEADING = /^(?:#{1,6}\s|[=*_-]{2,}$)/;
/** A line that says what its value is: `Phone: 555`. A time of day is none. */
const LABEL = /^[ \t]*(?:[-*+•][ \t]+)?\p{L}[^:：.!?。！？\n]{0,40}(?::(?=\s|$)|：)/u;
/** Lines that break where the page ends are longer than this; shorter ones ended because somebody ended them. */
const [LONG, LONG_UNSPACED] = [45, 20];
const SMALL = /^\p{Ll}/u;
const UNFINISHED = /[,;–(&/-]$/;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** The sentences of a text in their order; headings are none. */
export function sentencesOf(text: string): Sentence[] {
  const flowing = unwrapped(text);
  const found: Sentence[] = [];
  let open: number | null = null;
  const close = (start: number, end: number): void => {
    const piece = text.slice(start, end);
    const from = start + piece.length - piece.trimStart().length;
    const cut = piece.trim();
    if (cut !== '' && !HEADING.test(cut)) found.push({ text: cut, start: from, end: from + cut.length });
  };
  for (let from = 0; from < flowing.length; from += PIECE) {
    for (const { segment, index } of SEGMENTER.segment(flowing.slice(from, from + PIECE))) {
      const start: number = open ?? from + index;
      const end = from + index + segment.length;
      open = GOES_ON.test(flowing.slice(Math.max(start, end - 16), end)) ? start : null;
      if (open === null) close(start, end);
    }
  }
  if (open !== null) close(open, flowing.length);
  return found;
}

/** The text with blanks for the ends of lines that only wrap, letter by letter as long as it was. */
function unwrapped(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      const next = lines[at + 1];
      if (next === undefined) return line;
      const content = line.endsWith('\r') ? line.slice(0, -1) : line;
      const wraps = content !== '' && !/\s$/.test(content) && !OWN_LINE.test(content) && !BEGINS.test(next) && goesOn(content, next);
      return wraps ? `${content}${' '.repeat(line.length - content.length + 1)}` : `${line}\n`;
    })
    .join('');
}

/** Whether a line ends only because it was full: the next one goes on with its sentence. */
function goesOn(line: string, next: string): boolean {
  if (isLabelled(next)) return false;
  if (SMALL.test(next) || UNFINISHED.test(line)) return true;
  return line.length >= (UNSPACED.test(line) ? LONG_UNSPACED : LONG);
}

/** Whether a line begins with the name of what it says. */
export const isLabelled = (line: string): boolean => LABEL.test(line);
