import { isId, isObject, type JsonValue } from '@atrium/platform/kernel';
import { SEARCH_LIMITS, sortedJson } from './search-query';

/** Says what is wrong, at the value or at a part of it. */
export type ReportFault = (code: string, message: string, at?: string) => undefined;

/** What an operator takes: it answers the value in canonical form, or reports each fault and returns nothing. */
export interface SearchValue {
  /** For people, after "takes": `a number`. */
  readonly about: string;
  readValue(value: unknown, fault: ReportFault): JsonValue | undefined;
}

const MAX_NUMBER = 1e15;
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/;
const IN_DAYS = [365.25, 30.44, 7, 1, 1 / 24, 1 / 1_440, 1 / 86_400];
const MAX_DAYS = 365_250;
const INSTANT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;
const UNSTORABLE = /\p{Cc}|\p{Cs}/u;

/** A text of 1 to 500 characters without control characters. */
export const TEXT: SearchValue = {
  about: `a string of 1 to ${SEARCH_LIMITS.characters} characters`,
  readValue(value, fault) {
    if (typeof value !== 'string') return fault('string', 'must be a string');
    if (value === '') return fault('too_short', 'must not be empty');
    if ([...value].length > SEARCH_LIMITS.characters) return fault('too_long', `must have at most ${SEARCH_LIMITS.characters} characters`);
    return UNSTORABLE.test(value) ? fault('characters', 'must not contain control characters or lone surrogates') : value;
  },
};

/** A key of a form of its own: an extension, a state. */
export const wordValue = (about: string, pattern: RegExp): SearchValue => ({
  about,
  readValue: (value, fault) => (typeof value === 'string' && pattern.test(value) ? value : fault('pattern', `must be ${about}`)),
});

export const choiceValue = (values: readonly string[]): SearchValue => ({
  about: `one of ${values.join(', ')}`,
  readValue: (value, fault) =>
    typeof value === 'string' && values.includes(value) ? value : fault('choice', `must be one of ${values.join(', ')}`),
});

export const NUMBER: SearchValue = {
  about: 'a number',
  readValue: (value, fault) => (typeof value === 'number' && Math.abs(value) <= MAX_NUMBER ? value : fault('number', 'must be a number')),
};

export const WHOLE: SearchValue = {
  about: 'a whole number',
  readValue: (value, fault) =>
    Number.isSafeInteger(value) && Math.abs(value as number) <= MAX_NUMBER ? (value as number) : fault('integer', 'must be a whole number'),
};

export const FLAG: SearchValue = {
  about: 'true or false',
  readValue: (value, fault) => (typeof value === 'boolean' ? value : fault('boolean', 'must be true or false')),
};

export const ID: SearchValue = {
  about: 'a UUID',
  readValue: (value, fault) => (isId(value) ? value.toLowerCase() : fault('uuid', 'must be a UUID')),
};

/** A user by id, or `{"me": true}`. */
export const USER: SearchValue = {
  about: 'the UUID of a user, or {"me": true}',
  readValue: (value, fault) =>
    isMe(value) ? { me: true } : isId(value) ? value.toLowerCase() : fault('user', 'must be the UUID of a user, or {"me": true}'),
};

/** An ISO 8601 duration up to a thousand years. */
export const DURATION_TEXT: SearchValue = {
  about: 'an ISO 8601 duration, such as P30D',
  readValue: (value, fault) => (isDuration(value) ? value : fault('duration', 'must be an ISO 8601 duration, such as P30D')),
};

/** A point in time, fixed or seen from the moment of reading. */
export const INSTANT_VALUE: SearchValue = {
  about: 'a date-time, a date, {"ago": "P30D"}, {"from_now": "P7D"} or {"today": true}',
  readValue(value, fault) {
    if (typeof value === 'string') return isInstant(value) ? value : fault('date_time', 'must be a date or a date-time (ISO 8601)');
    const [key] = isObject(value) ? Object.keys(value) : [];
    if (!isObject(value) || key === undefined || Object.keys(value).length !== 1)
      return fault('date_time', `must be ${INSTANT_VALUE.about}`);
    if (key === 'today') return value.today === true ? { today: true } : fault('choice', 'must be true', '.today');
    if (key !== 'ago' && key !== 'from_now') return fault('unknown_field', 'is not one of ago, from_now, today', `.${key}`);
    const duration = value[key];
    return isDuration(duration) ? { [key]: duration } : fault('duration', 'must be an ISO 8601 duration, such as P30D', `.${key}`);
  },
};

