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
