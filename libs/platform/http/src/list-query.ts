import { DEFAULT_LIMIT, fieldsOf, MAX_LIMIT, type Field, type ListParameters } from '@atrium/platform/database';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { Validate, ValidateIf, ValidatorConstraint, type ValidationArguments, type ValidatorConstraintInterface } from 'class-validator';
import { faultOf, schemaOf, stampOf } from './field-rules';

const MAX_NEEDLE = 200;
const whole = (text: unknown): unknown => (typeof text === 'string' && /^-?\d{1,15}$/.test(text) ? Number(text) : text);
const decimal = (text: unknown): unknown => (typeof text === 'string' && /^-?\d{1,15}(\.\d{1,9})?$/.test(text) ? Number(text) : text);

/** A query string is all text: the value in the form the field's rule expects, or as it came so that the rule refuses it. */
function fromQuery(field: Field, value: unknown): unknown {
  if (field.filter === 'range') return [value].flat().map((bound) => single(field, bound));
  if (field.kind === 'texts' || field.kind === 'ids') return repeated(value);
  return single(field, value);
}

/** What was given once or more often; of a parameter given more than twenty times the parser makes an object by places. */
function repeated(value: unknown): unknown[] {
  const isByPlace = typeof value === 'object' && value !== null && Object.keys(value).every((key, at) => key === String(at));
  return isByPlace ? Object.values(value) : [value].flat();
}

function single(field: Field, value: unknown): unknown {
  if (field.kind === 'flag') return value === 'true' ? true : value === 'false' ? false : value;
  if (field.kind === 'whole') return whole(value);
  if (field.kind === 'number') return decimal(value);
  if (field.kind === 'stamp') return stampOf(value);
  return value;
}

@ValidatorConstraint({ name: 'filter' })
class FilterConstraint implements ValidatorConstraintInterface {
  validate(value: unknown, { constraints }: ValidationArguments): boolean {
    return this.fault(constraints[0] as Field, value) === null;
  }

  defaultMessage({ constraints, value }: ValidationArguments): string {
    return (this.fault(constraints[0] as Field, value) ?? ['invalid', 'is not valid']).join('|');
  }

  private fault(field: Field, value: unknown): readonly [string, string] | null {
    if (field.filter !== 'range')
      return faultOf(field.filter === 'contains' ? { ...field, min: 1, max: MAX_NEEDLE, form: undefined } : field, value);
    const bounds = value as unknown[];
    if (bounds.length > 2) return ['too_many', 'must have one value (from) or two (from, to)'];
    return bounds.map((bound) => faultOf({ name: field.name, kind: field.kind }, bound)).find((fault) => fault !== null) ?? null;
  }
}

/** Adds one query parameter to a list's query class. */
export function acceptParameter(owner: Function, field: Field, schema: ApiPropertyOptions = schemaOf(field), required = false): void {
  const target = owner.prototype as object;
  Transform(({ value }: { value: unknown }) => fromQuery(field, value))(target, field.name);
  Validate(FilterConstraint, [field])(target, field.name);
  if (!required) ValidateIf((query: Record<string, unknown>) => query[field.name] !== undefined)(target, field.name);
  ApiProperty({ ...schema, required } as ApiPropertyOptions)(target, field.name);
}

function filterSchema(field: Field): ApiPropertyOptions {
  if (field.filter === 'range') {
    const items =
      field.kind === 'stamp' ? { type: 'string', format: 'date-time' } : { type: field.kind === 'whole' ? 'integer' : 'number' };
    return { type: 'array', items, maxItems: 2, description: 'One value: from that value on. Two values: an inclusive range.' };
  }
  const { description: _, example: __, nullable: ___, ...schema } = schemaOf(field) as Record<string, unknown>;
  const how =
    field.filter === 'contains'
      ? 'Contains this text. Case is ignored.'
      : field.filter === 'prefix'
        ? 'Equals the value. A value that ends in `/` matches everything that starts with it.'
        : 'Equals.';
  return { ...schema, description: how };
}

export interface ListQueryOptions {
  /** Accepts `limit_extended` for exports. */
  readonly extended?: boolean;
  /** Rows that one page may have, where it is not the usual number. */
  readonly atMost?: number;
  /** A list of rows that are known as a whole (`pageOfRows`): without `limit` a page holds all of them. */
  readonly whole?: boolean;
  /** Declared filters that this list does not take. */
  readonly without?: readonly string[];
}

/**
 * The query of a list: `cursor`, `limit`, `offset`, `sort` and a parameter for every field the resource declares as a
 * filter. An unreadable cursor means the first page, an unknown order the default one, too high a limit the highest.
 */
export function ListQuery<T extends object>(
  resource: abstract new (...args: never[]) => T,
  options: ListQueryOptions = {},
): new () => ListParameters & Partial<Record<keyof T & string, unknown>> {
  class ResourceListQuery {}
  const sorts = [...fieldsOf(resource).values()].filter((field) => field.sort).map((field) => field.name);
  const { atMost = MAX_LIMIT } = options;
  const paging: [Field, ApiPropertyOptions][] = [
    [
      { name: 'cursor', kind: 'text', max: 100_000 },
      { type: 'string', maxLength: 512, pattern: '^[A-Za-z0-9_-]+$', description: '`next_cursor` of the previous page.' },
    ],
    [
      { name: 'limit', kind: 'whole', min: 1 },
      {
        type: 'integer',
        minimum: 1,
        maximum: atMost,
        default: options.whole ? atMost : DEFAULT_LIMIT,
        description: `Number of rows per page. A value above ${atMost} is reduced to ${atMost}.`,
      },
    ],
    [
      { name: 'offset', kind: 'whole', min: 0, max: 10_000_000 },
      { type: 'integer', minimum: 0, description: 'Number of rows to skip. Use `cursor` for deep pages: it is faster.' },
    ],
    [
      { name: 'sort', kind: 'text', max: 100_000 },
      {
        type: 'string',
        maxLength: 64,
        pattern: '^-?[a-z0-9_]+$',
        description: `Sort by ${sorts.map((name) => `\`${name}\``).join(' or ')}. A leading \`-\` sorts in descending order. Any other value: the default order.`,
      },
    ],
  ];
  if (options.extended)
    paging.push([
      { name: 'limit_extended', kind: 'whole', min: 1 },
      { type: 'integer', minimum: 1, maximum: 10_000, description: 'Number of rows per page of an export, up to 10000. Replaces `limit`.' },
    ]);
  for (const [field, schema] of paging) acceptParameter(ResourceListQuery, field, schema);
  for (const field of fieldsOf(resource).values()) {
    if (field.filter && !field.internal && !options.without?.includes(field.name))
      acceptParameter(ResourceListQuery, field.filter === true ? { ...field, filter: 'equals' } : field, filterSchema(field));
  }
  return ResourceListQuery;
}
