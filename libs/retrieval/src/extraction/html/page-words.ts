/** A sign of a script that is written without blanks counts as a word; elsewhere blanks part them. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]|[\p{L}\p{N}]+/gu;

/** Whether a text has at least so many words. */
export function holdsWords(text: string, fewest: number): boolean {
  let words = 0;
  for (const _ of text.matchAll(WORD)) if (++words >= fewest) return true;
  return false;
}
