/** Enough to tell a language by; more costs time and changes nothing. */
const SAMPLE = 4_000;
/** Fewer letters tell little. */
const SHORTEST = 20;
/** Scripts that tell the language; the first that makes up a fifth of the letters does. */
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['lo', /\p{Script=Lao}/gu],
];
const SHARE = 0.2;
const ANY_SCRIPT = new RegExp(SCRIPTS.map(([, { source }]) => source).join('|'), 'u');
const NO_LETTERS = /\P{L}+/gu;

/** The language of a text by ISO 639-1; null where it does not say. */
export async function languageOf(text: string): Promise<string | null> {
  const sample = sampleOf(text);
  const letters = sample.replace(NO_LETTERS, '');
  const written = ANY_SCRIPT.test(letters) && SCRIPTS.find(([, script]) => (letters.match(script)?.length ?? 0) > letters.length * SHARE);
  if (written) return written[0];
  if (letters.length < SHORTEST) return null;
  const { eld } = await import('eld/extrasmall');
  return eld.detect(sample).language || null;
}

/** From the middle of a long text: it begins with names, addresses and contents. */
function sampleOf(text: string): string {
  const from = text.length > 2 * SAMPLE ? (text.length >> 1) - SAMPLE / 2 : 0;
  return text.slice(from, from + SAMPLE);
}
