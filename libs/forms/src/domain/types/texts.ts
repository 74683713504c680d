import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern } from '@atrium/platform/patterns';
import { textSetting, textsSetting, wholeSetting } from '@atrium/platform/settings';
import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { plainText, settingNumber, settingTexts, type Field } from '../field';
import type { FieldType } from '../field';
import type { Place } from '../field';
import { withoutHtml } from '../rich-text';

/** Control characters that no text holds; line breaks and tabs are none of these. */
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;
const BREAK = /[\n\r]/;
const SURROGATE = /\p{Surrogate}/u;

/** What a text has that is not stored, in words: of one line, or with `breaks` of several. */
export function unstorableIn(text: string, breaks = false): string | undefined {
  if (!breaks && BREAK.test(text)) return 'a line break';
  if (!breaks && text.includes('\t')) return 'a tab';
  const control = CONTROL.exec(text)?.[0];
  if (control !== undefined) return `the control character U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  return SURROGATE.test(text) ? 'half of a character (an unpaired surrogate)' : undefined;
}

const EMAIL = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,62}\.)+[A-Za-z]{2,63}$/;
const COLOR = /^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/;
const LONGEST_EMAIL = 254;
const LONGEST_URL = 2_048;

const isText = (value: JsonValue): value is string => typeof value === 'string';

interface TextRule {
  readonly breaks?: boolean;
  readonly trim?: boolean;
  readonly longest: number;
  readonly shortest?: number;
}

/** A text within its bounds; undefined, with its fault reported, if it is none. */
export function checkedText(
  value: JsonValue,
  field: Field,
  place: Place,
  { breaks = false, trim = true, longest, shortest = 0 }: TextRule,
): string | undefined {
  if (!isText(value)) return place.refuse(field, 'type', 'must be a string.');
  const text = trim ? value.trim() : value;
  const sign = unstorableIn(text, breaks);
  if (sign !== undefined)
    return place.refuse(
      field,
      'format',
      `contains ${sign}, which ${field.type.name === 'text' ? 'a text of one line' : 'it'} cannot contain.`,
    );
  if (text.length > longest) return place.refuse(field, 'length', `must have at most ${longest} characters.`);
  if (text !== '' && text.length < shortest) return place.refuse(field, 'length', `must have at least ${shortest} characters.`);
  return text;
}

const textSchema = (bounds: JsonObject = {}): JsonObject => ({ type: 'string', ...bounds });
const asText = (value: JsonValue): string => plainText(value);

/** A text of one format; `normal` gives the form in which it is stored, or null. */
function formatted(
  name: string,
  rule: { readonly noun: string; readonly longest: number; readonly schema: JsonObject; normal(text: string, field: Field): string | null },
): FieldType {
  return {
    name,
    holds: 'scalar',
    isText: false,
    indexed: 'text',
    check(value, field, place) {
      const text = checkedText(value, field, place, { longest: rule.longest });
      if (text === undefined || text === '') return text;
      return rule.normal(text, field) ?? place.refuse(field, 'format', `must be ${rule.noun}.`);
    },
    fits: isText,
    schema: () => rule.schema,
    indexKeys: (value) => [{ text: asText(value) }],
    text: asText,
    read: (cell) => ({ value: cell.trim() }),
  };
}

/** What the schema says of the form, in words or by an example. */
function hintOf({ settings: { format_hint } }: Field): string {
  return typeof format_hint === 'string' && format_hint !== '' ? `: ${format_hint}` : '';
}

const text: FieldType = {
  name: 'text',
  settings: {
    min_length: wholeSetting({ min: 0, max: 1_000 }),
    max_length: wholeSetting({ min: 1, max: 1_000 }),
    pattern: textSetting({ max: 500 }),
    format_hint: textSetting({ max: 100 }),
  },
  holds: 'scalar',
  isText: true,
  indexed: 'text',
  prepare({ pattern, min_length, max_length }, complain) {
    if (typeof min_length === 'number' && min_length > (typeof max_length === 'number' ? max_length : 255))
      complain('min_length', 'maximum', 'must not exceed max_length.');
    if (typeof pattern !== 'string') return undefined;
    const compiled = BoundedPattern.of(pattern);
    if (compiled instanceof BoundedPattern) return compiled;
    complain('pattern', compiled.code, `is not a valid RE2 pattern: ${compiled.message}.`);
    return undefined;
  },
  check(value, field, place) {
    const bounds = { longest: settingNumber(field, 'max_length') ?? 255, shortest: settingNumber(field, 'min_length') };
    const checked = checkedText(value, field, place, bounds);
    if (checked === undefined || checked === '') return checked;
    if (field.prepared instanceof BoundedPattern && !field.prepared.matches(checked))
      return place.refuse(field, 'pattern', `must match the pattern of its schema${hintOf(field)}.`);
    return checked;
  },
  fits: isText,
  schema: (field) => textSchema({ maxLength: settingNumber(field, 'max_length') ?? 255 }),
  indexKeys: (value) => [{ text: asText(value) }],
  text: asText,
  read: (cell) => ({ value: cell.trim() }),
};

const longText = (name: string, normal: (text: string) => string): FieldType => ({
  name,
  settings: { max_length: wholeSetting({ min: 1, max: 100_000 }) },
  holds: 'scalar',
  isText: true,
  indexed: 'text',
  check(value, field, place) {
    const checked = checkedText(value, field, place, { breaks: true, trim: false, longest: settingNumber(field, 'max_length') ?? 100_000 });
    return checked === undefined ? undefined : normal(checked);
  },
  fits: isText,
  schema: (field) => textSchema({ maxLength: settingNumber(field, 'max_length') ?? 100_000 }),
  indexKeys: (value) => [{ text: asText(value) }],
  text: asText,
  read: (cell) => ({ value: cell }),
});

const email = formatted('email', {
  noun: 'an e-mail address',
  longest: LONGEST_EMAIL,
  schema: textSchema({ format: 'email', maxLength: LONGEST_EMAIL }),
  normal: (address) => (EMAIL.test(address) && !address.includes('..') ? address : null),
});

const url: FieldType = {
  ...formatted('url', {
    noun: 'a URL with one of its schemes (https and http by default)',
    longest: LONGEST_URL,
    schema: textSchema({ format: 'uri', maxLength: LONGEST_URL }),
    normal(address, field) {
      if (!URL.canParse(address) || /\s/.test(address)) return null;
      const scheme = new URL(address).protocol.slice(0, -1);
      return (settingTexts(field, 'schemes') ?? ['https', 'http']).includes(scheme) ? address : null;
    },
  }),
  settings: {
    schemes: textsSetting({ most: 10, form: { pattern: /^[a-z][a-z0-9+.-]{1,19}$/, words: 'URL schemes, such as https' } }),
  },
};

const phone = formatted('phone', {
  noun: 'a phone number with its country, such as +4930901820',
  longest: 40,
  schema: textSchema({ pattern: '^\\+[1-9][0-9]{1,14}$' }),
  normal(number) {
    const parsed = number.startsWith('+') ? parsePhoneNumberFromString(number) : undefined;
    return parsed?.isPossible() ? parsed.number : null;
  },
});

const color = formatted('color', {
  noun: 'a color such as #0a7cff',
  longest: 9,
  schema: textSchema({ pattern: '^#[0-9a-f]{6}([0-9a-f]{2})?$' }),
  normal: (value) => (COLOR.test(value.toLowerCase()) ? value.toLowerCase() : null),
});

/** Texts of every kind; what is longer than a line is not trimmed. */
export const TEXT_TYPES: readonly FieldType[] = [
  text,
  longText('long_text', (value) => value),
  longText('rich_text', withoutHtml),
  email,
  url,
  phone,
  color,
];
