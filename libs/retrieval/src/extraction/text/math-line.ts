/** Short enough to stand without brackets. */
const ONE = /^[\p{L}\p{M}\p{N}.,]*$|^\([^()]*\)$/u;

const ONLY_SIGNS = /^[^\p{L}\p{N}\s]+$/u;

/** What a part of an equation says; signs that follow each other may be of one number. */
export interface Said {
  readonly text: string;
  readonly isSign: boolean;
}

/** Digits beside each other that are of two parts are two numbers: 2 1/2 is not 21/2. */
export function inLine(parts: Iterable<Said>): string {
  const written: string[] = [];
  let isAfterSign = true;
  let last = '';
  for (const { text, isSign } of parts) {
    if (text === '') continue;
    if (!(isAfterSign && isSign) && /\d$/.test(last) && /^\d/.test(text)) written.push(' ');
    written.push(text);
    [last, isAfterSign] = [text.slice(-1), isSign];
  }
  return written.join('');
}

export const bracketedText = (text: string): string => (ONE.test(text) ? text : `(${text})`);

/** What is below or left of a raised or lowered text; a sign such as a closing bracket needs no brackets of its own. */
export const baseOf = (text: string): string => (ONLY_SIGNS.test(text) ? text : bracketedText(text));

export const scriptText = (mark: '^' | '_', text: string): string => (text.trim() === '' ? '' : `${mark}${bracketedText(text)}`);
