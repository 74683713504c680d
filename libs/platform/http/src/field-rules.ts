import type { Field } from '@atrium/platform/database';
import { isId, isObject, nestsDeeper } from '@atrium/platform/kernel';
import { ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  IsOptional,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';

export const MAX_JSON_BYTES = 64 * 1024;
const MAX_JSON_DEPTH = 32;
export const MAX_NAME = 255;
const MAX_TEXT = 5_000;
export const MAX_LIST = 1_000;
const LISTS: ReadonlySet<string> = new Set(['ids', 'texts', 'wholes', 'nestedList']);
const ISO_STAMP = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2}))?$/;
// Control characters but tab and line breaks, and surrogates without a partner.
const UNSTORABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Why a value does not fit its field: an entry code and a sentence; null when it fits. */
type Fault = readonly [code: string, message: string] | null;

/** The rule of one declared field: form, bounds and storability of a value. */
export function faultOf(field: Field, value: unknown): Fault {
  switch (field.kind) {
    case 'id':
      return isId(value) ? null : ['uuid', 'must be a UUID'];
    case 'text':
      return textFault(field, value);
    case 'whole':
      return Number.isSafeInteger(value) ? boundsFault(field, value as number) : ['integer', 'must be a whole number'];
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? boundsFault(field, value) : ['number', 'must be a number'];
    case 'flag':
      return typeof value === 'boolean' ? null : ['boolean', 'must be true or false'];
    case 'choice':
      return typeof value === 'string' && field.values?.includes(value) ? null : ['choice', `must be one of ${field.values?.join(', ')}`];
    case 'json':
      return jsonFault(field, value);
    case 'stamp':
      return value instanceof Date && !Number.isNaN(value.getTime()) ? null : ['date_time', 'must be a date-time (ISO 8601)'];
    case 'ids':
    case 'texts':
    case 'wholes':
      return listFault(field, value);
    case 'nested':
      return isObject(value) ? null : ['object', 'must be an object'];
    case 'nestedList':
      if (!Array.isArray(value)) return ['array', 'must be an array of objects'];
      return sizeFault(field, value.length) ?? (value.every(isObject) ? null : ['array', 'must be an array of objects']);
  }
}

function textFault(field: Field, value: unknown): Fault {
  if (typeof value !== 'string') return ['string', 'must be a string'];
  const max = field.max ?? MAX_NAME;
  const length = lengthOf(value, field.min ?? 0, max);
  if (length > max) return ['too_long', `must have at most ${max} characters`];
  if (length < (field.min ?? 0)) return ['too_short', field.min === 1 ? 'must not be empty' : `must have at least ${field.min} characters`];
  if (UNSTORABLE.test(value)) return ['characters', 'must not contain control characters or unpaired surrogates'];
  if (field.form && !field.form.pattern.test(value)) return ['pattern', `must be ${field.form.words}`];
  return null;
}

/** In characters, which are one or two units each; they are counted only where the bounds depend on it. */
const lengthOf = (value: string, min: number, max: number): number =>
  value.length > max * 2 || (value.length <= max && value.length >= min * 2) ? value.length : [...value].length;

function boundsFault({ min, max }: Field, value: number): Fault {
  if (min !== undefined && value < min) return ['too_small', `must be at least ${min}`];
  if (max !== undefined && value > max) return ['too_large', `must be at most ${max}`];
  return null;
}

function sizeFault({ min = 0, max = MAX_LIST }: Field, length: number): Fault {
  if (length < min) return ['too_few', `must have at least ${min} item${min === 1 ? '' : 's'}`];
  if (length > max) return ['too_many', `must have at most ${max} items`];
  return null;
}

function listFault(field: Field, value: unknown): Fault {
  if (!Array.isArray(value)) return ['array', 'must be an array'];
  const size = sizeFault(field, value.length);
  if (size) return size;
  if (field.kind === 'ids') return value.every(isId) ? null : ['uuid', 'must contain only UUIDs'];
  if (field.kind === 'wholes') return value.every(Number.isSafeInteger) ? null : ['integer', 'must contain only whole numbers'];
  const item: Field = { name: field.name, kind: 'text', min: 1, max: MAX_NAME };
  return value.map((text) => textFault(item, text)).find((fault) => fault !== null) ?? null;
}

