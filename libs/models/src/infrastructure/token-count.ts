/** How many tokens a text is. */
export type TokenCount = (text: string) => number;

/** Merging a run of characters without a break costs their number squared; longer runs are counted in pieces. */
const LONGEST_RUN = 400;
const LONG_RUN = new RegExp(`\\S{${LONGEST_RUN + 1},}`);
const PIECES = new RegExp(`\\s*\\S{1,${LONGEST_RUN}}|\\s+`, 'g');

/** The vocabulary takes a moment and some memory, so it is loaded with the first count. */
export async function loadTokenCount(): Promise<TokenCount> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // What looks like a special token is text like any other.
  const count = (text: string): number => countTokens(text, { disallowedSpecial: new Set() });
  return (text) => (LONG_RUN.test(text) ? (text.match(PIECES) ?? []).reduce((sum, piece) => sum + count(piece), 0) : count(text));
}
