import { hourOf, monthNamed, yearOf, type DateFormat } from '@atrium/platform/kernel';
import { isDate, toUtc } from './calendar';
import type { CellLocale } from './cell-locale';
import { zonedTime } from './zoned-time';

/** A moment in the form in which it is stored, or why a cell does not say which one it means. */
export type ReadMoment = string | { readonly misfit: string; readonly detail: string };

const BY_NUMBERS = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
const YEAR_FIRST = /^(\d{4})[./](\d{1,2})[./](\d{1,2})$/;
const MONTH_FIRST = /^(\p{L}[\p{L}\p{M}]{1,19})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4}|\d{2})$/u;
const DAY_FIRST = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]?(?:de\s)?(\p{L}[\p{L}\p{M}]{1,19})\.?,?[\s-](?:de\s)?(\d{4}|\d{2})$/u;
const MIDNIGHT = /^(\d{4}-\d{2}-\d{2})[T ]00:00(?::00(?:\.0+)?)?Z?$/;
const ISO = /^\d{4}-\d{2}-\d{2}(?:T|$)/;
const CLOCK = /^(\d{1,2}):(\d{2})(:\d{2}(?:\.\d{1,9})?)?(?:\s?([ap]\.?m\.?))?$/i;

/** Times with their offset, as databases, mails and feeds write them. Without seconds, what is behind a time may be the end of a span. */
const OF_UTC = /^(.{6,40}\d:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:\s?[ap]m)?)\s?(?:UTC|GMT|Z)$/i;
const OF_OFFSET = /^(.{6,40}\d:\d{2}:\d{2}(?:\.\d{1,9})?(?:\s?[ap]m)?)\s?([+-]\d{2}):?(\d{2})?$/i;
/** The day of the week says nothing that the date does not say. */
const WEEKDAY = /^\p{L}{2,9}\.?,\s(?=\d)/u;

/** Cells of dates are ISO, whatever else their column has; where days come behind the year, an ISO date can be another day. */
const isTyped = (cell: string, { text }: DateFormat): boolean => ISO.test(cell) && !text.startsWith('YYYY-D');

/** A day as people write it: ISO, with its month by name, or by numbers in the only order that there can be. */
export function readDay(cell: string, locale: CellLocale, format?: DateFormat): ReadMoment | null {
  if (format) {
    const day = format.read(cell);
    if (day === undefined && isTyped(cell, format)) return readDay(cell, locale);
    return day !== undefined && isDate(day) ? day : null;
  }
  if (isDate(cell)) return cell;
  const stamped = MIDNIGHT.exec(cell)?.[1];
  if (stamped !== undefined && isDate(stamped)) return stamped;
  const text = cell.replace(/\s+/g, ' ');
  const [, first = '', sign, second = '', digits = ''] = BY_NUMBERS.exec(text) ?? [];
  if (sign !== undefined) return dayOfNumbers(first, second, { year: digits, isDayFirst: sign === '.' });
  return yearFirst(text) ?? dayNamed(text, locale);
}

/** Two numbers and a year, which is in front where it has two digits: what can be two days is neither of them. */
function dayOfNumbers(
  first: string,
  second: string,
  { year, isDayFirst }: { readonly year: string; readonly isDayFirst: boolean },
): ReadMoment | null {
  const isYearFirst = !isDayFirst && year.length === 2 && first.length === 2;
  const days = [
    dayOf(year, second, first),
    isDayFirst ? null : dayOf(year, first, second),
    isYearFirst ? dayOf(first, second, year) : null,
  ].filter((day) => day !== null);
  const [day = null, ...others] = new Set(days);
  if (others.length === 0) return day;
  return {
    misfit: `is ambiguous: it can be ${others.length > 1 ? 'three' : 'two'} dates. Name the date format of the column, such as DD/MM/YYYY or ${isYearFirst ? 'YY/MM/DD' : 'MM/DD/YYYY'}`,
    detail: [day, ...others].join(' or '),
  };
}

function yearFirst(text: string): string | null {
  const [, year, month = '', day = ''] = YEAR_FIRST.exec(text) ?? [];
  return year === undefined ? null : dayOf(year, month, day);
}

