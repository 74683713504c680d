import { normalized } from './normalized';

const TOKENS = /YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z/g;
const MS_A_SECOND = 1_000;
const MS_A_MINUTE = 60_000;
const MINUTES_A_HOUR = 60;
/** Two digits up to this one are of this century, as POSIX reads them. */
const LAST_OF_CENTURY = 68;
const LONGEST = 60;
const MONTHS = 12;

const SHAPES: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MMMM: '(?<monthName>[\\p{L}\\p{M}]{3,20}\\.?)',
  MMM: '(?<monthName>[\\p{L}\\p{M}]{3,20}\\.?)',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  hh: '(?<half>\\d{2})',
  h: '(?<half>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  SSS: '(?<fraction>\\d{3})',
  A: '(?<noon>[AaPp]\\.?[Mm]\\.?)',
  Z: '(?<offset>Z|[+-]\\d{2}:?\\d{2})',
};
/** What a token says, by its first letter: months by their names and by numbers are one thing, hours of a day and of half a day too. */
const sayingOf = (token: string): string => (token.startsWith('h') ? 'H' : token.charAt(0));

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * How dates are written: `DD.MM.YYYY`, `YYYY-MM-DD HH:mm:ss`, `MMM D, YYYY`, `M/D/YY h:mm A`, or `unix` and `unix_ms` for seconds and
 * milliseconds since 1970. A format with hours gives a point in time, which is local to its reader unless it has an offset; one without
 * gives a day.
 */
export class DateFormat {
  private constructor(
    readonly text: string,
    private readonly pattern: RegExp | null,
    private readonly unit: number,
    private readonly hasTime: boolean,
    private readonly hasOffset: boolean,
  ) {}

  /** Undefined where the format does not name a whole date. */
  static parse(format: string): DateFormat | undefined {
    if (format === 'unix') return new DateFormat(format, null, MS_A_SECOND, true, true);
    if (format === 'unix_ms') return new DateFormat(format, null, 1, true, true);
    if (format.length > LONGEST) return undefined;
    const said = (format.match(TOKENS) ?? []).map(sayingOf);
    if (new Set(said).size !== said.length || !['Y', 'M', 'D'].every((part) => said.includes(part))) return undefined;
    if (said.includes('m') && !said.includes('H')) return undefined;
    if (said.includes('A') !== /h/.test(format)) return undefined;
    const shape = format
      .split(/(YYYY|YY|MMMM|MMM|MM|M|DD|D|HH|H|hh|h|mm|ss|SSS|A|Z)/)
      .map((part) => SHAPES[part] ?? part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('');
    // eslint-disable-next-line no-restricted-syntax -- made of the shapes above, each of a bounded length, and escaped text
    return new DateFormat(format, new RegExp(`^${shape}$`, 'u'), 0, said.includes('H'), said.includes('Z'));
  }

  /** `YYYY-MM-DD`, a point in time in UTC, or without `Z` one that is local to its reader; undefined where the text is not such a date. */
  read(text: string): string | undefined {
    const trimmed = text.trim();
    if (this.pattern === null) return /^-?\d{1,14}(?:\.\d+)?$/.test(trimmed) ? pointOf(Number(trimmed) * this.unit) : undefined;
    const parts: Parts | undefined = this.pattern.exec(trimmed)?.groups;
    if (!parts) return undefined;
    const day = dayOf(parts);
    if (day === undefined || !this.hasTime) return day?.toISOString().slice(0, 10);
    const minutes = timeOf(parts);
    const point = minutes === undefined ? undefined : pointOf(day.getTime() + minutes);
    return this.hasOffset ? point : point?.slice(0, -1);
  }
}

function pointOf(milliseconds: number): string | undefined {
  const point = new Date(milliseconds);
  return Number.isNaN(point.getTime()) || point.getUTCFullYear() > 9_999 || point.getUTCFullYear() < 0 ? undefined : point.toISOString();
}

/** The year that two digits or four of them say. */
export const yearOf = (digits: string): number =>
  digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) > LAST_OF_CENTURY ? 1_900 : 2_000);

/** A day of the calendar: there is no 30 February. */
function dayOf({ year, short, month, monthName, day }: Parts): Date | undefined {
  const number = monthName === undefined ? Number(month) : monthNamed(monthName);
  if (number === undefined) return undefined;
  const found = new Date(0);
  found.setUTCFullYear(yearOf(year ?? short ?? ''), number - 1, Number(day));
  return found.getUTCMonth() === number - 1 && found.getUTCDate() === Number(day) ? found : undefined;
}

/** Milliseconds since the day began in UTC. */
function timeOf({ hour, half, noon = '', minute = '0', second = '0', fraction = '0', offset = 'Z' }: Parts): number | undefined {
  const hours = half === undefined ? Number(hour) : hourOf(Number(half), noon);
  if (hours === undefined || hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const local = ((hours * MINUTES_A_HOUR + Number(minute)) * 60 + Number(second)) * MS_A_SECOND + Number(fraction);
  if (offset === 'Z') return local;
  const [ahead, more] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  const shift = (ahead * MINUTES_A_HOUR + more) * MS_A_MINUTE;
  return offset.startsWith('-') ? local + shift : local - shift;
}

/** The hour of the day that an hour before or after noon is: 12 AM is midnight. */
export function hourOf(half: number, noon: string): number | undefined {
  if (half < 1 || half > MONTHS) return undefined;
  return (half % 12) + (/^p/i.test(noon) ? 12 : 0);
}

const MOST_LOCALES = 100;
const names = new Map<string, ReadonlyMap<string, number>>();
const plainName = (name: string): string => normalized(name.toLowerCase(), 'NFC').replace(/\.$/, '');

/** The number of a month by its name or what it is shortened to, in English or in a locale. */
export function monthNamed(name: string, locale = 'en'): number | undefined {
  const known = names.get(locale) ?? namesOf(locale);
  if (!names.has(locale)) {
    if (names.size >= MOST_LOCALES) names.clear();
    names.set(locale, known);
  }
  return known.get(plainName(name));
}

function namesOf(locale: string): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const language of [locale, 'en'])
    for (const month of ['long', 'short'] as const)
      for (let number = 1; number <= MONTHS; number++) {
        // With a day beside it the name has the case that dates need.
        for (const more of [{}, { day: 'numeric' }] as const) {
          const parts = formatOf(language, { month, ...more }).formatToParts(new Date(Date.UTC(2_000, number - 1, 1)));
          const name = plainName(parts.find(({ type }) => type === 'month')?.value ?? '');
          if (/^\p{L}/u.test(name) && !found.has(name)) found.set(name, number);
        }
      }
  found.set('sept', 9);
  return found;
}

function formatOf(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  } catch {
    return new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
  }
}