/** A scalar of JSON. */
export const SCALAR: SearchValue = {
  about: 'a string, a number, true or false',
  readValue: (value, fault) => {
    if (typeof value === 'boolean') return value;
    if (typeof value === 'number') return NUMBER.readValue(value, fault);
    return typeof value === 'string' ? TEXT.readValue(value, fault) : fault('scalar', 'must be a string, a number, true or false');
  },
};

/** What can be put in an order: numbers among numbers, texts among texts. */
export const ORDERED: SearchValue = {
  about: 'a number or a string',
  readValue: (value, fault) =>
    typeof value === 'number'
      ? NUMBER.readValue(value, fault)
      : typeof value === 'string'
        ? TEXT.readValue(value, fault)
        : fault('scalar', 'must be a number or a string'),
};

/** One to 200 items, none twice. */
export const listOf = (item: SearchValue): SearchValue => ({
  about: `a list of 1 to ${SEARCH_LIMITS.listed}, each ${item.about}`,
  readValue(value, fault) {
    if (!Array.isArray(value)) return fault('array', 'must be a list');
    if (value.length === 0) return fault('too_few', 'must have at least 1 item');
    if (value.length > SEARCH_LIMITS.listed) return fault('too_many', `must have at most ${SEARCH_LIMITS.listed} items`);
    const items = value.map((each: unknown, at) =>
      item.readValue(each, (code, message, inner = '') => fault(code, message, `[${at}]${inner}`)),
    );
    if (items.includes(undefined)) return undefined;
    return [...new Map((items as JsonValue[]).map((each) => [sortedJson(each), each])).values()];
  },
});

/** The two ends of a range, both inclusive. */
export const pairOf = (end: SearchValue): SearchValue => ({
  about: `two ends, each ${end.about}`,
  readValue(value, fault) {
    if (!Array.isArray(value) || value.length !== 2) return fault('pair', 'must be a list of two');
    const ends = value.map((each: unknown, at) =>
      end.readValue(each, (code, message, inner = '') => fault(code, message, `[${at}]${inner}`)),
    );
    return ends.includes(undefined) ? undefined : (ends as JsonValue[]);
  },
});

/** An object of exactly these parts; a part may be left out when `optional` names it. */
export const partsOf = (
  parts: Readonly<Record<string, SearchValue>>,
  { optional = [] }: { readonly optional?: readonly string[] } = {},
): SearchValue => ({
  about: `{${Object.entries(parts)
    .map(([name, part]) => `${name}${optional.includes(name) ? '?' : ''}: ${part.about}`)
    .join(', ')}}`,
  readValue(value, fault) {
    if (!isObject(value)) return fault('object', `must be an object of ${Object.keys(parts).join(', ')}`);
    const unknown = Object.keys(value).filter((name) => !Object.hasOwn(parts, name));
    for (const name of unknown) fault('unknown_field', `is not one of ${Object.keys(parts).join(', ')}`, `.${name.slice(0, 100)}`);
    const read: Record<string, JsonValue> = {};
    let whole = unknown.length === 0;
    for (const [name, part] of Object.entries(parts).sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (value[name] === undefined && optional.includes(name)) continue;
      const found =
        value[name] === undefined
          ? fault('required', 'is required', `.${name}`)
          : part.readValue(value[name], (code, message, inner = '') => fault(code, message, `.${name}${inner}`));
      if (found === undefined) whole = false;
      else read[name] = found;
    }
    return whole ? read : undefined;
  },
});

/** A number between two bounds, both inclusive. */
export const numberWithin = (min: number, max: number): SearchValue => ({
  about: `a number from ${min} to ${max}`,
  readValue: (value, fault) =>
    typeof value === 'number' && value >= min && value <= max ? value : fault('range', `must be a number from ${min} to ${max}`),
});

const isMe = (value: unknown): boolean => isObject(value) && value.me === true && Object.keys(value).length === 1;

function isDuration(value: unknown): value is string {
  const parts = typeof value === 'string' ? DURATION.exec(value) : null;
  return parts !== null && parts.slice(1).reduce((days, part, at) => days + Number(part ?? 0) * (IN_DAYS[at] ?? 0), 0) <= MAX_DAYS;
}

/** A real day of the years 1 to 9999, and a real time of that day. */
export function isInstant(text: string): boolean {
  if (!INSTANT.test(text) || text.startsWith('0000')) return false;
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text.slice(0, 10)) && !Number.isNaN(Date.parse(text));
}
