import { sentencesOf, wordsOf, type Reader, type Sentence } from '@atrium/models';

export const SUMMARY_LENGTHS = ['short', 'medium', 'long'] as const;
export type SummaryLength = (typeof SUMMARY_LENGTHS)[number];
export const SUMMARY_STYLES = ['prose', 'bullets'] as const;
export type SummaryStyle = (typeof SUMMARY_STYLES)[number];

const SENTENCES: Readonly<Record<SummaryLength, number>> = { short: 3, medium: 6, long: 12 };
/** Each sentence is compared with each other. */
const MOST_COMPARED = 300;
const FEWEST_WORDS = 4;
const ROUNDS = 30;
const DAMPING = 0.85;

/** Central sentences of a text, and what of it was left out; null: nothing. */
interface Central {
  readonly sentences: readonly Sentence[];
  readonly limits: string | null;
}

/** The most central sentences of a text in their order: those that share most with the others (TextRank). */
export function centralSentences(text: string, length: SummaryLength, reader: Reader): Central {
  const all = sentencesOf(text).filter((sentence) => wordsOf(sentence.text).length >= FEWEST_WORDS);
  const sentences = all.slice(0, MOST_COMPARED);
  const stems = sentences.map((sentence) => new Set(reader.stemsOf(sentence.text)));
  const ranks = ranked(stems);
  const central = sentences
    .map((sentence, at) => ({ sentence, at, rank: ranks[at] ?? 0 }))
    .sort((one, other) => other.rank - one.rank || one.at - other.at)
    .slice(0, SENTENCES[length])
    .sort((one, other) => one.at - other.at)
    .map(({ sentence }) => sentence);
  return { sentences: central, limits: all.length > sentences.length ? `Only the first ${MOST_COMPARED} sentences were read.` : null };
}

export const shownAs = (sentences: readonly Sentence[], style: SummaryStyle): string =>
  sentences.map(({ text }) => (style === 'bullets' ? `- ${text.replace(/\s+/g, ' ')}` : text)).join(style === 'bullets' ? '\n' : ' ');

function ranked(stems: readonly ReadonlySet<string>[]): number[] {
  const links = stems.map((one, at) => stems.map((other, place) => (place === at ? 0 : likeness(one, other))));
  const sums = links.map((row) => row.reduce((sum, weight) => sum + weight, 0));
  let ranks = stems.map(() => 1);
  for (let round = 0; round < ROUNDS; round++) {
    const before = ranks;
    ranks = links.map((row) => {
      const given = row.reduce((sum, weight, from) => sum + (weight === 0 ? 0 : (weight / (sums[from] ?? 1)) * (before[from] ?? 0)), 0);
      return 1 - DAMPING + DAMPING * given;
    });
  }
  return ranks;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size < 2 || other.size < 2) return 0;
  let shared = 0;
  for (const stem of one) if (other.has(stem)) shared++;
  return shared / (Math.log(one.size) + Math.log(other.size));
}
