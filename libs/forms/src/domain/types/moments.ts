import type { DateFormat, JsonObject, JsonValue } from '@atrium/platform/kernel';
import { textSetting } from '@atrium/platform/settings';
import { readDatetime, readDay, readTime, type ReadMoment } from '../written-moments';
import { cellLocale, type CellConventions, type CellLocale } from '../cell-locale';
import { isDate, toUtc } from '../calendar';
import { plainText, settingText, type Field } from '../field';
import type { FieldType } from '../field';
import type { Place } from '../field';

const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/;
const DURATION = /^P(?=\d|T\d)(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?)?$/;
const MINUTE = 60_000;
/** Longer than any way to write a moment; what is longer is not looked at. */
const LONGEST_CELL = 64;

const isText = (value: JsonValue): value is string => typeof value === 'string';
const asText = (value: JsonValue): string => plainText(value);

const timeMs = (text: string): number => {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1_000;
};

function durationMs(text: string): number {
  const [, days = 0, hours = 0, minutes = 0] = DURATION.exec(text)?.map((part) => Number(part ?? 0)) ?? [];
  return ((days * 24 + hours) * 60 + minutes) * MINUTE;
}

/** A moment in the form in which it is stored, or why a cell says none. */
export type MomentReading = { readonly value: string } | { readonly misfit: string; readonly detail?: string };

interface MomentRule {
  readonly name: string;
  readonly noun: string;
  /** The word for the bound that moves with the clock. */
  readonly present?: 'today' | 'now';
  readonly schema: JsonObject;
  readonly normal: (text: string) => string | null;
  readonly worth: (text: string) => number;
  readonly read: (cell: string, locale: CellLocale, format: DateFormat | undefined) => ReadMoment | null;
}

function moment({ name, noun, present, schema, normal, worth, read }: MomentRule): FieldType {
  const bound = textSetting({ max: 40 });
  const at = (text: string, now: Date): { readonly worth: number; readonly said: string } => {
    const said = text === 'today' ? now.toISOString().slice(0, 10) : text === 'now' ? now.toISOString() : (normal(text) ?? text);
    return { worth: worth(said), said };
  };
  return {
    name,
    settings: { min: bound, max: bound },
    holds: 'scalar',
    indexed: 'number',
    prepare({ min, max }, complain) {
      const bad = Object.entries({ min, max }).filter(
        ([, value]) => typeof value === 'string' && value !== present && normal(value) === null,
      );
      for (const [key] of bad) complain(key, 'format', `must be ${noun}${present ? ` or "${present}"` : ''}.`);
      if (
        bad.length === 0 &&
        typeof min === 'string' &&
        typeof max === 'string' &&
        min !== present &&
        max !== present &&
        worth(min) > worth(max)
      )
        complain('min', 'maximum', 'must not exceed max.');
    },
    check(value, field, place) {
      const stored = isText(value) ? normal(value.trim()) : null;
      if (stored === null) return place.refuse(field, isText(value) ? 'format' : 'type', `must be ${noun}.`);
      return withinBounds(stored, field, place, at);
    },
    fits: (value) => isText(value) && normal(value) !== null,
    schema: () => schema,
    indexKeys: (value) => [{ number: worth(plainText(value)) }],
    text: asText,
    read: (cell, _field, locale, format) => readingOf({ noun, read }, cell, { locale, format }),
  };
}

function readingOf(
  { noun, read }: Pick<MomentRule, 'noun' | 'read'>,
  cell: string,
  { locale, format }: { readonly locale: CellLocale; readonly format: DateFormat | undefined },
): MomentReading {
  const found = cell.length > LONGEST_CELL ? null : read(cell.trim(), locale, format);
  if (found === null) return { misfit: format ? `is not written as ${format.text}` : `is not ${noun}` };
  return typeof found === 'string' ? { value: found } : found;
}

function withinBounds(
  stored: string,
  field: Field,
  place: Place,
  at: (text: string, now: Date) => { readonly worth: number; readonly said: string },
): string | undefined {
  const { now } = place.checking;
  const [min, max] = [settingText(field, 'min'), settingText(field, 'max')];
  const { worth } = at(stored, now);
  if (min !== undefined && worth < at(min, now).worth) return place.refuse(field, 'minimum', `must not be before ${at(min, now).said}.`);
  if (max !== undefined && worth > at(max, now).worth) return place.refuse(field, 'maximum', `must not be after ${at(max, now).said}.`);
  return stored;
}

const date = moment({
  name: 'date',
  noun: 'a date of the calendar such as 2026-03-31',
  present: 'today',
  schema: { type: 'string', format: 'date' },
  normal: (text) => (isDate(text) ? text : null),
  worth: (text) => Date.parse(`${text}T00:00:00Z`),
  read: readDay,
});

const time = moment({
  name: 'time',
  noun: 'a time such as 09:30',
  schema: { type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$' },
  normal: (text) => (TIME.test(text) ? text : null),
  worth: timeMs,
  read(cell) {
    const text = readTime(cell);
    return text !== null && TIME.test(text) ? text : null;
  },
});

const POINT = { noun: 'a date-time with offset such as 2026-03-31T09:30:00+02:00', read: readDatetime } as const;

const datetime = moment({
  ...POINT,
  name: 'datetime',
  present: 'now',
  schema: { type: 'string', format: 'date-time' },
  normal: toUtc,
  worth: (text) => Date.parse(text),
});

const duration = moment({
  name: 'duration',
  noun: 'a duration of days, hours and minutes such as P1DT2H30M',
  schema: { type: 'string', pattern: '^P([0-9]+D)?(T([0-9]+H)?([0-9]+M)?)?$' },
  normal: (text) => (DURATION.test(text) ? text : null),
  worth: durationMs,
  read: (cell) => (DURATION.test(cell.toUpperCase()) ? cell.toUpperCase() : null),
});

/** Reads points in time in cells of columns that say no field. */
export function pointReader(habits: CellConventions): (column: string, cell: string) => MomentReading {
  const locale = cellLocale(habits);
  return (column, cell) => readingOf(POINT, cell, { locale, format: habits.formats?.get(column) });
}

/** Days, times and how long something lasts. */
export const MOMENT_TYPES: readonly FieldType[] = [date, time, datetime, duration];
