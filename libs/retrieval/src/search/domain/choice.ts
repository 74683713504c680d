import type { QueryWord, TextQuery } from './query-words';

const quoted = (lexeme: string): string => `'${lexeme.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** How frequent the words of a workspace are, by lexeme; those that stand nowhere are absent. */
export type Frequencies = ReadonlyMap<string, number>;

/** Which passages are worth ranking: what the index is asked for. */
export interface Choice {
  /** Passages with any of these words, and what each word counts. */
  readonly words: readonly string[];
  readonly weights: readonly number[];
  /** Passages with all of these; `onlyTogether`: and no others. */
  readonly together: readonly string[];
  readonly onlyTogether: boolean;
  /** What has to hold besides, as a tsquery: phrases, and words that must not stand there. */
  readonly condition: string | null;
}

/**
 * So many entries of the index are taken for a query, those of rare words first: however much there is, a search costs no more.
 * `search_passages_text` takes somewhat more of a word than that, for frequencies are about right.
 */
export const READ_AT_MOST = 30_000;
/** What a word counts more where a passage stresses it, and how the index marks that. */
const STRESSED = 0.5;
const stressed = (lexeme: string): string => `${lexeme}!`;
/** Of words that are all too frequent, so many choose by where they are stressed. */
const RAREST = 3;

/** How much is searched, and whether its passages are read themselves: then frequent words choose as well as rare ones. */
export interface Searched {
  readonly passages: number;
  readonly isNarrow: boolean;
}

/**
 * Chooses by the rare words of a query. Where all are frequent, by passages that stress them or have all of them; by phrases,
 * where there are any. Null when no word of the query occurs anywhere.
 */
export function choiceOf(
  { words, phrases, excluded }: TextQuery,
  { passages, isNarrow }: Searched,
  frequencies: Frequencies,
): Choice | null {
  const weights = weightsOf(words, passages, frequencies);
  if (weights.size === 0) return null;
  const byRarity = [...weights.keys()].sort((a, b) => (frequencies.get(a) ?? 0) - (frequencies.get(b) ?? 0) || (a < b ? -1 : 1));
  const rare = isNarrow ? byRarity : affordable(byRarity, (lexeme) => frequencies.get(lexeme) ?? 0);
  const weightOf = (lexeme: string): number => weights.get(lexeme) ?? 0;
  const choosing: (readonly [string, number])[] =
    rare.length > 0
      ? rare.flatMap((lexeme) => [[lexeme, weightOf(lexeme)] as const, [stressed(lexeme), STRESSED * weightOf(lexeme)] as const])
      : byRarity.slice(0, RAREST).map((lexeme) => [stressed(lexeme), (1 + STRESSED) * weightOf(lexeme)]);
  const conditions = [
    ...phrases.map((phrase) => `(${phrase.map(quoted).join(' <-> ')})`),
    ...excluded.map((lexeme) => `!${quoted(lexeme)}`),
  ];
  return {
    words: choosing.map(([lexeme]) => lexeme),
    weights: choosing.map(([, weight]) => weight),
    together: phrases.length > 0 ? [...new Set(phrases.flat())] : rare.length > 0 ? [] : mostFrequentForms(words, frequencies),
    onlyTogether: phrases.length > 0,
    condition: conditions.length > 0 ? conditions.join(' & ') : null,
  };
}

/** So few passages are read themselves; 10,000 take some 0.3 s. */
export const MOST_READ = 100_000;
/** Words by which passages are chosen where they are read themselves. */
const MOST_WORDS = 12;

/** A choice as it is asked of passages themselves, as tsqueries: which are chosen, and what each word and its stress add. */
export interface ReadChoice {
  readonly condition: string;
  readonly words: readonly string[];
  readonly stressed: readonly string[];
  readonly weights: readonly number[];
}

/** By the rarest words; phrases and what must not be there are in the condition. */
export function readChoiceOf({ words, weights, condition }: Choice): ReadChoice {
  const plain = words
    .flatMap((word, at) => (word.endsWith('!') ? [] : [{ word: quoted(word), weight: weights[at] ?? 0 }]))
    .slice(0, MOST_WORDS);
  const any = plain.map(({ word }) => word).join(' | ');
  return {
    condition: condition === null ? any : `(${any}) & ${condition}`,
    words: plain.map(({ word }) => word),
    stressed: plain.map(({ word }) => `${word}:AB`),
    weights: plain.map(({ weight }) => weight),
  };
}

/** What each lexeme that occurs anywhere adds when passages are chosen: by how rare it is. */
function weightsOf(words: readonly QueryWord[], passages: number, frequencies: Frequencies): Map<string, number> {
  const weights = new Map<string, number>();
  const most = Math.max(passages, ...frequencies.values());
  for (const { forms } of words)
    for (const { lexeme, weight } of forms) {
      const found = frequencies.get(lexeme);
      if (found !== undefined)
        weights.set(lexeme, (weights.get(lexeme) ?? 0) + weight * Math.log(1 + (most - found + 0.5) / (found + 0.5)));
    }
  return weights;
}

/** The first of them whose entries may all be read. */
function affordable(byRarity: readonly string[], entriesOf: (lexeme: string) => number): string[] {
  let read = 0;
  return byRarity.filter((lexeme) => (read += entriesOf(lexeme)) <= READ_AT_MOST);
}

/** Each word that occurs anywhere, by the form that most passages have. */
const mostFrequentForms = (words: readonly QueryWord[], frequencies: Frequencies): string[] =>
  words.flatMap(({ forms }) => {
    const standing = forms.map(({ lexeme }) => lexeme).filter((lexeme) => frequencies.has(lexeme));
    return standing.sort((a, b) => (frequencies.get(b) ?? 0) - (frequencies.get(a) ?? 0)).slice(0, 1);
  });
