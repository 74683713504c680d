import { Problem } from '@atrium/platform/kernel';

/** How many tokens a text is. */
export type Count = (text: string) => number;

/** One earlier message of the conversation. */
export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly text: string;
}

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

/** The beginning of a text that is at most so many tokens. */
export function beginning(text: string, tokens: number, count: Count): string {
  if (tokens <= 0) return '';
  if (count(text) <= tokens) return text;
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 16) {
    const middle = (fits + tooLong) >> 1;
    if (count(text.slice(0, middle)) <= tokens) fits = middle;
    else tooLong = middle;
  }
  const isHalved = /[\ud800-\udbff]/.test(text[fits - 1] ?? '');
  return text.slice(0, isHalved ? fits - 1 : fits);
}

/** The question and what always comes with it must fit. */
export const tooLong = (tokens: number, budget: number): Problem =>
  new Problem(
    'unprocessable_content',
    `The question is too long for the model: ${tokens} tokens with the instructions and the tools, and the model takes ${Math.max(0, budget)}. Shorten it, or choose a model with a larger context.`,
  );
