const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATETIME = /^(\d{4}-\d{2}-\d{2})T((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(\.\d{1,9})?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/i;

/** Whether the calendar has such a day; years have four digits, and there is no year 0. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined || year < 1 || month < 1 || month > 12 || day < 1) return false;
  return day <= daysIn(year, month);
}

const daysIn = (year: number, month: number): number => {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
};

/** The point in time in UTC with milliseconds, or null. */
export function toUtc(text: string): string | null {
  const found = DATETIME.exec(text);
  if (!found || !isDate(found[1] ?? '')) return null;
  const at = Date.parse(text.toUpperCase());
  if (!Number.isFinite(at)) return null;
  const iso = new Date(at).toISOString();
  return /^\d{4}-/.test(iso) && !iso.startsWith('0000') ? iso : null;
}
