import type { JsonValue } from './json';
import { withoutEnds } from './trimmed';

/** So many digits survive as a number, whatever they are; of those with more, the shortest text of the number says whether they did. */
const SURE_DIGITS = 15;
const MOST_DIGITS = 17;
/** Texts without any of it hold no number that could lose digits. */
const MAY_LOSE = /[\d.]{16}|\d[eE]/;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const QUOTE = '"';
const BACKSLASH = '\\';

/** A number in JSON as a number where a double keeps all of its digits, else as the text that it was. */
export function exactNumber(text: string): number | string {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (/^-?\d+$/.test(text)) return Number.isSafeInteger(number) ? number : text;
  const { digits, exponent } = placesOf(text);
  // What is smaller than every double has become 0.
  if (digits.length <= SURE_DIGITS) return number !== 0 || digits === '' ? number : text;
  if (digits.length > MOST_DIGITS) return text;
  const kept = placesOf(String(number));
  return kept.digits === digits && kept.exponent === exponent ? number : text;
}

/** The digits of a number without zeros at both ends, and the power of ten that the first of them counts. */
function placesOf(text: string): { readonly digits: string; readonly exponent: number } {
  const [mantissa = '', power = '0'] = text.replace(/^-/, '').split(/[eE]/);
  const [whole = '', fraction = ''] = mantissa.split('.');
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  return { digits: withoutEnds(all, /0/), exponent: Number(power) + whole.length - 1 - Math.max(first, 0) };
}

/**
 * What a text in JSON says, as `JSON.parse` reads it, without changing a number: one that a double does not keep stays the text that it is.
 * The parser of the engine judges the text, then the few numbers that it would round are put in quotation marks and it reads it again:
 * neither deep nor long texts cost more than a second reading.
 */
export function exactJson(text: string): JsonValue {
  const value = JSON.parse(text) as JsonValue;
  if (!MAY_LOSE.test(text)) return value;
  const quoted = withQuotedNumbers(text);
  return quoted === text ? value : (JSON.parse(quoted) as JsonValue);
}

/** The text, which is valid JSON, with the numbers in quotation marks that would be rounded. */
function withQuotedNumbers(text: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    const sign = text.charAt(at);
    if (sign === QUOTE) at = endOfText(text, at);
    else if (sign === '-' || (sign >= '0' && sign <= '9')) {
      NUMBER.lastIndex = at;
      const number = NUMBER.exec(text)?.[0] ?? sign;
      if (typeof exactNumber(number) === 'string') {
        pieces.push(text.slice(from, at), QUOTE, number, QUOTE);
        from = at + number.length;
      }
      at += number.length;
    } else at += 1;
  }
  return from === 0 ? text : pieces.join('') + text.slice(from);
}

/** Behind the text in quotation marks that begins here. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== QUOTE) at += text.charAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
