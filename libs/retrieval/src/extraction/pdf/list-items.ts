const BULLET = /^[•◦▪▫‣●○■□–—*·\uF0B7\uF0A7-]\s+/;
const TICK = /^\[[ x]\]\s/;
const NUMBER = /^(?:(\d{1,3})[.)]|([a-z])[.)]|\(([a-z\d]{1,3})\))\s+/i;
/** Days are numbered too where their months have a name. */
const DATE =
  /^\d{1,2}\.\s+(?:jan|feb|febr|mar|mär|maerz|apr|may|mai|maj|jun|jul|aug|sep|sept|okt|oct|nov|dez|dec|des|gen|mag|giu|lug|ago|set|ott|dic|janv|févr|avr|juin|juil|août|déc|ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince|sty|lut|kwi|maja|cze|lip|sie|wrz|paź|lis|gru|tammi|helmi|maalis|huhti|touko|kesä|heinä|elo|syys|loka|marras|joulu|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)/iu;

/** A day of a month that has a number. */
const NUMERIC_DATE = /^\d{1,2}\.\s?\d{1,2}\.(?:\s?\d{2,4})?(?!\d)/;

interface Around {
  /** The point before, where there is one. */
  readonly before: string | undefined;
  readonly inSentence: boolean;
  /** Lines below. */
  readonly below: readonly string[];
}

/** A line that begins a point of a list; in the middle of a sentence, a number does only if it counts on, or is counted on. */
export function beginsItem(text: string, { before, inSentence, below }: Around): boolean {
  if (BULLET.test(text) || TICK.test(text)) return true;
  const number = numberOf(text);
  if (number === undefined || DATE.test(text) || (inSentence && NUMERIC_DATE.test(text))) return false;
  // An initial is no number of a point.
  if (!inSentence && !/^\p{Lu}\./u.test(text)) return true;
  if (before !== undefined && (numberOf(before) ?? -1) + 1 === number) return true;
  return number === 1 && (!inSentence || below.some((line) => numberOf(line) === 2));
}

/** The number of a point, also of one with a letter. */
function numberOf(text: string): number | undefined {
  const [, digits, letter, inside] = NUMBER.exec(text) ?? [];
  const mark = digits ?? letter ?? inside;
  if (mark === undefined) return undefined;
  if (/^\d+$/.test(mark)) return Number(mark);
  return mark.length === 1 ? mark.toLowerCase().charCodeAt(0) - 96 : 0;
}

/** A point of a list as markdown: its own number stays, a bullet becomes that of markdown. */
export const pointOf = (text: string): { readonly mark: string; readonly words: string } => {
  const number = /^(\d{1,3})[.)]\s+/.exec(text);
  if (number) return { mark: `${number[1]}.`, words: text.slice(number[0].length) };
  return { mark: '-', words: text.replace(BULLET, '') };
};
