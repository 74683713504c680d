import type { QueryWord, WordForm } from './query-words';
import type { Frequencies } from './choice';

/** The places of a lexeme in a passage: its places in the text, and whether headings or the title have it. */
export interface Places {
  readonly text: readonly number[];
  readonly inHeading: boolean;
  readonly inTitle: boolean;
}

/** A passage as ranking sees it. */
export interface RankedPassage {
  readonly passage_id: string;
  /** Words of its text. */
  readonly length: number;
  readonly places: ReadonlyMap<string, Places>;
}

/** What was measured of the workspace. */
export interface Collection {
  readonly passages: number;
  readonly frequencies: Frequencies;
}

export interface Ranked {
  readonly passage_id: string;
  readonly score: number;
  /** The words of the query that stand in it. */
  readonly terms: readonly string[];
}

/** How soon more of the same word stops adding. */
const SATURATION = 1.2;
/** How much longer passages have to have a word more often. */
const LENGTH = 0.75;
const IN_TITLE = 1.5;
const IN_HEADING = 1;
/** What words of the query that stand near each other add, by how rare they are. */
const NEARNESS = 0.4;
/** Words of the query that may belong together: neighbours, and with one between. */
const NEIGHBOURS = 2;
const FARTHEST = 8;

/**
 * Passages by how much they say of the query, best first: BM25 over forms and stems, where the title and headings count as
 * more of a word, and words of the query that stand near each other add to it.
 */
export function rankPassages(
  words: readonly QueryWord[],
  passages: readonly RankedPassage[],
  { passages: all, frequencies }: Collection,
): Ranked[] {
  const usual = passages.reduce((sum, { length }) => sum + length, 0) / Math.max(1, passages.length) || 1;
  const most = Math.max(all, passages.length, ...frequencies.values());
  const rarity = (lexeme: string): number => {
    const found = frequencies.get(lexeme) ?? 0;
    return Math.log(1 + (most - found + 0.5) / (found + 0.5));
  };
  return passages
    .map((passage) => {
      const terms = words.filter(({ forms }) => forms.some(({ lexeme }) => passage.places.has(lexeme)));
      const score =
        words.reduce((sum, word) => sum + saysOf(word, passage, rarity, usual), 0) + NEARNESS * togetherness(words, passage, rarity);
      return { passage_id: passage.passage_id, score, terms: terms.map(({ word }) => word) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.passage_id < b.passage_id ? -1 : 1));
}

type Rarity = (lexeme: string) => number;

/** Of the stems of a word the one that says most counts. */
function saysOf({ forms }: QueryWord, { places, length }: RankedPassage, rarity: Rarity, usual: number): number {
  let [stem, others] = [0, 0];
  for (const { lexeme, weight, kind } of forms) {
    const found = places.get(lexeme);
    if (!found) continue;
    const often = found.text.length + (found.inTitle ? IN_TITLE : 0) + (found.inHeading ? IN_HEADING : 0);
    const says = (weight * rarity(lexeme) * often * (SATURATION + 1)) / (often + SATURATION * (1 - LENGTH + (LENGTH * length) / usual));
    if (kind === 'stem') stem = Math.max(stem, says);
    else others += says;
  }
  return stem + others;
}

function togetherness(words: readonly QueryWord[], { places }: RankedPassage, rarity: Rarity): number {
  const whole = words.map((word) => chief(word, places));
  let sum = 0;
  for (const [at, one] of whole.entries()) {
    if (!one) continue;
    for (const other of whole.slice(at + 1, at + 1 + NEIGHBOURS)) {
      if (!other || other.lexeme === one.lexeme) continue;
      const distance = closest(places.get(one.lexeme)?.text ?? [], places.get(other.lexeme)?.text ?? []);
      if (distance <= FARTHEST) sum += Math.min(rarity(one.lexeme), rarity(other.lexeme)) / Math.max(1, distance);
    }
  }
  return sum;
}

/** The form in which a word occurs in the passage: its stem, a pair, else the word. A character alone is near everything. */
function chief({ forms }: QueryWord, places: RankedPassage['places']): WordForm | undefined {
  const standing = forms.filter(({ lexeme, kind }) => kind !== 'character' && places.has(lexeme));
  return standing.find(({ kind }) => kind === 'stem') ?? standing[0];
}

/** The smallest distance between two places, both lists in their order. */
function closest(one: readonly number[], other: readonly number[]): number {
  let distance = Infinity;
  for (let a = 0, b = 0; a < one.length && b < other.length;) {
    const [left = 0, right = 0] = [one[a], other[b]];
    distance = Math.min(distance, Math.abs(left - right));
    if (left < right) a++;
    else b++;
  }
  return distance;
}