function dayNamed(text: string, { locale }: CellLocale): string | null {
  const [, before, dayAfter = '', yearAfter = ''] = MONTH_FIRST.exec(text) ?? [];
  const [, dayBefore = dayAfter, name = before, yearOfIt = yearAfter] = DAY_FIRST.exec(text) ?? [];
  const month = name === undefined ? undefined : monthNamed(name, locale);
  return month === undefined ? null : dayOf(yearOfIt, String(month), dayBefore);
}

function dayOf(year: string, month: string, day: string): string | null {
  const iso = `${String(yearOf(year)).padStart(4, '0')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(iso) ? iso : null;
}

/** A time of day with two digits of its hour: `2:30 PM` is `14:30`. */
export function readTime(cell: string): string | null {
  const [, hour, minute = '', rest = '', noon] = CLOCK.exec(cell.trim()) ?? [];
  if (hour === undefined) return null;
  const hours = noon === undefined ? Number(hour) : hourOf(Number(hour), noon);
  return hours === undefined ? null : `${String(hours).padStart(2, '0')}:${minute}${rest}`;
}

/** A point in time; one without an offset is where the clocks of the workspace show it. */
export function readDatetime(cell: string, locale: CellLocale, format?: DateFormat): ReadMoment | null {
  if (format) {
    const read = format.read(cell);
    if (read === undefined && isTyped(cell, format)) return readDatetime(cell, locale);
    return read === undefined ? null : pointOf(read, locale);
  }
  const point = toUtc(cell) ?? toUtc(cell.replace(' ', 'T'));
  if (point !== null) return point;
  const [, local, hours = '+00', minutes = '00'] = OF_UTC.exec(cell) ?? OF_OFFSET.exec(cell) ?? [];
  if (local !== undefined) return pointWithOffset(local, `${hours}:${minutes}`, locale);
  const { day, time } = parted(cell);
  const date = readDay(day, locale);
  const clock = time === undefined ? '00:00' : readTime(time);
  if (date === null || clock === null) return null;
  return typeof date === 'string' ? pointOf(`${date}T${clock}`, locale) : date;
}

function pointWithOffset(cell: string, offset: string, locale: CellLocale): ReadMoment | null {
  const { day, time = '' } = parted(cell);
  const [date, clock] = [readDay(day.replace(WEEKDAY, ''), locale), readTime(time)];
  if (date === null || clock === null) return null;
  return typeof date === 'string' ? toUtc(`${date}T${clock}${offset}`) : date;
}

/** The day in front of a time: both are divided by a `T`, a comma or a blank in front of the first colon. */
function parted(cell: string): { readonly day: string; readonly time: string | undefined } {
  const colon = cell.indexOf(':');
  if (colon < 0) return { day: cell, time: undefined };
  const before = cell.slice(0, colon);
  const border = Math.max(before.lastIndexOf('T'), before.lastIndexOf(' '), before.lastIndexOf(','));
  return { day: cell.slice(0, Math.max(border, 0)).trim().replace(/,$/, ''), time: cell.slice(border + 1) };
}

/** What is local where its text has no offset. */
function pointOf(text: string, { zone }: CellLocale): ReadMoment | null {
  const whole = toUtc(text);
  if (whole !== null) return whole;
  const local = toUtc(`${text.length === 'YYYY-MM-DD'.length ? `${text}T00:00` : text}Z`);
  const time = local === null ? null : zonedTime(Date.parse(local), zone);
  if (local === null || time === null) return null;
  if ('at' in time) return toUtc(new Date(time.at).toISOString());
  const isTwice = 'twice' in time;
  const [one, other] = (isTwice ? time.twice : time.skipped).map((at) => new Date(at).toISOString().replace('.000Z', 'Z'));
  return {
    misfit: isTwice
      ? `is a time that occurs twice in ${zone} when clocks change; add its offset`
      : `is a time that does not exist in ${zone} when clocks change; add its offset`,
    detail: `${one ?? ''} or ${other ?? ''}`,
  };
}
