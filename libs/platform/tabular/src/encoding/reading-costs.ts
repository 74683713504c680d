import type { ByteEvidence } from './byte-evidence';
import { SINGLE_BYTE_ENCODINGS, type Alphabet, type SingleByteEncoding } from './alphabets';
import { textOfBytes } from './decoded-text';
import { SIGNS, type SignsOfLanguage } from './frequent-signs';

/** How improbable it is that bytes were written in an encoding: bits, the fewest are the best. */
export interface Reading {
  readonly encoding: string;
  readonly bits: number;
}

const STANDS_FOR_NOTHING = 24;
const OF_ANOTHER_LANGUAGE = 8;
const OF_NO_LANGUAGE_HERE = 11;
const USUAL_MARK = 5;
const SELDOM_MARK = 7;
const STRANGE_MARK = 11;
const ODD_MARK = 14;
const USUAL_MARKS = '„“”‚‘’–—…€«»°§\u00a0№';
const SELDOM_MARKS = '·¿¡ºª™®©½¼¾×£²³µ±¹•†‡‰‹›´¥¢÷¶\u00ad';
const ODD_MARKS = '¤¦¬¸¯¨';
const DRAWN = /[\u2500-\u259f]/;
const MARK_IN_WORD = 6;
const CAPITAL_IN_WORD = 5;
const SCRIPTS_IN_WORD = 6;
const MANY_ACCENTS = 3;
const WORD_BITS = 2;
const MOST_WORDS = 12;

/** All readings in encodings of one byte a sign. */
export function singleByteReadings(evidence: ByteEvidence): Reading[] {
  const { words } = evidence;
  const context = textOfBytes(evidence.context, 'iso-8859-1').toLowerCase();
  const spoken = new Set<string>();
  for (const [word] of context.matchAll(/(?<![a-z\x80-\xff])[a-z]{1,10}(?![a-z\x80-\xff])/g)) spoken.add(word);
  return SINGLE_BYTE_ENCODINGS.map((encoding) => ({
    encoding: encoding.name,
    bits: singleByteBits(encoding, { evidence, words, spoken }),
  }));
}

interface Scene {
  readonly evidence: ByteEvidence;
  readonly words: Buffer;
  readonly spoken: ReadonlySet<string>;
}

function singleByteBits(encoding: SingleByteEncoding, { evidence, words, spoken }: Scene): number {
  const signs = signsOf(encoding.name);
  const known = new Set(encoding.alphabets.flatMap(({ letters }) => [...letters]));
  const byLanguage = encoding.alphabets.map((alphabet) => {
    let bits = (alphabet.rare ?? 0) - WORD_BITS * wordsIn(alphabet, spoken);
    const ranks = new Map([...alphabet.letters].map((letter, rank) => [letter, rank]));
    for (let byte = 0x80; byte < 256; byte++) {
      const count = evidence.counts[byte] ?? 0;
      if (count > 0) bits += count * bitsOf(signs[byte] ?? '', { ranks, known });
    }
    return bits;
  });
  return encoding.rare + Math.min(...byLanguage) + neighbourBits(words, signs) * shareKept(evidence, words);
}

const wordsIn = ({ words = '' }: Alphabet, spoken: ReadonlySet<string>): number =>
  Math.min(MOST_WORDS, words.split(' ').filter((word) => spoken.has(word)).length);

/** What is found in the words that are kept counts for all of them. */
function shareKept({ counts }: ByteEvidence, words: Buffer): number {
  let all = 0;
  for (let byte = 0x80; byte < 256; byte++) all += counts[byte] ?? 0;
  let kept = 0;
  for (const byte of words) if (byte >= 0x80) kept++;
  return kept === 0 ? 0 : all / kept;
}

const SIGNS_OF_BYTES = new Map<string, readonly string[]>();

function signsOf(encoding: string): readonly string[] {
  const known = SIGNS_OF_BYTES.get(encoding);
  if (known) return known;
  const signs = Array.from({ length: 256 }, (_, byte) => textOfBytes(Uint8Array.of(byte), encoding));
  SIGNS_OF_BYTES.set(encoding, signs);
  return signs;
}

interface Letters {
  readonly ranks: ReadonlyMap<string, number>;
  readonly known: ReadonlySet<string>;
}

function bitsOf(sign: string, { ranks, known }: Letters): number {
  if (sign === '' || sign === '\uFFFD' || (sign >= '\x80' && sign < '\xa0')) return STANDS_FOR_NOTHING;
  const lower = sign === 'İ' ? 'i' : sign.toLowerCase();
  const rank = ranks.get(lower) ?? ranks.get(sign);
  if (rank !== undefined) return Math.log2(rank + 2) + (lower === sign ? 1 : 2);
  if (/[\p{L}\p{M}]/u.test(sign) && !'ªºµ'.includes(sign)) return known.has(lower) ? OF_ANOTHER_LANGUAGE : OF_NO_LANGUAGE_HERE;
  return markBits(sign);
}

