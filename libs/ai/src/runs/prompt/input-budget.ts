import { Problem } from '@atrium/platform/kernel';

/** How many tokens a text is. */
export type Count = (text: string) => number;

/** One earlier message of the conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

/** Characters of all messages of one question without a thread. */
export const MOST_ASKED = 200_000;

/** Part of what a model takes that is left free, since providers count otherwise. */
const RESERVE = 0.05;

/** Tokens of input for a model that takes so much and is to write so much. */
export const inputBudget = (context: number, maxOutput: number): number => Math.floor(context * (1 - RESERVE)) - maxOutput;

/** Bytes that one token is at most, but for runs of white space; more than that of a text is not read to find out what fits. */
const BYTES_OF_TOKEN = 16;
/** However much a model takes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Bytes of the texts that may be so many tokens. */
export const bytesOf = (tokens: number): number => Math.min(Math.max(0, tokens) * BYTES_OF_TOKEN, MOST_BYTES);

/** The newest turns that fit; older ones drop, and the first that stays is one of the asker's. */
export function fittingTurns<T extends { readonly role: string }>(turns: readonly T[], budget: number, tokensOf: (turn: T) => number): T[] {
  let [left, first] = [budget, turns.length];
  for (let at = turns.length - 1; at >= 0; at--) {
    const turn = turns[at];
    if (turn) left -= tokensOf(turn);
    if (left < 0) break;
    first = at;
  }
  while (first < turns.length && turns[first]?.role !== 'user') first++;
  return turns.slice(first);
}

/** Characters that are counted at a time to find out what fits. */
const PIECE = 1_000;

/**
 * The beginning of a text that is at most so many tokens, and how many it is: read from its beginning piece by piece, and no further
 * than it fits. Pieces end where a word does, where there is one.
 */
export function beginningOf(text: string, tokens: number, count: Count): { readonly text: string; readonly tokens: number } {
  let [at, used] = [0, 0];
  while (at < text.length && used < tokens) {
    const piece = pieceAt(text, at, PIECE);
    const found = count(piece);
    if (used + found > tokens) {
      const fits = fitting(piece, tokens - used, count);
      return { text: text.slice(0, at + fits.length), tokens: used + fits.tokens };
    }
    used += found;
    at += piece.length;
  }
  return { text: text.slice(0, at), tokens: used };
}

/** The beginning of a short text that fits, to 16 characters. */
function fitting(text: string, tokens: number, count: Count): { readonly length: number; readonly tokens: number } {
  let [fits, tooLong, used] = [0, text.length, 0];
  while (tooLong - fits > 16) {
    const middle = (fits + tooLong) >> 1;
    const found = count(text.slice(0, middle));
    if (found <= tokens) [fits, used] = [middle, found];
    else tooLong = middle;
  }
  return { length: isHalved(text, fits) ? fits - 1 : fits, tokens: used };
}

function pieceAt(text: string, at: number, length: number): string {
  const piece = text.slice(at, at + length);
  if (at + length >= text.length) return piece;
  const blank = Math.max(piece.lastIndexOf(' '), piece.lastIndexOf('\n'));
  if (blank > 0) return piece.slice(0, blank);
  return isHalved(piece, length) ? piece.slice(0, -1) : piece;
}

const isHalved = (text: string, end: number): boolean => /[\ud800-\udbff]/.test(text[end - 1] ?? '');

/** The question and what always comes with it must fit. */
export const tooLong = (tokens: number, budget: number): Problem =>
  new Problem(
    'unprocessable_content',
    `The question is too long for the model: ${tokens} tokens with the instructions and the tools, and the model takes ${Math.max(0, budget)}. Shorten it, or choose a model with a larger context.`,
  );
