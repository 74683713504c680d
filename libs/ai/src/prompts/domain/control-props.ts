import type { TextForm } from '@atrium/platform/database';
import { isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { BoundedPattern } from '@atrium/platform/patterns';
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  type Setting,
  SettingFault,
  SettingReader,
  type SettingShape,
  textSetting,
  textsSetting,
  wholeSetting,
} from '@atrium/platform/settings';

/** Longest text that one value may be. */
export const LONGEST_VALUE = 50_000;
const LONGEST_PATTERN = 200;
const MOST_OPTIONS = 200;
const MOST_TYPES = 20;
/** Type and subtype have at most 127 characters each. */
const LONGEST_TYPE = 255;

/** A choice of a select, radio or multiselect. */
export interface ControlOption {
  readonly value: string;
  readonly label: string;
}

const stepSetting: Setting<number> = (value) => {
  const step = numberSetting()(value);
  return typeof step === 'number' && step <= 0 ? new SettingFault('minimum', 'must be a number above 0') : step;
};

const daySetting: Setting<string> = (value) => (isDay(value) ? value : new SettingFault('format', 'must be a date, such as 2026-05-31'));
const dayOrTodaySetting: Setting<string> = (value) =>
  value === 'today' || isDay(value) ? value : new SettingFault('format', 'must be a date, such as 2026-05-31, or `today`');

const patternSetting: Setting<string> = (value) => {
  const source = textSetting({ min: 1, max: LONGEST_PATTERN })(value);
  if (source instanceof SettingFault) return source;
  const pattern = BoundedPattern.of(source);
  if (pattern instanceof BoundedPattern) return source;
  return new SettingFault(pattern.code, `must be a pattern of RE2 syntax, without backreferences and look-around: ${pattern.message}`);
};

const optionsSetting: Setting<readonly ControlOption[]> = (value) => {
  const items = Array.isArray(value) ? (value as readonly JsonValue[]) : [];
  if (items.length === 0 || items.length > MOST_OPTIONS) return new SettingFault('length', `must be 1 to ${MOST_OPTIONS} options`);
  const options = items.flatMap((item) => optionOf(item) ?? []);
  if (options.length < items.length) return new SettingFault('type', 'must contain only {value, label}, texts of 1 to 200 characters');
  return new Set(options.map((option) => option.value)).size === options.length
    ? options
    : new SettingFault('unique', 'must contain each value only once');
};

const optionTextSetting = textSetting({ min: 1, max: 200 });

function optionOf(option: JsonValue): ControlOption | undefined {
  if (!isObject(option) || Object.keys(option).length !== 2) return undefined;
  const [value, label] = [option.value, option.label].map((part) => optionTextSetting(part ?? null));
  return typeof value === 'string' && typeof label === 'string' ? { value, label } : undefined;
}

const defaultsSetting: Setting<readonly JsonValue[]> = (value) =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : new SettingFault('type', 'must be a list of values');

const TEXT = {
  min: wholeSetting({ min: 0, max: LONGEST_VALUE }),
  max: wholeSetting({ min: 1, max: LONGEST_VALUE }),
  pattern: patternSetting,
  placeholder: textSetting({ max: 200 }),
  default: textSetting({ max: LONGEST_VALUE }),
  required: flagSetting,
};
const CHOICE = { options: optionsSetting, default: textSetting({ max: 200 }), required: flagSetting };
const MEDIA_TYPES: TextForm = {
  pattern: /^[a-z]+\/(?:\*|[a-z0-9.+-]+)?$/,
  words: 'media types, such as application/pdf or image/*',
};
const REFERENCE = {
  multiple: flagSetting,
  required: flagSetting,
  types: textsSetting({ most: MOST_TYPES, longest: LONGEST_TYPE, form: MEDIA_TYPES }),
};
const PLAIN = { default: textSetting({ max: 2_000 }), required: flagSetting };

/** What each kind of control takes. */
const PROPS: Readonly<Record<string, SettingShape>> = {
  text: TEXT,
  textarea: TEXT,
  number: { min: numberSetting(), max: numberSetting(), step: stepSetting, default: numberSetting(), required: flagSetting },
  select: CHOICE,
  radio: CHOICE,
  multiselect: {
    options: optionsSetting,
    min: wholeSetting({ min: 0, max: MOST_OPTIONS }),
    max: wholeSetting({ min: 1, max: MOST_OPTIONS }),
    default: defaultsSetting,
  },
  boolean: { true_text: textSetting({ max: 1_000 }), false_text: textSetting({ max: 1_000 }), default: flagSetting },
  date: { min: daySetting, max: daySetting, default: dayOrTodaySetting, format: choiceSetting(['iso', 'long']), required: flagSetting },
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
  const shape = isKnownControl(type) ? PROPS[type] : undefined;
  if (!shape) return [];
  return SettingReader.faultsOf(props, field, (settings) => {
    settings.readShape(shape);
    if (WITH_OPTIONS.includes(type) && props.options === undefined) settings.refuse('options', 'required', 'is missing');
    if (!settings.hasFaults && isAbove(props.min, props.max)) settings.refuse('min', 'range', 'must not be above max');
  });
}

/** The options of a control that was stored. */
export function optionsOf({ options }: JsonObject): readonly ControlOption[] {
  const read = optionsSetting(options ?? null);
  return read instanceof SettingFault ? [] : read;
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
