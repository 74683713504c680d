import type { TextQuery } from './query-words';

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** Passages that a word stands in at most for it to choose passages; more frequent ones only rank what others chose. */
export const MOST_FREQUENT = 5_000;

/** How frequent the words of a workspace are, by lexeme; those that stand nowhere are absent. */
export type Frequencies = ReadonlyMap<string, number>;

/**
 * Which passages are worth ranking, as a tsquery: those with any word of the query that is not in too many of them, or with
 * all of its words where each is; null when no word of the query stands anywhere.
 */
export function conditionOf({ words, phrases, excluded }: TextQuery, frequencies: Frequencies): string | null {
  const standing = words
    .map(({ forms }) => forms.map(({ lexeme }) => lexeme).filter((lexeme) => frequencies.has(lexeme)))
    .filter((forms) => forms.length > 0);
  const choosing = standing.flat().filter((lexeme) => (frequencies.get(lexeme) ?? 0) < MOST_FREQUENT);
  const chosen =
    choosing.length > 0
      ? [...new Set(choosing)].map(quoted).join(' | ')
      : standing.map((forms) => `(${forms.map(quoted).join(' | ')})`).join(' & ');
  if (chosen === '') return null;
  return [
    `(${chosen})`,
    ...phrases.map((phrase) => `(${phrase.map(quoted).join(' <-> ')})`),
    ...excluded.map((lexeme) => `!${quoted(lexeme)}`),
  ].join(' & ');
}
