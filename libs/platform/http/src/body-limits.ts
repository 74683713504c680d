import { POLICY, type RoutePolicy } from '@atrium/platform/access';
import type { Settings } from '@atrium/platform/config';
import type { Field } from '@atrium/platform/database';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { shapeOf } from './body-bounds';
import { MAX_JSON_BYTES, MAX_LIST, MAX_NAME } from './field-rules';

const KIB = 1024;
/** What anybody may send before a caller is known, and what every other route takes at least. */
const OPEN_BODY_BYTES = 64 * KIB;

/** A character takes so many bytes at most: two escapes of a surrogate pair. */
const CHARACTER = 12;
/** A byte of JSON as it is measured is written in so many at most: escaped, and with spaces for people. */
const JSON_BYTE = 4;
/** A number, a date, an id or a truth value with the spaces around it. */
const VALUE = 64;
/** Quotes, a colon, a comma and spaces for people. */
const PUNCTUATION = 64;
/** As many values as 64 KB of JSON can have; of more bytes, one in sixteen bytes. Each takes the process about a microsecond, whatever becomes of it. */
export const MANY_VALUES = 32 * KIB;
const BYTES_OF_ONE = 16;
/** Values of names that are unknown and left over, so that the answer can name them. */
const SPARE_VALUES = 1_000;

/**
 * The bytes that a body of a route may have: what its policy declares; of routes without a caller so much as a form takes; of
 * all others what the fields of its class may have together.
 */
export function bodyLimitOf(controller: Function, handler: Function, most: number): number {
  const policy = Reflect.getMetadata(POLICY, handler) as RoutePolicy | undefined;
  if (policy?.body !== undefined) return Math.min(policy.body, most);
  if (policy?.kind === 'public') return Math.min(OPEN_BODY_BYTES, most);
  const type = bodyClassOf(controller, handler);
  return type ? Math.min(Math.max(mostBytes(type, most), OPEN_BODY_BYTES), most) : Math.min(OPEN_BODY_BYTES, most);
}

/** As many values as a body of so many bytes may have where nothing more is known of it: what a few bytes of JSON hold takes longest to parse. */
const valuesIn = (bytes: number): number => Math.min(bytes / 2, Math.max(MANY_VALUES, Math.ceil(bytes / BYTES_OF_ONE)));

/** The values that a body of a route may have, `limit` bytes long at most: those of the fields of its class, and some to spare. */
export function bodyValuesOf(controller: Function, handler: Function, limit: number): number {
  const type = bodyClassOf(controller, handler);
  return Math.min(valuesIn(limit), type ? mostValues(type) + SPARE_VALUES : Infinity);
}

/** The bytes of the largest body that is accepted at all: what can never have room is too large. */
export const mostBodyBytes = (settings: Settings): number =>
  Math.min(settings.BODY_LIMIT_BYTES, settings.BODIES_OF_ADDRESS_BYTES, settings.BODIES_IN_FLIGHT_BYTES);

/** The class of the body that a handler takes; none where it takes no body. */
function bodyClassOf(controller: Function, handler: Function): Function | undefined {
  const parameters = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handler.name) ?? {}) as object);
  const body = parameters.find((key) => key.startsWith(`${RouteParamtypes.BODY}:`));
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, handler.name) ?? []) as Function[];
  return body === undefined ? undefined : types[Number(body.split(':')[1])];
}

/** As many bytes as a body of the class can have in any writing, or `most` where that is fewer or nothing is known of it. */
function mostBytes(type: Function, most: number, within: readonly Function[] = []): number {
  const { fields, known } = shapeOf(type);
  if (within.includes(type) || fields.size < known.size) return most;
  let sum = 2;
  for (const [name, field] of fields) {
    sum += CHARACTER * name.length + PUNCTUATION + mostBytesOf(field, (inner) => mostBytes(inner, most, [...within, type]));
    if (sum >= most) return most;
  }
  return sum;
}

function mostBytesOf(field: Field, ofClass: (type: Function) => number): number {
  const { kind, max, of, values = [] } = field;
  switch (kind) {
    case 'text':
      return CHARACTER * (max ?? MAX_NAME);
    case 'json':
      return JSON_BYTE * (max ?? MAX_JSON_BYTES);
    case 'ids':
    case 'wholes':
      return VALUE * (max ?? MAX_LIST);
    case 'texts':
      return (CHARACTER * MAX_NAME + PUNCTUATION) * (max ?? MAX_LIST);
    case 'choice':
      return CHARACTER * Math.max(0, ...values.map(({ length }) => length));
    case 'nested':
      return of ? ofClass(of()) : Infinity;
    case 'nestedList':
      return of ? (ofClass(of()) + PUNCTUATION) * (max ?? MAX_LIST) : Infinity;
    default:
      return VALUE;
  }
}

/** As many values as a body of the class can have; Infinity where nothing is known of it. */
function mostValues(type: Function, within: readonly Function[] = []): number {
  const { fields, known } = shapeOf(type);
  if (within.includes(type) || fields.size < known.size) return Infinity;
  let sum = 1;
  for (const field of fields.values()) sum += mostValuesOf(field, (inner) => mostValues(inner, [...within, type]));
  return sum;
}

function mostValuesOf(field: Field, ofClass: (type: Function) => number): number {
  const { kind, max, of } = field;
  switch (kind) {
    case 'json':
      return valuesIn(max ?? MAX_JSON_BYTES);
    case 'ids':
    case 'wholes':
    case 'texts':
      return 1 + (max ?? MAX_LIST);
    case 'nested':
      return of ? ofClass(of()) : Infinity;
    case 'nestedList':
      return of ? 1 + ofClass(of()) * (max ?? MAX_LIST) : Infinity;
    default:
      return 1;
  }
}

/** A number of bytes as people write it: `8 KB`. */
export const inKilobytes = (bytes: number): string =>
  bytes % (KIB * KIB) === 0 ? `${bytes / KIB / KIB} MB` : bytes < KIB ? `${bytes} bytes` : `${Math.floor(bytes / KIB)} KB`;
