import type { ModelSource } from '../grounding';
import { byPlace, distinctRanked, wordsIn } from './candidates';
import { statesFact } from './fact-kinds';
import { StemMatches, type TextStems } from './stem-matches';
import type { Question } from './question';
import { statementsOf, type Statement } from './statements';
import type { Reader } from './words';

/** A sentence of a source that may be quoted, with the stems of what it is about. */
export interface Quotable {
  readonly text: string;
  readonly stems: ReadonlySet<string>;
  readonly near: ReadonlySet<string>;
  readonly far: ReadonlySet<string>;
  readonly words: number;
  /** Whether the text asks a question which it answers. */
  readonly answersQuestion: boolean;
  readonly n: number | null;
  /** Of the source, then of the sentence in it. */
  readonly place: readonly [number, number];
  /** How well its passage fits, 0 to 1. */
  readonly passage: number;
}

/** One of them, and how well it answers. */
export interface Quote extends Quotable {
  readonly score: number;
}

interface Weighed extends Quote {
  /** How much of the question it has. */
  readonly share: number;
  readonly tellsFact: boolean;
}

const FEWEST_WORDS = 3;
const MOST_QUOTED = 4;
/** How much the rank of its passage counts beside how much of the question a sentence has. */
const FOR_RANK = 0.3;
/** What a sentence gains by telling the kind of fact that is asked for, and keeps without it. */
const FOR_FACT = 0.15;
const WITHOUT_FACT = 0.6;
/** Sentences with less of the best one's score are not quoted beside it: where the best has all of a question, only its equals. */
const [BESIDE_LONG, BESIDE_SHORT, BESIDE_SURE] = [0.5, 0.9, 0.95];
const SURE = 0.75;
/** What speaks for an answer besides the sentence itself: those around it, its passage, and that the text asks alike; and against it that it says something else. */
const [AROUND, IN_PASSAGE, FOR_QUESTION, FOR_OTHER_FACT] = [0.75, 0.75, 0.1, 0.1];
/** So much of a question has to be there, less for each of its stems: no text has many of them by chance. */
const [LEAST_OF_SHORT, FOR_STEM, LEAST] = [0.84, 0.1, 0.24];
/** The same in running text. */
const [ENOUGH_OF_PROSE, FOR_LENGTH] = [0.52, 0.14];
/** Sentences that make a running text, and the words that they have on average. */
const [LEAST_OF_PROSE, WORDS_OF_PROSE] = [4, 15];
const LEAST_OF_FOLLOW_UP = 0.55;
/** From so many stems on a question is long: it is answered by what has half of it. */
const LONG = 6;
/** Sentences of a long text that count as one passage. */
const STRETCH = 20;

/** The sentences of 3 to 80 words of the sources, and their shorter entries. */
export function quotablesOf(sources: readonly ModelSource[], reader: Reader): Quotable[] {
  const most = Math.max(...sources.map(({ score = 0 }) => score), 0);
  const known = new Map<string, ReadonlySet<string>>();
  /** Many sentences are about the same. */
  const stemsOf = (texts: readonly string[]): ReadonlySet<string> => {
    const key = texts.join('\n');
    const stems = known.get(key) ?? new Set(reader.stemsOf(key));
    known.set(key, stems);
    return stems;
  };
  return sources.flatMap(({ text, n, score = 0, title = '', heading = '' }, source) =>
    statementsOf(text)
      .flatMap(counted)
      .map((statement, at): Quotable => ({
        text: statement.text,
        stems: new Set(reader.stemsOf(statement.text)),
        near: stemsOf(statement.near),
        far: stemsOf([...statement.far, title, heading]),
        words: statement.words,
        answersQuestion: statement.answersQuestion,
        n,
        place: [source, at],
        // What no search has ranked, such as an attachment, is as near as the best of those it has.
        passage: most === 0 ? 0 : score > 0 ? score / most : 1,
      })),
  );
}

