/** A stretch of a text, from its first character to behind its last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const SEGMENTER = new Intl.Segmenter('und', { granularity: 'sentence' });
/** What ends a sentence nowhere, although it ends with a full stop. */
const GOES_ON =
  /(?:^|[\s(])(?:\p{L}|\p{N}{1,2}|z\.\s?B|u\.\s?a|d\.\s?h|e\.g|i\.e|vs|cf|ca|approx|no|nr|fig|figs|eq|dr|prof|mr|mrs|ms|st|bzw|vgl|abb|etc)\.\s*$/iu;
/** Segmenting is done in pieces, so that a page without a full stop costs no more than one with many. */
const LONGEST = 20_000;

/** The sentences of a text in their order, without the blanks around them; offsets are of the text. */
export function sentencesOf(text: string): Span[] {
  const spans: Span[] = [];
  let open: Span | null = null;
  for (let from = 0; from < text.length; from += LONGEST) {
    for (const { segment, index } of SEGMENTER.segment(text.slice(from, from + LONGEST))) {
      const start: number = open?.start ?? from + index;
      const end = from + index + segment.length;
      open = GOES_ON.test(text.slice(Math.max(start, end - 16), end)) ? { start, end } : null;
      if (!open) spans.push({ start, end });
    }
  }
  if (open) spans.push(open);
  return spans.map((span) => trimmedSpan(text, span)).filter(({ start, end }) => end > start);
}

/** The stretch without the blanks at its ends. */
export function trimmedSpan(text: string, { start, end }: Span): Span {
  let [first, behind] = [start, end];
  while (first < behind && /\s/.test(text[first] ?? '')) first++;
  while (behind > first && /\s/.test(text[behind - 1] ?? '')) behind--;
  return { start: first, end: behind };
}

/** The lines of a text with their breaks; offsets count from `from`. */
export function linesOf(text: string, from: number): Span[] {
  const lines: Span[] = [];
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push({ start: from + at, end: from + end });
    at = end;
  }
  return lines;
}