function jsonFault(field: Field, value: unknown): Fault {
  if (!field.isOfAnyType && !isObject(value)) return ['object', 'must be an object'];
  const size = jsonSizeFault(field, value);
  if (size) return size;
  if (nestsDeeper(value, MAX_JSON_DEPTH)) return ['too_deep', `must not nest deeper than ${MAX_JSON_DEPTH} levels`];
  return writtenOf(value).mayBeUnstorable && hasUnstorable(value)
    ? ['characters', 'must not contain control characters or unpaired surrogates']
    : null;
}

interface Written {
  readonly bytes: number;
  readonly mayBeUnstorable: boolean;
}

/** What `UNSTORABLE` describes, as it is written in JSON; texts that show such an escape have it too. */
const WRITTEN_UNSTORABLE = /\u007f|\\[bf]|\\u00|\\ud/;
const written = new WeakMap<object, Written>();

/** What the JSON of a value shows of it. It is asked about twice: before anything of the input is looked at, and as the rule of its field. */
function writtenOf(value: unknown): Written {
  const holder = typeof value === 'object' && value !== null ? value : undefined;
  const known = holder && written.get(holder);
  if (known) return known;
  const text = JSON.stringify(value);
  const found = { bytes: Buffer.byteLength(text), mayBeUnstorable: WRITTEN_UNSTORABLE.test(text) };
  if (holder) written.set(holder, found);
  return found;
}

function jsonSizeFault({ max = MAX_JSON_BYTES }: Field, value: unknown): Fault {
  return writtenOf(value).bytes > max ? ['too_long', `must have at most ${max} bytes as JSON`] : null;
}

/** Whether a list or map is larger than its field allows, whatever its entries are. */
export function boundFault(field: Field, value: unknown): Fault {
  if (field.kind === 'json') return isObject(value) || field.isOfAnyType ? jsonSizeFault(field, value) : null;
  return LISTS.has(field.kind) && Array.isArray(value) && value.length > (field.max ?? MAX_LIST) ? sizeFault(field, value.length) : null;
}

function hasUnstorable(value: unknown): boolean {
  if (typeof value === 'string') return UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => UNSTORABLE.test(key) || hasUnstorable(inner));
}

/** The rule of a declared field, on a class of input. */
@ValidatorConstraint({ name: 'field' })
export class FieldConstraint implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    return faultOf(constraints[0] as Field, value) === null;
  }

  defaultMessage({ constraints, value }: ValidationArguments): string {
    return (faultOf(constraints[0] as Field, value) ?? ['invalid', 'is not valid']).join('|');
  }
}

/** Puts a declared field on a body class: its rule, its conversion from JSON, its OpenAPI schema. */
export function acceptField(owner: Function, field: Field, required: boolean): void {
  const target = owner.prototype as object;
  Validate(FieldConstraint, [field])(target, field.name);
  if (!required) IsOptionalUnlessNull(field)(target, field.name);
  if (field.kind === 'stamp' || isTrimmed(field)) Transform(({ value }: { value: unknown }) => valueOf(field, value))(target, field.name);
  if (field.of) {
    Type(field.of)(target, field.name);
    ValidateNested({ each: field.kind === 'nestedList' })(target, field.name);
  }
  ApiProperty({
    // What a row may be without, a body that requires it may not.
    ...schemaOf(required ? { ...field, optional: false } : field),
    ...boundsOf(field),
    ...(field.secret ? { writeOnly: true } : {}),
    required,
  } as ApiPropertyOptions)(target, field.name);
}

/** The size that a list or a map of a body may have. */
function boundsOf(field: Field): object {
  if (field.kind === 'json') return { 'x-max-bytes': field.max ?? MAX_JSON_BYTES };
  return LISTS.has(field.kind) ? { ...(field.min === undefined ? {} : { minItems: field.min }), maxItems: field.max ?? MAX_LIST } : {};
}

/** Whether a body must have it: `optional` allows absence and null, `omittable` absence only. */
export const isRequired = (field: Field): boolean => !field.optional && !field.omittable;

