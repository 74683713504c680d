import type { ModelSource } from '../grounding';
import { sentencesOf } from './sentences';
import { wordsOf, type Reader } from './words';

/** A sentence of a source that may be quoted. */
export interface Candidate {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly n: number | null;
  /** Of the source, then of the sentence in it. */
  readonly place: readonly [number, number];
  /** How well its passage fits, 0 to 1. */
  readonly passage: number;
}

/** A candidate, and how well it answers. */
export interface Scored extends Candidate {
  readonly score: number;
}

type Ranked = Pick<Scored, 'score' | 'place' | 'stems'>;

const FEWEST_WORDS = 3;
const MOST_WORDS = 80;
/** A text is not read to its end where so much of it has so many words: it has more than 80, wherever the last of them is cut. */
const [BEGINNING, TOO_MANY] = [2_000, 2 * MOST_WORDS];
/** Each of those that are ranked is compared with those before it. */
const MOST_RANKED = 60;
const LEAST_COVERED = 1 / 3;
const SAME = 0.8;
const FOR_PASSAGE = 0.15;
const FOR_FIRST = 0.05;
/** The sentences of 3 to 80 words of the sources. */
export function candidatesOf(sources: readonly ModelSource[], reader: Reader): Candidate[] {
  const most = Math.max(...sources.map(({ score = 0 }) => score), 0);
  return sources.flatMap(({ text, n, score = 0 }, source) =>
    sentencesOf(text)
      .filter(({ text: sentence }) => wordsIn(sentence, FEWEST_WORDS) !== null)
      .map((sentence, at) => ({
        text: sentence.text,
        stems: new Set(reader.stemsOf(sentence.text)),
        n,
        place: [source, at] as const,
        passage: most > 0 ? score / most : 0,
      })),
  );
}

/** How many words a text has; null where they are fewer than that, or more than 80. */
export function wordsIn(text: string, fewest: number): number | null {
  if (text.length > BEGINNING && wordsOf(text.slice(0, BEGINNING)).length >= TOO_MANY) return null;
  const { length } = wordsOf(text);
  return length >= fewest && length <= MOST_WORDS ? length : null;
}

/** Those that share enough with the question, best first, some dozens at most; of two that say nearly the same the better alone. */
export function rankedCandidates(candidates: readonly Candidate[], question: readonly string[]): Scored[] {
  if (question.length === 0) return [];
  const idf = rarityOf(candidates, question);
  return distinctRanked(
    candidates.map((candidate) => ({ ...candidate, score: scoreOf(candidate, question, idf) })).filter(({ score }) => score > 0),
    MOST_RANKED,
  );
}

/** The best first, and of two that say nearly the same the better alone; so many at most. */
export function distinctRanked<T extends Ranked>(scored: readonly T[], most: number): T[] {
  const kept: T[] = [];
  for (const one of [...scored].sort((a, b) => b.score - a.score || byPlace(a, b))) {
    if (kept.length >= most) break;
    if (!kept.some((other) => likeness(one.stems, other.stems) > SAME)) kept.push(one);
  }
  return kept;
}

/** Rare stems weigh more: in how few of the sentences they are. */
function rarityOf(candidates: readonly Candidate[], stems: readonly string[]): ReadonlyMap<string, number> {
  return new Map(
    stems.map((stem) => {
      const within = candidates.filter((candidate) => candidate.stems.has(stem)).length;
      return [stem, within === 0 ? 0 : Math.log(1 + candidates.length / within)];
    }),
  );
}

function scoreOf({ stems, passage, place }: Candidate, question: readonly string[], idf: ReadonlyMap<string, number>): number {
  const shared = question.filter((stem) => stems.has(stem));
  const covered = shared.length / question.length;
  if (shared.length === 0 || covered < LEAST_COVERED) return 0;
  const weight = shared.reduce((sum, stem) => sum + (idf.get(stem) ?? 0), 0);
  return weight * covered + FOR_PASSAGE * passage + (place[1] === 0 ? FOR_FIRST : 0);
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((stem) => other.has(stem)).length;
  const all = one.size + other.size - shared;
  return all === 0 ? 1 : shared / all;
}

export const byPlace = (one: Pick<Ranked, 'place'>, other: Pick<Ranked, 'place'>): number =>
  one.place[0] - other.place[0] || one.place[1] - other.place[1];
