/** Characters that no text needs: controls but tab and line break, and the mark of byte orders. */
const CONTROLS = /[\0-\x08\x0b\x0e-\x1f\x7f\uFEFF\uFFFE\uFFFF]/g;
/** Where a word may be broken at the end of a line; within the line it is no part of the word. */
const SOFT_HYPHEN = /\u00AD/g;
const HALF_PAIR = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** What terminals take for colors, places and titles. */
const TERMINAL = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\^_])/g;
/** Printers wrote a letter twice to make it bold, and a line below it. */
const OVERSTRUCK = /_\x08(?=[^\s_])|(\S)\x08(?=\1)/gu;

/** Text that can be stored and sent everywhere: one kind of line break, no control characters, no half of a surrogate pair. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?|\f/g, '\n')
    .replace(TERMINAL, '')
    .replace(OVERSTRUCK, '')
    .replace(CONTROLS, '')
    .replace(SOFT_HYPHEN, '')
    .replace(HALF_PAIR, '\uFFFD');
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}]|[\p{L}\p{N}]+(?:['’\-.][\p{L}\p{N}]+)*/gu;

/** Words of a text; where a script writes no spaces, each sign counts. */
export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.exec(text) !== null) count++;
  return count;
}