function counted(statement: Statement): (Statement & Pick<Quotable, 'words'>)[] {
  const words = wordsIn(statement.text, statement.isEntry ? 1 : FEWEST_WORDS);
  return words === null ? [] : [{ ...statement, words }];
}

/** What is quoted, in the order of the sources; nothing where the sources have too little of the question to answer it. */
export function quotesFor(quotables: readonly Quotable[], question: Question): Quote[] {
  if (question.stems.length === 0) return [];
  const matches = new StemMatches(question, quotables);
  const scored = quotables.flatMap((quotable): Weighed[] => {
    const isTold = question.wanted === null || statesFact(question.wanted.kind, quotable.text);
    const share = matches.shareIn([toldBy(quotable, isTold)]);
    if (share === 0 || !matches.matchesText(quotable, isTold)) return [];
    if (isFollowUp(question) && matches.shareOfAsked(toldBy(quotable, isTold)) < LEAST_OF_FOLLOW_UP) return [];
    const fits = question.wanted === null ? share : isTold ? share + FOR_FACT : share * WITHOUT_FACT;
    return [{ ...quotable, share, tellsFact: isTold, score: fits + FOR_RANK * quotable.passage }];
  });
  const best = distinctRanked(scored, MOST_QUOTED);
  const [first] = best;
  if (!first || !isAnswered(first, quotables, question, matches)) return [];
  const passage = quotables.filter(({ place }) => isWithin(place, first.place));
  if (isProse(passage) || (question.stems.length >= LONG && !isFollowUp(question)))
    return best.filter(({ score }) => score >= BESIDE_LONG * first.score).sort(byPlace);
  const beside = first.share >= SURE ? BESIDE_SURE : BESIDE_SHORT;
  return best.filter(({ score, share }) => score >= beside * first.score && share >= beside * first.share).sort(byPlace);
}

const toldBy = ({ stems, near, far }: Quotable, tellsFact: boolean): TextStems => ({ stems, near, far, tellsFact });

/** Whether the best sentence, what is around it, and its passage together have enough of the question. */
function isAnswered(best: Weighed, quotables: readonly Quotable[], question: Question, matches: StemMatches): boolean {
  const told = toldBy(best, best.tellsFact);
  if (isFollowUp(question)) return true;
  const passage = quotables.filter(({ place }) => isWithin(place, best.place));
  const around = passage.filter(({ place }) => Math.abs(place[1] - best.place[1]) <= 1);
  const shareOf = (beside: readonly Quotable[]): number => matches.shareIn([told, ...beside.map((one) => toldBy(one, false))]);
  const evidence = (best.share + AROUND * shareOf(around) + IN_PASSAGE * shareOf(passage)) / (1 + AROUND + IN_PASSAGE);
  const beside = (best.answersQuestion ? FOR_QUESTION : 0) - (best.tellsFact ? 0 : FOR_OTHER_FACT);
  const { length } = question.stems;
  if (isProse(passage)) return evidence + FOR_LENGTH * Math.log(1 + length) >= ENOUGH_OF_PROSE;
  return evidence + beside >= Math.max(LEAST, LEAST_OF_SHORT - FOR_STEM * length);
}

/** Long sentences are running text, and those around one are about the same; entries and short sentences are each about another thing. */
function isProse(passage: readonly Quotable[]): boolean {
  const words = passage.reduce((sum, one) => sum + one.words, 0);
  return passage.length >= LEAST_OF_PROSE && words >= WORDS_OF_PROSE * passage.length;
}

const isFollowUp = ({ own, stems }: Question): boolean => own.size < stems.length;

/** Whether two sentences are of the same stretch of a source. */
const isWithin = (one: Quotable['place'], other: Quotable['place']): boolean =>
  one[0] === other[0] && Math.floor(one[1] / STRETCH) === Math.floor(other[1] / STRETCH);
