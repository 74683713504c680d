import { setImmediate as turn } from 'node:timers/promises';

/** How many tokens a text is. */
export type TokenCount = (text: string) => number;

/** Merging a run of characters of one kind costs their number squared; longer runs, of blanks as of others, are counted in pieces. */
const LONG_RUN = /\S{401}|\s{65}/;
const PIECES = /\s{0,64}\S{1,400}|\s{1,64}/g;

/** The vocabulary takes a moment and some memory, so it is loaded with the first count. */
export async function loadTokenCount(): Promise<TokenCount> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // What looks like a special token is text like any other.
  const count = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
  return (text) => (LONG_RUN.test(text) ? (text.match(PIECES) ?? []).reduce((sum, piece) => sum + count(piece), 0) : count(text));
}

/** Characters that are counted before other work of the host has its turn. */
const TURN = 2_000;
const TURNS = new RegExp(`[^]{1,${TURN}}(?![^\\s])|[^]{1,${TURN}}`, 'gu');

/** Counts a text of any length; other work of the host goes on between its pieces, which end where a word does, where there is one. */
export async function countInTurns(text: string, count: TokenCount): Promise<number> {
  let tokens = 0;
  for (const [piece] of text.matchAll(TURNS)) {
    tokens += count(piece);
    await turn();
  }
  return tokens;
}

/** Characters that are counted where a request waits for it; texts without blanks take some 15 µs for each. */
const COUNTED_AT_ONCE = 2_000;

/**
 * About how many tokens a text is, without reading it in the vocabulary: what credits are set aside by before a worker counts. Of what
 * people write it is somewhat more than the count; of noise it may be half.
 */
export async function reservedTokens(text: string): Promise<number> {
  return text.length <= COUNTED_AT_ONCE ? (await loadTokenCount())(text) : estimatedTokens(text);
}

const [A_WORD, A_MARK, A_LETTER] = [1 / 3, 2 / 3, 1 / 2];

function estimatedTokens(text: string): number {
  let tokens = 0;
  for (let at = 0; at < text.length; at++) tokens += tokensOf(text.charCodeAt(at));
  return Math.ceil(tokens);
}

/** By what a character is: of ASCII a letter, digit or blank, or a mark; a letter of another alphabet; anything else, as of Chinese. */
function tokensOf(code: number): number {
  if (code >= 0x800) return 1;
  if (code >= 0x80) return A_LETTER;
  const isOfWord = (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x30 && code <= 0x39) || code <= 0x20;
  return isOfWord ? A_WORD : A_MARK;
}