/** Absent is fine; null only where the field may be null. */
const IsOptionalUnlessNull = (field: Field): PropertyDecorator =>
  field.optional ? IsOptional() : ValidateIf((holder: Record<string, unknown>) => holder[field.name] !== undefined);

/** Whether the rule of a field that need not be there is not asked about a value. */
export const isRuledOut = (field: Field, value: unknown, mayBeAbsent: boolean): boolean =>
  mayBeAbsent && (value === undefined || (value === null && field.optional === true));

const isTrimmed = ({ kind, max = MAX_NAME }: Field): boolean => kind === 'text' && max <= MAX_TEXT;

/** What a value that came in JSON becomes: a point in time, or a text without blanks around it. */
export function valueOf(field: Field, given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (field.kind === 'stamp') return stampOf(given);
  return isTrimmed(field) ? given.trim() : given;
}

export const stampOf = (value: unknown): unknown => (typeof value === 'string' && ISO_STAMP.test(value) ? new Date(value) : value);

const LIST_ITEMS = { ids: { type: 'string', format: 'uuid' }, texts: { type: 'string' }, wholes: { type: 'integer' } } as const;

/** Any JSON of at most so many bytes; an item of a list takes two of them. */
const anyJson = (bytes: number) => [
  { type: 'object' as const, additionalProperties: true, 'x-max-bytes': bytes },
  { type: 'array' as const, items: {}, maxItems: Math.floor(bytes / 2) },
  { type: 'string' as const, maxLength: bytes },
  { type: 'number' as const },
  { type: 'boolean' as const },
];

/** The OpenAPI schema of a field of an answer: a text is as long as it was stored, unless its field says how long that is. What is masked fits no pattern. */
export function answerSchemaOf(field: Field): ApiPropertyOptions {
  if (field.ofKinds) return unionOf(field, field.ofKinds());
  const schema = schemaOf(field);
  delete schema.pattern;
  if (field.kind === 'text' && field.max === undefined) delete schema.maxLength;
  return schema;
}

const unionOf = (field: Field, shapes: readonly Function[]): ApiPropertyOptions => ({
  type: 'array',
  items: { oneOf: shapes.map((shape) => ({ $ref: getSchemaPath(shape) })), discriminator: { propertyName: 'kind' } },
  ...(field.about ? { description: field.about } : {}),
});

/** The OpenAPI schema of a field. */
export function schemaOf(field: Field): ApiPropertyOptions {
  const text = {
    ...(field.about ? { description: field.about } : {}),
    ...(field.example === undefined ? {} : { example: field.example }),
    ...(field.optional ? { nullable: true } : {}),
  };
  const bounds = { ...(field.min === undefined ? {} : { minimum: field.min }), ...(field.max === undefined ? {} : { maximum: field.max }) };
  switch (field.kind) {
    case 'id':
      return { type: 'string', format: 'uuid', ...text };
    case 'text':
      return {
        type: 'string',
        ...(field.format ? { format: field.format } : {}),
        ...(field.min ? { minLength: field.min } : {}),
        maxLength: field.max ?? MAX_NAME,
        ...(field.form ? { pattern: field.form.pattern.source } : {}),
        ...text,
      };
    case 'whole':
      return { type: 'integer', format: 'int64', ...bounds, ...text };
    case 'number':
      return { type: 'number', ...bounds, ...text };
    case 'flag':
      return { type: 'boolean', ...text };
    case 'choice':
      return { type: 'string', enum: [...(field.values ?? [])], ...text };
    case 'json':
      return field.isOfAnyType
        ? { anyOf: anyJson(field.max ?? MAX_JSON_BYTES), ...text }
        : { type: 'object', additionalProperties: true, ...text };
    case 'stamp':
      return { type: 'string', format: 'date-time', ...text };
    case 'ids':
    case 'texts':
    case 'wholes':
      return { type: 'array', items: LIST_ITEMS[field.kind], ...(field.max ? { maxItems: field.max } : {}), ...text };
    case 'nested':
      return { type: () => field.of?.(), ...text };
    case 'nestedList':
      return { type: () => field.of?.(), isArray: true, ...text };
  }
}
