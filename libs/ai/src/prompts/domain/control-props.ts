import { isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern, type PatternFault } from '@atrium/platform/patterns';

/** Longest text that one value may be. */
export const LONGEST_VALUE = 50_000;
const LONGEST_PATTERN = 200;
const MOST_OPTIONS = 200;
const MOST_TYPES = 20;

/** A choice of a select, radio or multiselect. */
export interface ControlOption {
  readonly value: string;
  readonly label: string;
}

type Rule = (value: JsonValue) => string | PatternFault | null;

const text =
  (most: number, least = 0): Rule =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most ? null : `must be a text of ${least} to ${most} characters`;
const flag: Rule = (value) => (typeof value === 'boolean' ? null : 'must be true or false');
const number: Rule = (value) => (typeof value === 'number' && Number.isFinite(value) ? null : 'must be a number');
const whole =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most ? null : `must be a whole number from ${least} to ${most}`;
const step: Rule = (value) => (typeof value === 'number' && Number.isFinite(value) && value > 0 ? null : 'must be a number above 0');
const day: Rule = (value) => (isDay(value) ? null : 'must be a date, such as 2026-05-31');
const dayOrToday: Rule = (value) => (value === 'today' || isDay(value) ? null : 'must be a date, such as 2026-05-31, or `today`');
const oneOf =
  (words: readonly string[]): Rule =>
  (value) =>
    words.some((word) => word === value) ? null : `must be one of ${words.join(', ')}`;

const pattern: Rule = (value) => {
  if (typeof value !== 'string' || value.length === 0 || value.length > LONGEST_PATTERN)
    return `must be a pattern of 1 to ${LONGEST_PATTERN} characters`;
  const read = BoundedPattern.of(value);
  if (read instanceof BoundedPattern) return null;
  return { ...read, message: `must be a pattern of RE2 syntax, without backreferences and look-around: ${read.message}` };
};

const options: Rule = (value) => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_OPTIONS) return `must be 1 to ${MOST_OPTIONS} options`;
  const values = value.map((option: JsonValue) => optionOf(option)?.value);
  if (values.includes(undefined)) return 'must contain only {value, label}, texts of 1 to 200 characters';
  return new Set(values).size === values.length ? null : 'must contain each value only once';
};

const types: Rule = (value) =>
  Array.isArray(value) &&
  value.length <= MOST_TYPES &&
  value.every((one: JsonValue) => typeof one === 'string' && /^[a-z]+\/(?:\*|[a-z0-9.+-]+)?$/.test(one))
    ? null
    : `must be at most ${MOST_TYPES} media types, such as application/pdf or image/*`;

function optionOf(option: JsonValue): ControlOption | undefined {
  if (!isObject(option) || Object.keys(option).length !== 2) return undefined;
  const { value, label } = option;
  const isText = (part: JsonValue | undefined): part is string => typeof part === 'string' && part.length >= 1 && part.length <= 200;
  return isText(value) && isText(label) ? { value, label } : undefined;
}

const TEXT: Readonly<Record<string, Rule>> = {
  min: whole(0, LONGEST_VALUE),
  max: whole(1, LONGEST_VALUE),
  pattern,
  placeholder: text(200),
  default: text(LONGEST_VALUE),
  required: flag,
};
const CHOICE: Readonly<Record<string, Rule>> = { options, default: text(200), required: flag };
const REFERENCE: Readonly<Record<string, Rule>> = { multiple: flag, required: flag, types };
const PLAIN: Readonly<Record<string, Rule>> = { default: text(2_000), required: flag };

/** What each kind of control takes. */
const PROPS: Readonly<Record<string, Readonly<Record<string, Rule>>>> = {
  text: TEXT,
  textarea: TEXT,
  number: { min: number, max: number, step, default: number, required: flag },
  select: CHOICE,
  radio: CHOICE,
  multiselect: {
    options,
    min: whole(0, MOST_OPTIONS),
    max: whole(1, MOST_OPTIONS),
    default: (value) => (Array.isArray(value) ? null : 'must be a list of values'),
  },
  boolean: { true_text: text(1_000), false_text: text(1_000), default: flag },
  date: { min: day, max: day, default: dayOrToday, format: oneOf(['iso', 'long']), required: flag },
  file: REFERENCE,
  document: REFERENCE,
  'knowledge-base': REFERENCE,
  album: REFERENCE,
  user: REFERENCE,
  color: PLAIN,
  url: PLAIN,
};

const WITH_OPTIONS: readonly string[] = ['select', 'radio', 'multiselect'];

export const isKnownControl = (type: string): boolean => Object.hasOwn(PROPS, type);

/** What is wrong with the settings of a control, by paths below `field`. Those of a kind that is not known belong to the client that made it up. */
export function propsFaults(field: string, type: string, props: JsonObject): FieldFault[] {
  const rules = isKnownControl(type) ? PROPS[type] : undefined;
  if (!rules) return [];
  const faults = Object.entries(props).flatMap(([key, value]): FieldFault[] => {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined;
    if (!rule)
      return [
        {
          path: `${field}.${key}`,
          code: 'unknown_field',
          message: `is not a setting of ${type}; its settings are ${Object.keys(rules).join(', ')}`,
        },
      ];
    const fault = rule(value);
    if (fault === null) return [];
    if (typeof fault === 'string') return [{ path: `${field}.${key}`, code: 'invalid', message: fault }];
    return [{ path: `${field}.${key}`, code: fault.code === 'too_complex' ? fault.code : 'invalid', message: fault.message }];
  });
  if (WITH_OPTIONS.includes(type) && props.options === undefined)
    faults.push({ path: `${field}.options`, code: 'required', message: 'is missing' });
  if (faults.length === 0 && isAbove(props.min, props.max))
    faults.push({ path: `${field}.min`, code: 'range', message: 'must not be above max' });
  return faults;
}

/** Of the settings of a kind that is not known, those that say the same of any text: `min` may count something else there. */
export function asText({ required, default: usual }: JsonObject): JsonObject {
  return { required: required === true, ...(typeof usual === 'string' ? { default: usual } : {}) };
}

/** Numbers and dates alike. */
const isAbove = (min: JsonValue | undefined, max: JsonValue | undefined): boolean =>
  (typeof min === 'number' && typeof max === 'number' && min > max) || (typeof min === 'string' && typeof max === 'string' && min > max);

/** A day of the calendar, `yyyy-mm-dd`. */
export function isDay(value: JsonValue | undefined): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const time = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(value);
}
