const TOKENS = /YYYY|YY|MM|M|DD|D|HH|H|mm|ss|SSS|Z/g;
const MS_A_SECOND = 1_000;
const MS_A_MINUTE = 60_000;
const MINUTES_A_HOUR = 60;
/** Two digits up to this one are of this century, as POSIX reads them. */
const LAST_OF_CENTURY = 68;
const LONGEST = 60;

const SHAPES: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  SSS: '(?<fraction>\\d{3})',
  Z: '(?<offset>Z|[+-]\\d{2}:?\\d{2})',
};

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * How a source writes dates: `DD.MM.YYYY`, `YYYY-MM-DD HH:mm:ss`, or `unix` and `unix_ms` for seconds and milliseconds since 1970. A
 * format with hours gives a point in time, UTC unless it has an offset; one without gives a day.
 */
export class DateFormat {
  private constructor(
    private readonly pattern: RegExp | null,
    private readonly unit: number,
    private readonly hasTime: boolean,
  ) {}

  /** Undefined where the format does not name a whole date. */
  static parse(format: string): DateFormat | undefined {
    if (format === 'unix') return new DateFormat(null, MS_A_SECOND, true);
    if (format === 'unix_ms') return new DateFormat(null, 1, true);
    if (format.length > LONGEST) return undefined;
    const tokens = format.match(TOKENS) ?? [];
    const named = tokens.map((token) => token[0]);
    const once = new Set(tokens.map((token) => SHAPES[token]?.slice(0, 6))).size === tokens.length;
    if (!once || !named.includes('Y') || !named.includes('M') || !named.includes('D')) return undefined;
    if (named.includes('m') && !named.includes('H')) return undefined;
    const shape = format
      .split(/(YYYY|YY|MM|M|DD|D|HH|H|mm|ss|SSS|Z)/)
      .map((part) => SHAPES[part] ?? part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'))
      .join('');
    // eslint-disable-next-line no-restricted-syntax -- made of the shapes above, each of a fixed length, and escaped text
    return new DateFormat(new RegExp(`^${shape}$`), 0, named.includes('H'));
  }

  /** `YYYY-MM-DD`, or a point in time in UTC; undefined where the text is not such a date. */
  read(text: string): string | undefined {
    const trimmed = text.trim();
    if (this.pattern === null) return /^-?\d{1,14}(?:\.\d+)?$/.test(trimmed) ? pointOf(Number(trimmed) * this.unit) : undefined;
    const parts: Parts | undefined = this.pattern.exec(trimmed)?.groups;
    if (!parts) return undefined;
    const day = dayOf(parts);
    if (day === undefined || !this.hasTime) return day?.toISOString().slice(0, 10);
    const minutes = timeOf(parts);
    return minutes === undefined ? undefined : pointOf(day.getTime() + minutes);
  }
}

function pointOf(milliseconds: number): string | undefined {
  const point = new Date(milliseconds);
  return Number.isNaN(point.getTime()) || point.getUTCFullYear() > 9_999 || point.getUTCFullYear() < 0 ? undefined : point.toISOString();
}

/** A day of the calendar: there is no 30 February. */
function dayOf({ year, short, month, day }: Parts): Date | undefined {
  const full = year === undefined ? Number(short) + (Number(short) > LAST_OF_CENTURY ? 1_900 : 2_000) : Number(year);
  const found = new Date(0);
  found.setUTCFullYear(full, Number(month) - 1, Number(day));
  return found.getUTCMonth() === Number(month) - 1 && found.getUTCDate() === Number(day) ? found : undefined;
}

/** Milliseconds since the day began in UTC. */
function timeOf({ hour, minute = '0', second = '0', fraction = '0', offset = 'Z' }: Parts): number | undefined {
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const local = ((Number(hour) * MINUTES_A_HOUR + Number(minute)) * 60 + Number(second)) * MS_A_SECOND + Number(fraction);
  if (offset === 'Z') return local;
  const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
  const shift = (hours * MINUTES_A_HOUR + minutes) * MS_A_MINUTE;
  return offset.startsWith('-') ? local + shift : local - shift;
}
