import type { TextForm } from '@atrium/platform/database';
import type { FieldFault, JsonObject, JsonValue } from '@atrium/platform/kernel';

export const FIELD_TYPES = ['string', 'text', 'number', 'integer', 'boolean', 'date', 'enum', 'string[]', 'enum[]'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

export const FIELD_SOURCES = ['model', 'metadata', 'technical'] as const;
export type FieldSource = (typeof FIELD_SOURCES)[number];

/** What is measured in the picture itself. */
export const MEASURES = ['orientation', 'dominant_color', 'sharpness', 'brightness', 'has_alpha', 'text_density'] as const;
export type Measure = (typeof MEASURES)[number];

/** One thing that an analysis says of a file. */
export interface AnalysisField {
  readonly name: string;
  readonly title?: string | null;
  readonly type: FieldType;
  /** What an `enum` chooses from. */
  readonly values?: readonly string[] | null;
  /** Description of the field for the model. */
  readonly instruction?: string | null;
  readonly source: FieldSource;
  /** Of `metadata`: the path; of `technical`: the measure, the name unless said otherwise. */
  readonly path?: string | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly required?: boolean | null;
  /** Group of tags that the values become tags of. */
  readonly tag_group?: string | null;
}

/** A value that fits its field, or why there is none. */
export type ReadValue = { readonly value: JsonValue } | { readonly fault: string };

export const FIELD_NAME: TextForm = {
  pattern: /^[a-z][a-z0-9_]{0,39}$/,
  words: 'a name of at most 40 lowercase letters, digits and _ that starts with a letter',
};
const PATH = /^[A-Za-z0-9_-]{1,64}(\.[A-Za-z0-9_-]{1,64}){0,5}$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
const MOST_FIELDS = 40;
const MOST_VALUES = 100;
const LONGEST_VALUE = 120;
const LONGEST_STRING = 500;
const LONGEST_TEXT = 5_000;
const MOST_ITEMS = 50;

const TYPES_OF_MEASURES: Readonly<Record<Measure, readonly FieldType[]>> = {
  orientation: ['string', 'enum'],
  dominant_color: ['string'],
  sharpness: ['number'],
  brightness: ['number'],
  has_alpha: ['boolean'],
  text_density: ['number'],
};
const CHOOSING: readonly FieldType[] = ['enum', 'enum[]'];
const NUMBERS: readonly FieldType[] = ['number', 'integer'];
const TAGGING: readonly FieldType[] = ['string', 'enum', 'string[]', 'enum[]'];

/** Everything that is wrong with the fields of a schema, each with its path. */
export function faultsOf(fields: readonly AnalysisField[]): FieldFault[] {
  if (fields.length === 0 || fields.length > MOST_FIELDS)
    return [{ path: 'mas_fields', code: fields.length === 0 ? 'too_few' : 'too_many', message: `must have 1 to ${MOST_FIELDS} fields` }];
  return fields.flatMap((field, at) => {
    const twin = fields.findIndex(({ name }) => name === field.name) !== at;
    return [...(twin ? [['name', 'duplicate', 'is the name of two fields'] as const] : []), ...fieldFaults(field)].map(
      ([part, code, message]) => ({ path: `mas_fields[${at}].${part}`, code, message }),
    );
  });
}

type Fault = readonly [part: string, code: string, message: string];

function fieldFaults(field: AnalysisField): Fault[] {
  const faults: Fault[] = [];
  const { name, type, source, path, values, min, max, tag_group } = field;
  if (!FIELD_NAME.pattern.test(name)) faults.push(['name', 'pattern', `must be ${FIELD_NAME.words}`]);
  if (CHOOSING.includes(type)) faults.push(...valuesFaults(values ?? []));
  else if (values && values.length > 0) faults.push(['values', 'unexpected', `are allowed only for ${CHOOSING.join(' and ')}`]);
  if (source === 'metadata' && !PATH.test(path ?? ''))
    faults.push(['path', 'required', 'must name a value of the metadata, such as system.camera']);
  if (source === 'technical') faults.push(...measureFaults(field));
  if (source === 'model' && path) faults.push(['path', 'unexpected', 'is allowed only for metadata and technical']);
  if (!NUMBERS.includes(type) && (isNumber(min) || isNumber(max)))
    faults.push([isNumber(min) ? 'min' : 'max', 'unexpected', 'is allowed only for numbers']);
  if (isNumber(min) && isNumber(max) && min > max) faults.push(['max', 'too_small', 'must not be below min']);
  if (tag_group && !TAGGING.includes(type)) faults.push(['tag_group', 'unexpected', `is allowed only for ${TAGGING.join(', ')}`]);
  return faults;
}

function valuesFaults(values: readonly string[]): Fault[] {
  if (values.length === 0 || values.length > MOST_VALUES) return [['values', 'required', `must contain 1 to ${MOST_VALUES} values`]];
  const long = values.findIndex((value) => value.trim() === '' || value.length > LONGEST_VALUE);
  if (long >= 0) return [[`values[${long}]`, 'too_long', `must have 1 to ${LONGEST_VALUE} characters`]];
  return new Set(values).size < values.length ? [['values', 'duplicate', 'must contain each value only once']] : [];
}

function measureFaults({ name, path, type }: AnalysisField): Fault[] {
  const measure = MEASURES.find((one) => one === (path ?? name));
  if (!measure) return [['path', 'choice', `must be one of ${MEASURES.join(', ')}`]];
  return TYPES_OF_MEASURES[measure].includes(type)
    ? []
    : [['type', 'choice', `must be ${TYPES_OF_MEASURES[measure].join(' or ')} for ${measure}`]];
}

export const measureOf = ({ name, path }: AnalysisField): Measure | undefined => MEASURES.find((one) => one === (path ?? name));

/** A value as a field takes it: exactly of its type, nothing turned around until it fits. */
export function readValue(field: AnalysisField, given: unknown): ReadValue {
  switch (field.type) {
    case 'string':
      return textOf(given, LONGEST_STRING);
    case 'text':
      return textOf(given, LONGEST_TEXT);
    case 'number':
      return numberOf(field, given);
    case 'integer':
      return Number.isSafeInteger(given) ? numberOf(field, given) : { fault: 'is not a whole number' };
    case 'boolean':
      return typeof given === 'boolean' ? { value: given } : { fault: 'is neither true nor false' };
    case 'date':
      return typeof given === 'string' && DATE.test(given) && !Number.isNaN(Date.parse(given))
        ? { value: given }
        : { fault: 'is not a date (ISO 8601)' };
    case 'enum':
      return choiceOf(field, given);
    case 'string[]':
      return listOf(given, (item) => textOf(item, LONGEST_STRING));
    case 'enum[]':
      return listOf(given, (item) => choiceOf(field, item));
  }
}

function textOf(given: unknown, longest: number): ReadValue {
  if (typeof given !== 'string') return { fault: 'is not a string' };
  const text = given
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, ' ')
    .trim();
  if (text === '') return { fault: 'is empty' };
  return text.length > longest ? { fault: `has more than ${longest} characters` } : { value: text };
}

function numberOf({ min, max }: AnalysisField, given: unknown): ReadValue {
  if (typeof given !== 'number' || !Number.isFinite(given)) return { fault: 'is not a number' };
  if (isNumber(min) && given < min) return { fault: `is below ${min}` };
  return isNumber(max) && given > max ? { fault: `is above ${max}` } : { value: given };
}

const choiceOf = ({ values }: AnalysisField, given: unknown): ReadValue =>
  typeof given === 'string' && values?.includes(given) ? { value: given } : { fault: `is not one of ${(values ?? []).join(', ')}` };

function listOf(given: unknown, read: (item: unknown) => ReadValue): ReadValue {
  if (!Array.isArray(given) || given.length > MOST_ITEMS) return { fault: `is not a list of at most ${MOST_ITEMS} items` };
  const items: JsonValue[] = [];
  for (const item of given) {
    const found = read(item);
    if ('fault' in found) return { fault: `contains an item that ${found.fault}` };
    if (!items.includes(found.value)) items.push(found.value);
  }
  return { value: items };
}

/** The value at a dotted path, or undefined. */
export function valueAt(metadata: JsonObject, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as JsonObject)[key] : undefined),
      metadata,
    );
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';
