import { folded } from '../../passages/domain/lexemes';
import { sentencesOf, type Span } from '../../passages/domain/sentences';

/** A text that may support an answer. */
export interface Evidence {
  readonly passage_id: string;
  readonly text: string;
}

/** The place of a sentence of an answer in the evidence, as far as it does. */
export interface AlignedSentence {
  /** In the answer. */
  readonly sentence: Span;
  readonly text: string;
  /** The passage that says most of it; null when none says any. */
  readonly passage_id: string | null;
  /** In the text of the passage. */
  readonly matched: Span | null;
  /** The share of the sentence that is found there, 0 to 1. */
  readonly overlap: number;
  readonly supported: boolean;
}

/** From so much of a sentence on it counts as supported. */
const SUPPORTED = 0.6;
/** A sentence may be spread over so many times its length. */
const SPREAD = 3;
const NARROWEST = 12;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]/u;
/** Letters of a word by which its inflected forms are recognized. */
const BEGINNING = 6;

interface Token extends Span {
  readonly key: string;
  readonly weight: number;
}

/** For each sentence of an answer the stretch of the evidence that says most of it: words are compared, meaning is not. */
export function alignSentences(answer: string, evidence: readonly Evidence[]): AlignedSentence[] {
  const read = evidence.map(({ passage_id, text }) => ({ passage_id, tokens: tokensOf(text) }));
  return sentencesOf(answer).map((sentence) => {
    const text = answer.slice(sentence.start, sentence.end);
    const wanted = tokensOf(text);
    let best: Pick<AlignedSentence, 'passage_id' | 'matched' | 'overlap'> = { passage_id: null, matched: null, overlap: 0 };
    for (const { passage_id, tokens } of read) {
      const found = bestStretch(wanted, tokens);
      if (found.overlap > best.overlap) best = { passage_id, ...found };
    }
    return { sentence, text, ...best, supported: best.overlap >= SUPPORTED };
  });
}

/** Long words say more than short ones, figures most: they have to be the same. */
function tokensOf(text: string): Token[] {
  return [...text.matchAll(WORDS)].flatMap((match) => {
    const [word] = match;
    const start = match.index;
    if (UNSPACED.test(word))
      return [...word].map((character, at): Token => ({
        key: character,
        weight: 1,
        start: start + at,
        end: start + at + character.length,
      }));
    const plain = folded(word.toLowerCase());
    const isFigure = /\p{N}/u.test(plain);
    const weight = isFigure ? 3 : plain.length <= 3 ? 0.3 : plain.length <= 5 ? 1 : 1.5;
    return [{ key: isFigure ? plain : plain.slice(0, BEGINNING), weight, start, end: start + word.length }];
  });
}

/** The stretch of tokens, of bounded length, that has most of the wanted ones, each as often as it is wanted. */
function bestStretch(wanted: readonly Token[], tokens: readonly Token[]): { readonly matched: Span | null; readonly overlap: number } {
  const total = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const needed = new Map<string, number>();
  for (const { key } of wanted) needed.set(key, (needed.get(key) ?? 0) + 1);
  const hits = tokens.flatMap((token, at) => (needed.has(token.key) ? [{ token, at }] : []));
  const width = Math.max(NARROWEST, wanted.length * SPREAD);
  const inside = new Map<string, number>();
  let best = { from: 0, to: -1, sum: 0 };
  let sum = 0;
  for (let from = 0, to = 0; to < hits.length; to++) {
    const { token, at } = hits[to] as { token: Token; at: number };
    sum += add(inside, needed, token, 1);
    for (let first = hits[from]; first && at - first.at >= width; first = hits[++from]) sum -= add(inside, needed, first.token, -1);
    if (sum > best.sum) best = { from, to, sum };
  }
  const [first, last] = [hits[best.from]?.token, hits[best.to]?.token];
  return first && last && total > 0
    ? { matched: { start: first.start, end: last.end }, overlap: Math.min(1, best.sum / total) }
    : { matched: null, overlap: 0 };
}

/** What one more, or one less, of a token changes of what is covered. */
function add(inside: Map<string, number>, needed: ReadonlyMap<string, number>, { key, weight }: Token, change: 1 | -1): number {
  const before = inside.get(key) ?? 0;
  inside.set(key, before + change);
  const counted = change === 1 ? before : before - 1;
  return counted < (needed.get(key) ?? 0) ? weight : 0;
}
