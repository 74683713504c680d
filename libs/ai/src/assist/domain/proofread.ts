/** A correction: its place in the text that was given, and what takes its place. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly from: string;
  readonly to: string;
  readonly kind: 'whitespace' | 'repeated_word' | 'capital' | 'spelling' | 'grammar' | 'style';
}

const DOUBLE_SPACE = /(?<=\S)[ \t\u00a0]{2,}(?=\S)/g;
/** Other marks stand apart in French. */
const BEFORE_MARK = /(?<=\p{L})[ \t]+(?=[,.](?:\s|$))/gu;
const AT_LINE_END = /(?<=\S)[ \t]+(?=\n|$)/g;
const REPEATED = /(?<![\p{L}\p{N}'’-])(\p{L}{2,})([ \t]+)\1(?![\p{L}\p{N}'’-])/giu;
/** The letter is asked for first: a look back over blanks from each of them would take their number squared. */
const FIRST_LETTER = /(?=\p{Ll})(?:^|(?<=[.!?]["'”’)]?[ \t\n]+))(\p{Ll})(?=\p{L}*(?:[\s,;:!?]|\.\s|\.$))/gu;
const ABBREVIATED = /(?:^|[\s(])(?:\p{L}|\p{L}\.\p{L}|e\.g|i\.e|etc|vs|cf|ca|no|nr|fig|dr|prof|mr|mrs|ms|st|bzw|vgl|abb)\.["'”’)]?\s+$/iu;
/** Words that may rightly be repeated. */
const RIGHTLY: ReadonlySet<string> = new Set(['that', 'had', 'die', 'der', 'das', 'sie', 'nous', 'vous']);

/** What rules without a dictionary can correct: spaces, doubled words, first letters of sentences. */
export function plainEdits(text: string): Edit[] {
  const edits: Edit[] = [
    ...found(text, AT_LINE_END, () => ''),
    ...found(text, BEFORE_MARK, () => ''),
    ...found(text, DOUBLE_SPACE, () => ' '),
  ].map((edit) => ({ ...edit, kind: 'whitespace' as const }));
  for (const match of text.matchAll(REPEATED)) {
    const [whole, word = ''] = match;
    if (!RIGHTLY.has(word.toLowerCase()))
      edits.push({ start: match.index, end: match.index + whole.length, from: whole, to: word, kind: 'repeated_word' });
  }
  for (const match of text.matchAll(FIRST_LETTER)) {
    const { index: at, 0: letter } = match;
    if (!ABBREVIATED.test(text.slice(Math.max(0, at - 16), at)))
      edits.push({ start: at, end: at + letter.length, from: letter, to: letter.toUpperCase(), kind: 'capital' });
  }
  return apart(edits);
}

/** The text with the corrections in it. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let at = 0;
  const pieces = edits.map(({ start, end, to }) => {
    const piece = text.slice(at, start) + to;
    at = end;
    return piece;
  });
  return pieces.join('') + text.slice(at);
}

/** Corrections that a model names by their words, in the order of the text; one that is not found there is left out. */
export function locateEdits(
  text: string,
  named: readonly { readonly from: string; readonly to: string; readonly kind: Edit['kind'] }[],
): Edit[] {
  let from = 0;
  return named.flatMap((edit): Edit[] => {
    const start = edit.from === '' || edit.from === edit.to ? -1 : text.indexOf(edit.from, from);
    if (start < 0) return [];
    from = start + edit.from.length;
    return [{ ...edit, start, end: from }];
  });
}

function found(text: string, pattern: RegExp, to: () => string): Omit<Edit, 'kind'>[] {
  return [...text.matchAll(pattern)].map(({ index, 0: from }) => ({ start: index, end: index + from.length, from, to: to() }));
}

/** In their order; of two that overlap the first. */
function apart(edits: readonly Edit[]): Edit[] {
  const kept: Edit[] = [];
  for (const edit of [...edits].sort((one, other) => one.start - other.start || other.end - one.end))
    if (edit.start >= (kept.at(-1)?.end ?? 0)) kept.push(edit);
  return kept;
}