const markBits = (sign: string): number =>
  USUAL_MARKS.includes(sign)
    ? USUAL_MARK
    : SELDOM_MARKS.includes(sign) || DRAWN.test(sign)
      ? SELDOM_MARK
      : ODD_MARKS.includes(sign)
        ? ODD_MARK
        : STRANGE_MARK;

const LETTER = /\p{L}/u;
const CAPITAL = /\p{Lu}/u;
const SMALL = /\p{Ll}/u;
const COMBINES = /\p{M}/u;
const LATIN = /\p{Script=Latin}/u;
/** They stand within words. */
const WITHIN_WORDS = "’‘'·–-\u00ad.";

interface Kind {
  readonly letter: boolean;
  readonly capital: boolean;
  readonly small: boolean;
  readonly combines: boolean;
  readonly latin: boolean;
  readonly mark: boolean;
  readonly drawn: boolean;
}

const kindOf = (sign: string, byte: number): Kind => ({
  letter: LETTER.test(sign) && !'ªºµ'.includes(sign),
  capital: CAPITAL.test(sign),
  small: SMALL.test(sign),
  combines: COMBINES.test(sign),
  latin: LATIN.test(sign),
  mark: byte >= 0x80 && !LETTER.test(sign) && !COMBINES.test(sign) && !WITHIN_WORDS.includes(sign),
  drawn: DRAWN.test(sign),
});

/** What no language has within a word. */
function neighbourBits(words: Uint8Array, signs: readonly string[]): number {
  const kinds = signs.map(kindOf);
  let bits = 0;
  let accents = 0;
  for (let at = 0; at < words.length; at++) {
    const byte = words[at] ?? 0;
    const kind = kinds[byte];
    if (!kind) continue;
    const before = kinds[words[at - 1] ?? 0x20];
    const after = kinds[words[at + 1] ?? 0x20];
    if (kind.mark && before?.letter && after?.letter) bits += MARK_IN_WORD;
    if (kind.drawn && (before?.letter || after?.letter)) bits += MARK_IN_WORD;
    if (kind.combines && !before?.letter && !before?.combines) bits += MARK_IN_WORD;
    if (kind.letter && before?.letter) {
      if (kind.capital && before.small) bits += CAPITAL_IN_WORD;
      if (kind.latin !== before.latin) bits += SCRIPTS_IN_WORD;
    }
    accents = byte >= 0x80 && kind.letter && kind.latin ? accents + 1 : 0;
    if (accents > 2) bits += MANY_ACCENTS;
  }
  return bits;
}

const FREQUENT = 5;
const SYLLABLE = 5;
const USUAL = 10;
const UNUSUAL = 16;
const PUNCTUATION = /[\u3000-\u303f\uff01-\uff60‘’“”…—·～]/;
const HALF_WIDTH = /[\uff61-\uff9f]/;
const STRANGE = 20;

/** The reading in an encoding of pairs. */
export function pairReading(evidence: ByteEvidence, encoding: string): Reading {
  const { words } = evidence;
  const signs = SIGNS[encoding];
  const broken = evidence.brokenPairs.get(encoding) ?? 0;
  if (!signs) return { encoding, bits: Number.POSITIVE_INFINITY };
  const bits = pairBits(textOfBytes(words, encoding), { signs, words }) * shareKept(evidence, words);
  return { encoding, bits: 3 + bits + broken * STANDS_FOR_NOTHING };
}

function pairBits(text: string, { signs, words }: { readonly signs: SignsOfLanguage; readonly words: Uint8Array }): number {
  let bits = 0;
  let at = 0;
  let before = ' ';
  for (const sign of text) {
    const [lead = 0, trail = 0] = [words[at], words[at + 1]];
    if (sign < '\x80') at++;
    else {
      bits += signBits(sign, { signs, lead, trail });
      if (/[a-z]/i.test(before)) bits += SCRIPTS_IN_WORD / 2;
      // A byte by itself, a pair, or more: only the rank of pairs is asked for, so that a wrong step costs little.
      at += HALF_WIDTH.test(sign) ? 1 : 2;
    }
    before = sign;
  }
  return bits;
}

function signBits(
  sign: string,
  { signs, lead, trail }: { readonly signs: SignsOfLanguage; readonly lead: number; readonly trail: number },
): number {
  if (sign === '\uFFFD' || (sign >= '\ue000' && sign <= '\uf8ff')) return STANDS_FOR_NOTHING;
  if (signs.frequent.has(sign)) return FREQUENT;
  if (PUNCTUATION.test(sign)) return FREQUENT + 1;
  if (HALF_WIDTH.test(sign)) return USUAL / 2 + 1;
  if (/[\u3041-\u30fe]/.test(sign)) return signs.syllables?.test(sign) ? SYLLABLE : STRANGE;
  if (!/\p{Script=Han}|\p{Script=Hangul}/u.test(sign)) return STRANGE;
  if (signs.isUsual(lead, trail)) return USUAL;
  return UNUSUAL;
}
