import { isId, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern } from '@atrium/platform/patterns';
import { asText, isDay, isKnownControl, LONGEST_VALUE, optionsOf } from './control-props';

const REFERENCES = ['file', 'document', 'knowledge-base', 'album', 'user'] as const;
export type ReferenceKind = (typeof REFERENCES)[number];
const MOST_REFERENCES = 20;

/** How one value is asked for. */
export interface Control {
  readonly type: string;
  readonly props: JsonObject;
}

/** What is asked for where no wildcard has the name. */
export const FREE_TEXT: Control = { type: 'text', props: { required: true } };

/** Rows that a value names; what they are called is put into the text. */
export interface ChosenRows {
  readonly kind: ReferenceKind;
  readonly ids: readonly string[];
  /** Media types that files may have; any when empty. */
  readonly types: readonly string[];
}

/** A value as it goes into the text, the rows that it names, or why it cannot be taken. */
export type TakenValue =
  { readonly text: string } | { readonly rows: ChosenRows } | { readonly fault: { readonly code: string; readonly message: string } };

const taken = (text: string): TakenValue => ({ text });
const refused = (message: string, code = 'invalid'): TakenValue => ({ fault: { code, message } });

type Taking = (value: JsonValue, props: JsonObject) => TakenValue;

/** Takes a value by its control, of which any kind that is not known is text; an absent one is the default, or nothing unless it is required. `today` is `yyyy-mm-dd`. */
export function takenValue(control: Control, value: JsonValue | undefined, today: string): TakenValue {
  const { type, props } = isKnownControl(control.type) ? control : { type: 'text', props: asText(control.props) };
  const isAbsent = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  const wanted = isAbsent ? props.default : value;
  if (type === 'boolean') return boolean(wanted ?? false, props);
  const atLeast = type === 'multiselect' ? Number(props.min ?? 0) : 0;
  if (wanted === undefined || (Array.isArray(wanted) && wanted.length === 0))
    return props.required === true || atLeast > 0 ? refused('is required', 'required') : taken('');
  if (type === 'date') return date(wanted === 'today' && isAbsent ? today : wanted, props);
  return (TAKING[type] ?? text)(wanted, props);
}

const text: Taking = (value, { min, max, pattern, placeholder }) => {
  if (typeof value !== 'string') return refused('must be a text', 'string');
  const length = [...value].length;
  const most = typeof max === 'number' ? max : LONGEST_VALUE;
  if (length > most) return refused(`must have at most ${most} characters`, 'too_long');
  if (typeof min === 'number' && length < min) return refused(`must have at least ${min} characters`, 'too_short');
  if (typeof pattern === 'string' && !fits(value, pattern))
    return refused(`must match the format of the wildcard${suchAs(placeholder)}`, 'pattern');
  return taken(value);
};

const suchAs = (example: JsonValue | undefined): string => (typeof example === 'string' && example !== '' ? `, such as ${example}` : '');

/** A pattern that is too large, from before such were refused, matches nothing. */
function fits(value: string, source: string): boolean {
  const pattern = BoundedPattern.of(source);
  return pattern instanceof BoundedPattern && pattern.matches(value);
}

const number: Taking = (value, { min, max, step }) => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return refused('must be a number', 'number');
  if (typeof min === 'number' && value < min) return refused(`must be at least ${min}`, 'too_small');
  if (typeof max === 'number' && value > max) return refused(`must be at most ${max}`, 'too_large');
  const from = typeof min === 'number' ? min : 0;
  if (typeof step === 'number' && !isWhole((value - from) / step))
    return refused(`must be ${from} or differ from it by a multiple of ${step}`, 'step');
  return taken(plainNumber(value));
};

const isWhole = (steps: number): boolean => Math.abs(steps - Math.round(steps)) < 1e-9 * Math.max(1, Math.abs(steps));

/** With a dot and all its digits, never with an exponent. */
export function plainNumber(value: number): string {
  const [, sign = '', head = '', tail = '', exponent] = /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value)) ?? [];
  if (exponent === undefined) return String(value);
  const at = head.length + Number(exponent);
  const digits = head + tail;
  if (at <= 0) return `${sign}0.${'0'.repeat(-at)}${digits}`;
  return at >= digits.length ? `${sign}${digits}${'0'.repeat(at - digits.length)}` : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`;
}

const choice: Taking = (value, props) => {
  const option = optionsOf(props).find((one) => one.value === value);
  return option ? taken(option.label) : refused('must be one of the options', 'choice');
};

const choices: Taking = (value, props) => {
  if (!Array.isArray(value)) return refused('must be a list of values', 'array');
  const known = optionsOf(props);
  const options = value.map((wanted: JsonValue) => known.find((one) => one.value === wanted));
  if (options.includes(undefined)) return refused('must contain only values of the options', 'choice');
  if (new Set(value).size < value.length) return refused('must contain each option only once', 'duplicate');
  const { min, max } = props;
  if (typeof min === 'number' && value.length < min) return refused(`must have at least ${min} items`, 'too_few');
  if (typeof max === 'number' && value.length > max) return refused(`must have at most ${max} items`, 'too_many');
  return taken(options.map((option) => option?.label).join(', '));
};

const boolean: Taking = (value, { true_text, false_text }) => {
  if (typeof value !== 'boolean') return refused('must be true or false', 'boolean');
  const words = value ? true_text : false_text;
  return taken(typeof words === 'string' ? words : value ? 'yes' : 'no');
};

const LONG = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

const date: Taking = (value, { min, max, format }) => {
  if (!isDay(value)) return refused('must be a date, such as 2026-05-31', 'date');
  if (typeof min === 'string' && value < min) return refused(`must not be before ${min}`, 'too_small');
  if (typeof max === 'string' && value > max) return refused(`must not be after ${max}`, 'too_large');
  return taken(format === 'long' ? LONG.format(new Date(`${value}T00:00:00Z`)) : value);
};

const rowsOf =
  (kind: ReferenceKind): Taking =>
  (value, { multiple, types }) => {
    const ids = Array.isArray(value) ? value : [value];
    if (Array.isArray(value) && multiple !== true) return refused('must be one id', 'uuid');
    if (ids.length > MOST_REFERENCES) return refused(`must have at most ${MOST_REFERENCES} items`, 'too_many');
    if (!ids.every(isId)) return refused(multiple === true ? 'must be ids' : 'must be an id', 'uuid');
    return { rows: { kind, ids: [...new Set(ids.map((id) => id.toLowerCase()))], types: (types ?? []) as readonly string[] } };
  };

const color: Taking = (value) => {
  const [, digits = ''] = typeof value === 'string' ? (/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(value.trim()) ?? []) : [];
  if (digits === '') return refused('must be a color, such as #2b6cb0', 'color');
  return taken(`#${(digits.length === 3 ? digits.replace(/./g, '$&$&') : digits).toLowerCase()}`);
};

const url: Taking = (value) => {
  const parsed = typeof value === 'string' && value.length <= 2_000 && URL.canParse(value.trim()) ? new URL(value.trim()) : null;
  return parsed?.protocol === 'https:' || parsed?.protocol === 'http:'
    ? taken(parsed.href)
    : refused('must be a URL that begins with https:// or http://', 'url');
};

const TAKING: Readonly<Record<string, Taking>> = {
  text,
  textarea: text,
  number,
  select: choice,
  radio: choice,
  multiselect: choices,
  boolean,
  date,
  ...Object.fromEntries(REFERENCES.map((kind) => [kind, rowsOf(kind)])),
  color,
  url,
};
