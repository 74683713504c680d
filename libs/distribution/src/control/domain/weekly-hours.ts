const DAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'] as const;
const DAY_MINUTES = 24 * 60;
const WEEK_MINUTES = 7 * DAY_MINUTES;
const HOURS = /^(?:([A-Z]{3}(?:-[A-Z]{3})?(?:,[A-Z]{3}(?:-[A-Z]{3})?)*) )?(\d{2}):(\d{2})-(\d{2}):(\d{2})$/;

/** `MON-FRI 08:00-18:00`, `SAT,SUN 10:00-16:00` or `22:00-06:00` (every day, over midnight), in capitals; null where it is none. */
export function hoursValue(text: string): string | null {
  const plain = text.trim().toUpperCase().replace(/\s+/g, ' ').replace(/ ?, ?/g, ',');
  return stretchesOf(plain) ? plain : null;
}

type Stretch = readonly [from: number, until: number];

function stretchesOf(text: string): Stretch[] | null {
  const [, days, fromHour, fromMinute, toHour, toMinute] = HOURS.exec(text) ?? [];
  if (fromHour === undefined) return null;
  const [from, until] = [minutes(fromHour, fromMinute), minutes(toHour, toMinute)];
  const named = days === undefined ? [0, 1, 2, 3, 4, 5, 6] : daysOf(days);
  if (from === null || until === null || from === DAY_MINUTES || from === until || !named) return null;
  const length = until > from ? until - from : until + DAY_MINUTES - from;
  return named.map((day) => [day * DAY_MINUTES + from, day * DAY_MINUTES + from + length]);
}

function minutes(hour: string | undefined, minute: string | undefined): number | null {
  const at = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && at <= DAY_MINUTES ? at : null;
}

function daysOf(text: string): number[] | null {
  const found = text.split(',').flatMap((part) => {
    const [first, last] = part.split('-').map((day) => (DAYS as readonly string[]).indexOf(day));
    if (first === undefined || first < 0 || (last !== undefined && last < 0)) return [-1];
    return Array.from({ length: last === undefined ? 1 : ((last - first + 7) % 7) + 1 }, (_, step) => (first + step) % 7);
  });
  return found.includes(-1) ? null : [...new Set(found)];
}

/** Whether there is such a time zone. */
export function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Hours of the week in one time zone: each minute of the week is looked up, however many stretches there are. */
export class WeeklyHours {
  private readonly open = new Uint8Array(WEEK_MINUTES);
  private readonly format: Intl.DateTimeFormat;
  private asked = { minute: NaN, isOpen: false };

  constructor(values: readonly string[], timezone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    for (const [from, until] of values.flatMap((value) => stretchesOf(value) ?? []))
      for (let at = from; at < until; at++) this.open[at % WEEK_MINUTES] = 1;
  }

  /** What the clock shows there is worked out once a minute. */
  has(at: Date): boolean {
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute !== this.asked.minute) this.asked = { minute, isOpen: this.open[this.minuteOfWeek(at)] === 1 };
    return this.asked.isOpen;
  }

  private minuteOfWeek(at: Date): number {
    const parts = new Map(this.format.formatToParts(at).map(({ type, value }) => [type, value]));
    const day = (DAYS as readonly string[]).indexOf((parts.get('weekday') ?? '').toUpperCase());
    return day * DAY_MINUTES + Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  }
}
