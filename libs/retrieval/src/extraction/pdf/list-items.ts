const BULLET = /^[•◦▪▫‣●○■□–—*·\uF0B7\uF0A7-]\s+/;
const TICK = /^\[[ x]\]\s/;
const NUMBER = /^(?:(\d{1,3})[.)]|([a-z])[.)]|\(([a-z\d]{1,3})\))\s+/i;
/** Days are numbered too where their months have a name. */
const DAY = /^\d{1,2}\.\s+(\p{L}+)/u;
/** Languages that write a point behind the day, and whose short months are no words of others; and all in which such days are found. */
const SHORT_MONTHS = 'de de-AT da nb sk sl sr-Latn sr et lv is'.split(' ');
const LONG_MONTHS = [...SHORT_MONTHS, ...'fi cs hr bs lt en it fr es pt nl sv pl ru uk bg hu ro'.split(' ')];

/** A day of a month that has a number. */
const NUMERIC_DATE = /^(?:0?[1-9]|[12]\d|3[01])\.\s?(?:0?[1-9]|1[0-2])\.(?:\s?\d{2,4})?(?!\d)/;

/** What a number is of, where a sentence refers to it. */
const REFERENCE =
  /(?:^|\s)(?:§{1,2}|sections?|subsections?|articles?|art\.?|paragraphs?|para\.?|clauses?|items?|points?|no\.?|nos\.?|numbers?|nr\.?|nummer|abs\.?|absatz|satz|ziffer|buchstabe|artikel)$/i;

interface Around {
  /** The point before, where there is one. */
  readonly before: string | undefined;
  /** The last point of the page, whatever came behind it. */
  readonly counted: string | undefined;
  /** The line above, where it is of the same paragraph or point, and as wide as this one or wider. */
  readonly above: string | undefined;
  readonly inSentence: boolean;
  /** Lines below. */
  readonly below: readonly string[];
}

/** A line that begins a point of a list; in the middle of a paragraph, a number does only if it counts on, or is counted on. */
export function beginsItem(text: string, { before, counted, above, inSentence, below }: Around): boolean {
  if (BULLET.test(text) || TICK.test(text)) return true;
  const number = numberOf(text);
  if (number === undefined || isDate(text)) return false;
  const countsOn = (point: string | undefined): boolean => point !== undefined && numberOf(point) === number - 1;
  const isCountedOn = below.some((line) => numberOf(line) === number + 1);
  // An initial is no number of a point.
  if (!inSentence && !/^\p{Lu}\./u.test(text)) return number <= 1 || above === undefined || countsOn(counted) || isCountedOn;
  if (countsOn(before)) return true;
  return number === 1 && (!inSentence || (isCountedOn && !REFERENCE.test(above ?? '')));
}

function isDate(text: string): boolean {
  const month = DAY.exec(text)?.[1];
  return NUMERIC_DATE.test(text) || (month !== undefined && monthNames().has(month.toLowerCase()));
}

let months: ReadonlySet<string> | undefined;

/** As the engine knows them, beside a day and alone. */
function monthNames(): ReadonlySet<string> {
  months ??= new Set([...namesIn(SHORT_MONTHS, 'short'), ...namesIn(LONG_MONTHS, 'long')]);
  return months;
}

const namesIn = (languages: readonly string[], month: 'short' | 'long'): string[] =>
  languages.flatMap((language) =>
    [{ month }, { month, day: 'numeric' } as const].flatMap((shown) => {
      const format = new Intl.DateTimeFormat(language, { ...shown, calendar: 'gregory', timeZone: 'UTC' });
      return Array.from({ length: 12 }, (_, at) => format.formatToParts(Date.UTC(2024, at, 15)))
        .flatMap((parts) => parts.filter(({ type }) => type === 'month'))
        .map(({ value }) => value.replace(/\P{L}+$/u, '').toLowerCase())
        .filter((name) => name !== '');
    }),
  );

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
