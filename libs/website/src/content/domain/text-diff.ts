import { DiffEffort, diffSequences, type SequenceChange } from './sequences';

/** A piece of a text: in both versions, or only in one of them. */
export interface TextChange {
  readonly op: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Words of a text that are compared one by one; longer ones are compared line by line. */
const MOST_WORDS = 4_000;
const MOST_CHANGES = 500;

/** The difference of two texts by words, or by lines where they are long. Never more than 500 pieces: beyond it the rest is one of each. */
export function diffTexts(before: string, after: string, effort = new DiffEffort()): readonly TextChange[] {
  const words = [wordsOf(before), wordsOf(after)] as const;
  const isLong = words.some(({ length }) => length > MOST_WORDS);
  const changes = diffSequences(isLong ? linesOf(before) : words[0], isLong ? linesOf(after) : words[1], effort);
  return bounded(joined(changes));
}

/** Words with the signs and spaces behind them, so that the pieces make the text again. */
const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
const linesOf = (text: string): readonly string[] =>
  text.split('\n').map((line, at, lines) => (at < lines.length - 1 ? `${line}\n` : line));

const joined = (changes: readonly SequenceChange[]): readonly TextChange[] =>
  changes.map(({ op, items }) => ({ op, text: items.join('') }));

function bounded(changes: readonly TextChange[]): readonly TextChange[] {
  if (changes.length <= MOST_CHANGES) return changes;
  const [first, rest] = [changes.slice(0, MOST_CHANGES - 2), changes.slice(MOST_CHANGES - 2)];
  const side = (op: 'removed' | 'added'): string =>
    rest
      .filter((change) => change.op === 'same' || change.op === op)
      .map(({ text }) => text)
      .join('');
  return [...first, { op: 'removed', text: side('removed') }, { op: 'added', text: side('added') }];
}
