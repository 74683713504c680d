// For each place of each operation and each shape, a request in which that place is as large as it may be.
import { listUpTo, SHAPES } from './costly-shapes.mjs';

const REFERENCE = '#/components/schemas/';
const KIB = 1024;
const DEFAULT_BODY = 64 * KIB;
const DEFAULT_TEXT = 255;
const DEFAULT_JSON = 64 * KIB;
const DEFAULT_ITEMS = 100;
/** Of a value that no text may be: it is refused, and that costs little too. */
const MISPLACED = 16 * KIB;
/** What Node takes of a request line and headers is 16 KB; a character may be written in nine of them. */
const ADDRESS = 12 * KIB;
const DEEPEST = 3;

/** Makes the requests of one run. */
export class CostlyRequests {
  /** By operation, names of fields that were refused as the examples have them, and that it can do without. */
  #refused = new Map();
  /** By operation, names of fields that were missed, though the document lets them be left out. */
  #missed = new Map();

  constructor(document, rows, headers) {
    Object.assign(this, { document, rows, headers });
  }

  /** `{ name, operation, place, shape, request(attempt) }` for everything that an operation takes. */
  casesOf(operation) {
    return this.#placesOf(operation).flatMap(({ place, make }) =>
      SHAPES.map((shape) => ({
        name: `${operation.name} · ${place} · ${shape.name}`,
        operation: operation.name,
        place,
        shape: shape.name,
        request: (attempt) => make(shape, attempt),
      })),
    );
  }

  /** Learns from a refusal which fields are better left out, and which are missed; whether there is something to learn. */
  learn({ name, operation }, text) {
    const schema = this.#resolve(operation.requestBody?.content['application/json']?.schema);
    const faults = faultsIn(text).map(({ path = '', code }) => ({
      field: path.split(/[.[]/)[0],
      isMissed: code === 'required' && !/[.[]/.test(path),
    }));
    const optional = faults.filter(({ field }) => field in (schema.properties ?? {}) && !schema.required?.includes(field));
    const learned = [
      [this.#missed, optional.filter(({ isMissed }) => isMissed)],
      [this.#refused, optional.filter(({ isMissed }) => !isMissed)],
    ].map(([fields, found]) => {
      const known = fields.get(name) ?? new Set();
      const others = found.map(({ field }) => field).filter((each) => !known.has(each));
      fields.set(name, new Set([...known, ...others]));
      return others.length > 0;
    });
    return learned.some(Boolean);
  }

  /** A request as it is meant, with names that no other has: `attempt` is written into them. */
  usual({ name, method, path, operation }, attempt) {
    const media = operation.requestBody?.content['application/json'];
    return {
      operation: name,
      method,
      path: this.rows.addressOf(path, attempt),
      query: [],
      headers: this.headers,
      body: media ? this.#usualBody(name, media, attempt) : undefined,
      parameters: [],
      sorts: [],
    };
  }

  #placesOf(operation) {
    const places = operation.query.map((parameter) => ({
      place: `?${parameter.name}`,
      make: (shape, attempt) => ({ ...this.usual(operation, attempt), query: this.#queryOf(parameter, shape, attempt) }),
    }));
    if (operation.path.includes('{'))
      places.push({
        place: 'path',
        make: (shape, attempt) => {
          const usual = this.usual(operation, attempt);
          const text = encodeURIComponent(cut(shape.text(2 * KIB, attempt))).slice(0, ADDRESS);
          return { ...usual, path: operation.path.replace(/\{\w+\}/, text.replace(/%.?$/, '')).replace(/\{\w+\}/g, 'x') };
        },
      });
    const schema = operation.operation.requestBody?.content['application/json']?.schema;
    return schema ? [...places, ...this.#placesOfBody(operation, schema)] : places;
  }

  #placesOfBody(operation, schema) {
    const limit = limitOf(operation.operation.requestBody);
    const body = (change) => (shape, attempt) => {
      const usual = this.usual(operation, attempt);
      return { ...usual, body: fitting(change(usual.body ?? {}, shape, attempt), limit) };
    };
    return [
      { place: 'body', make: body((_, shape, attempt) => shape.json(limit - KIB, attempt)) },
      ...this.#fieldsOf(schema).map(({ path, fill }) => ({
        place: path.join('.'),
        make: body((usual, shape, attempt) => placed(usual, path, fill(shape, attempt, Math.max(limit - 4 * KIB, limit / 2)))),
      })),
    ];
  }

  /** `{ path, fill }` of every field of a body, and of those within it. */
  #fieldsOf(reference, within = []) {
    const schema = this.#resolve(reference);
    return Object.entries(schema.properties ?? {}).flatMap(([name, each]) => {
      const field = this.#resolve(each);
      const path = [...within, name];
      const inner = typeOf(field) === 'object' && field.properties && path.length < DEEPEST ? this.#fieldsOf(field, path) : [];
      return [{ path, fill: this.#fillerOf(field) }, ...this.#grownOf(field, path), ...this.#itemsOf(field, path), ...inner];
    });
  }

  #fillerOf(field) {
    switch (typeOf(field)) {
      case 'object': {
        const bytes = field['x-max-bytes'] ?? DEFAULT_JSON;
        return (shape, attempt, room) => shape.json(Math.min(bytes, room), attempt);
      }
      case 'array': {
        const [item, most] = [this.#resolve(field.items), field.maxItems ?? DEFAULT_ITEMS];
        const length = typeOf(item) === 'string' ? (item.maxLength ?? DEFAULT_TEXT) : DEFAULT_TEXT;
        return (shape, attempt, room) =>
          listUpTo(
            room,
            (n) => (typeOf(item) === 'object' ? shape.json(2 * KIB, attempt + n) : cut(shape.text(length, attempt * 1_000 + n))),
            most,
          );
      }
      case 'string': {
        const isText = !field.enum && field.format !== 'uuid' && field.format !== 'date-time';
        const length = isText ? (field.maxLength ?? DEFAULT_TEXT) : MISPLACED;
        return (shape, attempt, room) => cut(shape.text(Math.min(length, room), attempt));
      }
      default:
        return (shape, attempt) => cut(shape.text(MISPLACED, attempt));
    }
  }

  /** An object that has an example, with each text of it in the shape: what is looked at more closely the more it is like what is meant. */
  #grownOf(field, path) {
    if (typeOf(field) !== 'object' || Object.keys(field.example ?? {}).length === 0) return [];
    const bytes = field['x-max-bytes'] ?? DEFAULT_JSON;
    return [
      {
        path: [...path, GROWN],
        fill: (shape, attempt, room) => {
          const texts = textsIn(field.example);
          const each = Math.floor((Math.min(bytes, room) * 0.8) / Math.max(1, texts) / 3);
          return grown(field.example, (n) => cut(shape.text(each, attempt + n)));
        },
      },
    ];
  }

  /** A list of objects, in each of which one field is in the shape. */
  #itemsOf(field, path) {
    if (typeOf(field) !== 'array' || path.length >= DEEPEST) return [];
    const item = this.#resolve(field.items);
    if (typeOf(item) !== 'object' || !item.properties) return [];
    const most = field.maxItems ?? DEFAULT_ITEMS;
    return this.#fieldsOf(item, [...path, EACH]).map((inner) => ({
      ...inner,
      fill: (shape, attempt, room) =>
        listUpTo(
          room,
          (n) => {
            const usual = this.#usualOf(item, path.at(-1), attempt + n);
            return placed(usual, inner.path.slice(path.length + 1), inner.fill(shape, attempt + n, room / 2));
          },
          most,
        ),
      path: inner.path,
    }));
  }

  #queryOf({ name, schema }, shape, attempt) {
    const field = this.#resolve(schema);
    const length = Math.min(typeOf(field) === 'string' ? (field.maxLength ?? 4 * KIB) : 4 * KIB, 4 * KIB);
    const text = fittingAddress(cut(shape.text(length, attempt)));
    if (typeOf(field) === 'object') return [[`${name}[name][contains]`, text]];
    if (typeOf(field) === 'array')
      return listUpTo(ADDRESS / 2, (n) => fittingAddress(cut(shape.text(100, attempt + n))), field.maxItems ?? 50).map((each) => [
        name,
        each,
      ]);
    return [[name, text]];
  }

  #usualBody(operation, { schema, example }, attempt) {
    const usual = this.#usualOf(schema, '', attempt);
    const shown = typeof example === 'object' && example !== null && !Array.isArray(example) ? example : {};
    const { properties = {} } = this.#resolve(schema);
    const named = Object.entries(shown).filter(([name]) => !this.#isReference(properties[name]) && !(name in usual));
    const refused = this.#refused.get(operation);
    const missed = [...(this.#missed.get(operation) ?? [])].map((name) => [name, this.#usualOf(properties[name], name, attempt)]);
    return Object.fromEntries([...named, ...Object.entries(usual), ...missed].filter(([name]) => !refused?.has(name)));
  }

  #isReference(each) {
    const field = this.#resolve(each);
    return field.format === 'uuid' || this.#resolve(field.items).format === 'uuid';
  }

  #usualOf(reference, name, attempt) {
    const field = this.#resolve(reference);
    if (field.format === 'uuid') return this.rows.idOf(name, attempt) ?? field.example ?? '00000000-0000-7000-8000-000000000000';
    if (/_(?:name|title|label)$/.test(name) && typeOf(field) === 'string' && !field.enum)
      return `${field.example ?? 'Harbour'} ${attempt}`.slice(0, field.maxLength);
    if (typeOf(field) === 'object' && field.properties) {
      const names = Object.keys(field.properties).filter((each) => field.required?.includes(each) || /_name$/.test(each));
      return Object.fromEntries(names.map((each) => [each, this.#usualOf(field.properties[each], each, attempt)]));
    }
    if (field.example !== undefined) return field.example;
    if (field.enum) return field.enum[0];
    switch (typeOf(field)) {
      case 'object':
        return {};
      case 'array':
        return Array.from({ length: field.minItems ?? 1 }, (_, n) => this.#usualOf(field.items, name.replace(/s$/, ''), attempt + n));
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return field.minimum ?? 1;
      default:
        return field.format === 'date-time' ? '2026-03-14T09:26:53.589Z' : `Harbour ${attempt}`.slice(0, field.maxLength);
    }
  }

  #resolve(schema) {
    if (schema?.$ref) return this.#resolve(this.document.components.schemas[schema.$ref.slice(REFERENCE.length)]);
    const branch = (schema?.allOf ?? schema?.anyOf ?? schema?.oneOf)?.find((each) => each.type !== 'null');
    return branch ? { ...this.#resolve(branch), ...(schema.example === undefined ? {} : { example: schema.example }) } : (schema ?? {});
  }
}

function faultsIn(text) {
  try {
    return JSON.parse(text).errors ?? [];
  } catch {
    return [];
  }
}

/** Names in a path: the field with its example's structure, and each entry of a list. */
const GROWN = '(example)';
const EACH = '[]';

const typeOf = ({ type, properties }) => [type ?? (properties ? 'object' : 'string')].flat().find((each) => each !== 'null');

/** A text ends at a character, not within one. */
const cut = (text) => text.toWellFormed();

/** The body's limit as the document says it: `At most 268 KB.` */
export function limitOf({ description = '' }) {
  const [, number, unit] = /At most ([\d.]+) (KB|MB|bytes)/.exec(description) ?? [];
  if (!number) return DEFAULT_BODY;
  return Number(number) * { bytes: 1, KB: KIB, MB: KIB * KIB }[unit];
}

/** The body with a value at a place; what is on the way to it is as usual. */
function placed(body, [name, ...rest], value) {
  if (name === undefined || name === GROWN || name === EACH) return value;
  return { ...body, [name]: placed(typeof body?.[name] === 'object' ? body[name] : {}, rest, value) };
}

/** A body that is a little too large is answered before anything is looked at: the longest text or list of it is cut. */
function fitting(body, limit) {
  let fits = body;
  for (let left = 30; left > 0; left--) {
    const size = bytesOf(fits);
    if (size <= limit) break;
    fits = shortened(fits, (limit / size) * 0.95);
  }
  return fits;
}

const bytesOf = (value) => Buffer.byteLength(JSON.stringify(value) ?? '');

function shortened(value, share) {
  if (typeof value === 'string') return value.length > 300 ? cut(value.slice(0, Math.floor(value.length * share))) : value;
  if (Array.isArray(value))
    return value.length > 20 ? value.slice(0, Math.floor(value.length * share)) : value.map((each) => shortened(each, share));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.length > 200
      ? entries.slice(0, Math.floor(entries.length * share))
      : entries.map(([name, each]) => [name, shortened(each, share)]),
  );
}

function fittingAddress(text) {
  let fits = text;
  while (encodeURIComponent(fits).length > ADDRESS) fits = cut(fits.slice(0, Math.floor(fits.length * 0.8)));
  return fits;
}

function textsIn(value) {
  if (typeof value === 'string') return 1;
  return typeof value === 'object' && value !== null ? Object.values(value).reduce((sum, each) => sum + textsIn(each), 0) : 0;
}

function grown(value, text, count = { n: 0 }) {
  if (typeof value === 'string') return text(count.n++);
  if (Array.isArray(value)) return value.map((each) => grown(each, text, count));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, grown(each, text, count)]));
}
