/** How a number is shown that represents a time. */
export type TimeFormat = 'date' | 'datetime' | 'time' | 'duration';

/** Formats that every spreadsheet program knows by their number; those from 27 on are dates of East Asian editions. */
const BUILT_IN: readonly (readonly [from: number, to: number, format: TimeFormat])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'datetime'],
  [27, 31, 'date'],
  [32, 35, 'time'],
  [36, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
];

/** The longest code that spreadsheet programs write; what is longer leaves a number a number. */
export const LONGEST_CODE = 255;

/** What a number format makes of a number; undefined for one that leaves it a number. */
export function timeFormatOf(id: number, code: string | undefined): TimeFormat | undefined {
  if (code === undefined) return BUILT_IN.find(([from, to]) => id >= from && id <= to)?.[2];
  if (code.length > LONGEST_CODE) return undefined;
  const [positive = ''] = code.split(';');
  if (/\[(?:h+|m+|s+)\]/i.test(positive)) return 'duration';
  // Quoted words, escaped letters, colors, currencies and conditions are no placeholders.
  // eslint-disable-next-line regexp/no-super-linear-move -- ≤ 255 characters: LONGEST_CODE
  const bare = positive.replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/g, '').toLowerCase();
  if (/general|[0#?]/.test(bare.replace(/s\.0+/g, 's'))) return undefined;
  const hasDay = /[yd]/.test(bare) || (/m/.test(bare) && !/[hs]/.test(bare)) || /[ge]/.test(bare);
  const hasTime = /[hs]/.test(bare);
  if (hasDay) return hasTime ? 'datetime' : 'date';
  return hasTime ? 'time' : undefined;
}

const MS_A_DAY = 86_400_000;
/** Day 0 of the system that counts from 1900, which takes that year for a leap year until its day 60. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const INVENTED_LEAP_DAY = 60;
/** 31 December 9999, the last day that a spreadsheet shows. */
const LAST_DAY = 2_958_465;

/** The ISO text of a serial number; undefined for one that represents no time. Milliseconds are kept where there are some. */
export function isoOf(serial: number, format: TimeFormat, from1904: boolean): string | undefined {
  if (!Number.isFinite(serial)) return undefined;
  if (format === 'duration') return durationOf(serial);
  if (serial < 0 || serial > LAST_DAY) return undefined;
  const whole = !from1904 && serial >= 1 && serial < INVENTED_LEAP_DAY ? serial + 1 : serial;
  const moment = new Date((from1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(whole * MS_A_DAY));
  const [day = '', time = ''] = moment.toISOString().split('T');
  const clock = time.replace(/(?:\.000)?Z$/, '');
  // A day of no calendar: a time of day under a format of dates.
  if (format === 'time' || (serial < 1 && format === 'datetime' && !from1904)) return serial < 1 ? clock : `${day}T${clock}`;
  return format === 'date' && clock === '00:00:00' ? day : `${day}T${clock}`;
}

function durationOf(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const two = (count: number): string => String(count).padStart(2, '0');
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return days < 0 && seconds > 0 ? `-${text}` : text;
}
