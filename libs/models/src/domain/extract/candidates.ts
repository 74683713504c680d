import type { ModelSource } from '../grounding';
import { QuestionWeights } from './question-weights';
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

const FEWEST_WORDS = 3;
const MOST_WORDS = 80;
const MOST_QUOTED = 4;
/** Each of those that are ranked is compared with those before it. */
const MOST_RANKED = 60;
const LEAST_COVERED = 1 / 3;
const SAME = 0.8;
const FOR_PASSAGE = 0.15;
const FOR_FIRST = 0.05;
/** How much the rank of its passage counts beside how much of the question a sentence has. */
const FOR_RANK = 0.3;
/** Sentences with less of the best one's score are not quoted beside it. */
const BESIDE_BEST = 0.5;
/** What speaks for an answer besides the sentence itself: those around it, its passage, and a long question, which no text has by chance. */
const AROUND = 0.75;
const IN_PASSAGE = 0.75;
const FOR_LENGTH = 0.35;
const ENOUGH = 1.4;
/** Sentences of a long text that count as one passage. */
const STRETCH = 20;

/** The sentences of 3 to 80 words of the sources. */
export function candidatesOf(sources: readonly ModelSource[], reader: Reader): Candidate[] {
  const most = Math.max(...sources.map(({ score = 0 }) => score), 0);
  return sources.flatMap(({ text, n, score = 0 }, source) =>
    sentencesOf(text)
      .filter((sentence) => {
        const { length } = wordsOf(sentence.text);
        return length >= FEWEST_WORDS && length <= MOST_WORDS;
      })
      .map((sentence, at) => ({
        text: sentence.text,
        stems: new Set(reader.stemsOf(sentence.text)),
        n,
        place: [source, at] as const,
        passage: most > 0 ? score / most : 0,
      })),
  );
}

/** Those that share enough with the question, best first, some dozens at most; of two that say nearly the same the better alone. */
export function ranked(candidates: readonly Candidate[], question: readonly string[]): Scored[] {
  if (question.length === 0) return [];
  const idf = rarityOf(candidates, question);
  return distinct(
    candidates.map((candidate) => ({ ...candidate, score: scoreOf(candidate, question, idf) })).filter(({ score }) => score > 0),
    MOST_RANKED,
  );
}

/** The best first, and of two that say nearly the same the better alone; so many at most. */
function distinct(scored: readonly Scored[], most: number): Scored[] {
  const kept: Scored[] = [];
  for (const one of [...scored].sort((a, b) => b.score - a.score || byPlace(a, b))) {
    if (kept.length >= most) break;
    if (!kept.some((other) => likeness(one.stems, other.stems) > SAME)) kept.push(one);
  }
  return kept;
}

/** What is quoted, in the order of the sources; nothing where the sources have too little of the question to answer it. */
export function quoted(candidates: readonly Candidate[], question: readonly string[]): Scored[] {
  const weights = new QuestionWeights(
    question,
    candidates.map(({ stems }) => stems),
  );
  if (!isAnswered(candidates, question, weights)) return [];
  const scored = candidates
    .map((candidate) => ({ candidate, share: weights.shareIn(candidate.stems) }))
    .filter(({ share }) => share > 0)
    .map(({ candidate, share }) => ({ ...candidate, score: share + FOR_RANK * candidate.passage }));
  const best = distinct(scored, MOST_QUOTED);
  return best.filter(({ score }) => score >= BESIDE_BEST * (best[0]?.score ?? 0)).sort(byPlace);
}

/** Whether one sentence, what is around it, and its passage together have enough of the question. */
function isAnswered(candidates: readonly Candidate[], question: readonly string[], weights: QuestionWeights): boolean {
  const stretches = new Map<string, Set<string>>();
  for (const { place, stems } of candidates) {
    const key = `${place[0]} ${Math.floor(place[1] / STRETCH)}`;
    const known = stretches.get(key) ?? new Set();
    for (const stem of stems) known.add(stem);
    stretches.set(key, known);
  }
  const besides = ({ place }: Candidate, other: Candidate | undefined): ReadonlySet<string>[] =>
    other?.place[0] === place[0] ? [other.stems] : [];
  const most = (shares: readonly number[]): number => shares.reduce((one, other) => Math.max(one, other), 0);
  const sentence = most(candidates.map(({ stems }) => weights.shareIn(stems)));
  const around = most(
    candidates.map((candidate, at) =>
      weights.shareIn(candidate.stems, ...besides(candidate, candidates[at - 1]), ...besides(candidate, candidates[at + 1])),
    ),
  );
  const passage = most([...stretches.values()].map((stems) => weights.shareIn(stems)));
  return sentence + AROUND * around + IN_PASSAGE * passage + FOR_LENGTH * Math.log(1 + question.length) >= ENOUGH;
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

const byPlace = (one: Candidate, other: Candidate): number => one.place[0] - other.place[0] || one.place[1] - other.place[1];
