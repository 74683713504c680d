import { Injectable } from '@nestjs/common';
import { LoopTurns, normalized, onceForAll } from '@atrium/platform/kernel';
import { seededNumbers, unitVector } from '../domain/unit-vector';

export const HASH_DIMS = 384;
export const HASH_MODEL = `atrium/hash-${HASH_DIMS}`;

/** How much a feature of a word says. */
const WORD = 1;
const STEM = 0.8;
const GRAM = 0.25;
const COMMON = 0.05;
const GRAMS = [3, 4, 5];
const LONGEST_TEXT = 100_000;
const LANGUAGES = ['english', 'german', 'french', 'spanish'] as const;
const ROUNDS = 8;

/** Words that stand in every text of a language and say nothing of what it is about. */
const COMMON_WORDS = new Set(
  (
    'a an and are as at be by for from has have in is it its of on or that the this to was were with not no ' +
    'der die das den dem des ein eine einer eines einem einen und oder ist sind war mit von zu zum zur im in auf für nicht als auch an bei ' +
    'le la les un une des du de et ou est sont à au aux dans pour par sur avec ne pas que qui ce cette ' +
    'el la los las un una unos unas y o es son en de del al para por con no que se su'
  ).split(' '),
);

interface Stemmer {
  stem(word: string): string;
}

/**
 * Turns texts into vectors without a model: words, their stems and their pieces of 3 to 5 letters fall, signed, into 384
 * places. Texts with common words, inflected or mistyped, are near each other. The same text is the same vector on every
 * machine.
 */
@Injectable()
export class HashEmbedding {
  private readonly stemmers = onceForAll(loadStemmers);
  private readonly rotation = planRotation();

  async embedTexts(texts: readonly string[]): Promise<number[][]> {
    const stemmers = await this.stemmers();
    const vectors: number[][] = [];
    const turns = new LoopTurns();
    for (const text of texts) {
      if (turns.isOver) await turns.awaitNextTurn();
      vectors.push(this.vectorOf(text, stemmers));
    }
    return vectors;
  }

  private vectorOf(text: string, stemmers: readonly Stemmer[]): number[] {
    const sum = new Float64Array(HASH_DIMS);
    for (const [feature, { count, weight }] of featuresOf(text, stemmers)) {
      const hash = hashOf(feature);
      const at = (hash >>> 1) % HASH_DIMS;
      sum[at] = (sum[at] ?? 0) + (hash & 1 ? 1 : -1) * weight * (1 + Math.log(count));
    }
    for (const { one, other, cos, sin } of this.rotation) {
      const [x = 0, y = 0] = [sum[one], sum[other]];
      sum[one] = cos * x - sin * y;
      sum[other] = sin * x + cos * y;
    }
    return unitVector(sum);
  }
}

function featuresOf(text: string, stemmers: readonly Stemmer[]): ReadonlyMap<string, { count: number; readonly weight: number }> {
  const features = new Map<string, { count: number; weight: number }>();
  const add = (feature: string, weight: number): void => {
    const known = features.get(feature);
    if (known) known.count++;
    else features.set(feature, { count: 1, weight });
  };
  for (const word of normalized(text.slice(0, LONGEST_TEXT), 'NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) {
    const says = COMMON_WORDS.has(word) ? COMMON : 1;
    add(`w:${word}`, WORD * says);
    for (const stem of new Set(stemmers.map((one) => one.stem(word)))) add(`s:${stem}`, STEM * says);
    const marked = [...`<${word}>`];
    for (const size of GRAMS)
      for (let at = 0; at + size <= marked.length; at++) add(`g:${marked.slice(at, at + size).join('')}`, GRAM * says);
  }
  return features;
}

/** FNV-1a, mixed once more. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Turns in planes of two places each, so that every place of the vector carries a little of every feature. */
function planRotation(): readonly { readonly one: number; readonly other: number; readonly cos: number; readonly sin: number }[] {
  const next = seededNumbers(0x72657472);
  return Array.from({ length: ROUNDS }).flatMap(() => {
    const places = Array.from({ length: HASH_DIMS }, (_, at) => at);
    for (let at = places.length - 1; at > 0; at--) {
      const other = next() % (at + 1);
      [places[at], places[other]] = [places[other] ?? 0, places[at] ?? 0];
    }
    return Array.from({ length: HASH_DIMS / 2 }, (_, pair) => {
      const angle = (next() / 2 ** 32) * 2 * Math.PI;
      return { one: places[2 * pair] ?? 0, other: places[2 * pair + 1] ?? 0, cos: Math.cos(angle), sin: Math.sin(angle) };
    });
  });
}

/** Loaded with the first text: most processes never embed one. */
async function loadStemmers(): Promise<readonly Stemmer[]> {
  const { newStemmer } = await import('snowball-stemmers');
  return LANGUAGES.map((language) => newStemmer(language));
}
