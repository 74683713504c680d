import { exactJson, isId, isObject, plainNumber, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textSetting, wholeSetting } from '@atrium/platform/settings';
import { plainText, ownValue, settingText, type Field } from '../field';
import type { FieldType } from '../field';
import { partsSchema } from '../json-schema';
import type { Place } from '../field';
import { checkedSize, sizeSchema } from './choices';
import { checkedText } from './texts';

const MOST_ROWS = 200;
const MOST_JSON = 64 * 1024;
export const DEEPEST_JSON = 32;
const LONGEST_LABEL = 255;
/** Two numbers and a label; what is longer is not looked at. */
const LONGEST_PLACE = 100 + LONGEST_LABEL;
const PLACE = /^(-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*[,;]\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)(?:\s+(\S.*))?$/i;
/** Where fractions follow a comma, one without a blank behind it is within a number. */
const COMMA_PLACE = /^(-?\d+(?:,\d+)?)(?:\s*;\s*|,\s+|\s+)(-?\d+(?:,\d+)?)(?:\s+(\S.*))?$/;
const ONE_NUMBER = /^-?\d+,\d+(?!\S)/;
/** The id of a row of a list: made by the service, kept while the row is edited. */
const ROW_ID = '_id';

const location: FieldType = {
  name: 'location',
  holds: 'nested',
  check(value, field, place) {
    if (!isObject(value)) return place.refuse(field, 'type', 'must have a latitude and a longitude.');
    const strange = Object.keys(value).find((key) => !['lat', 'lng', 'label'].includes(key));
    if (strange !== undefined)
      return place.below(strange, undefined).refuse(field, 'unknown_field', 'can contain only lat, lng and label.');
    const [lat, lng] = [degrees(value, 'lat', 90, field, place), degrees(value, 'lng', 180, field, place)];
    const label = ownValue(value, 'label') ?? null;
    const said = label === null ? '' : checkedText(label, field, place.below('label', undefined), { longest: LONGEST_LABEL });
    if (lat === undefined || lng === undefined || said === undefined) return undefined;
    const position: JsonObject = said === '' ? { lat, lng } : { lat, lng, label: said };
    return position;
  },
  fits: (value) => isObject(value) && typeof ownValue(value, 'lat') === 'number' && typeof ownValue(value, 'lng') === 'number',
  schema: () => ({
    type: 'object',
    properties: {
      lat: { type: 'number', minimum: -90, maximum: 90 },
      lng: { type: 'number', minimum: -180, maximum: 180 },
      label: { type: 'string', maxLength: LONGEST_LABEL },
    },
    required: ['lat', 'lng'],
    additionalProperties: false,
  }),
  text: (value) =>
    isObject(value)
      ? [plainText(value.label), `${plainText(value.lat)}, ${plainText(value.lng)}`].filter((part) => part !== '').join(' ')
      : '',
  write: (value) =>
    isObject(value)
      ? [`${plainText(value.lat)}, ${plainText(value.lng)}`, plainText(value.label)].filter((part) => part !== '').join(' ')
      : '',
  read(cell, _field, locale) {
    const written = cell.length > LONGEST_PLACE ? '' : cell.trim();
    const withCommas = locale.decimal === ',' ? COMMA_PLACE.exec(written) : null;
    const withPoints = withCommas || (locale.decimal === ',' && ONE_NUMBER.test(written)) ? null : PLACE.exec(written);
    const [, first = '', second = '', label] = withCommas ?? withPoints ?? [];
    const habits = { decimal: withCommas ? ',' : '.', groups: 'thousands', mark: withCommas ? '.' : ',' } as const;
    const [lat, lng] = [first, second].map((degrees) => plainNumber(degrees, habits));
    if (lat === undefined || lng === undefined) return { misfit: 'is not a latitude and longitude' };
    return { value: { lat: Number(lat), lng: Number(lng), ...(label === undefined ? {} : { label }) } };
  },
};

function degrees(value: JsonObject, key: string, most: number, field: Field, place: Place): number | undefined {
  const number = ownValue(value, key);
  const at = place.below(key, undefined);
  if (number === undefined) return at.refuse(field, 'required', `must have ${key}.`);
  if (typeof number !== 'number' || !Number.isFinite(number)) return at.refuse(field, 'type', `must have a number as ${key}.`);
  if (number < -most) return at.refuse(field, 'minimum', `must have a ${key} of at least ${-most}.`);
  return number > most ? at.refuse(field, 'maximum', `must have a ${key} of at most ${most}.`) : number + 0;
}

const group: FieldType = {
  name: 'group',
  holds: 'nested',
  takesFields: true,
  check: (value, field, place) =>
    isObject(value) ? place.checking.parts(value, field, place) : place.refuse(field, 'type', 'must be an object.'),
  fits: isObject,
  schema: (field) => partsSchema(field.fields),
  text: () => '',
};

const list: FieldType = {
  name: 'list',
  settings: {
    min_items: wholeSetting({ min: 0, max: MOST_ROWS }),
    max_items: wholeSetting({ min: 1, max: MOST_ROWS }),
    unique_by: textSetting({ max: 40 }),
  },
  holds: 'nested',
  takesFields: true,
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of objects.');
    const items = value as readonly JsonValue[];
    if (!checkedSize(items.length, field, place, MOST_ROWS)) return undefined;
    const before = new Map(
      (Array.isArray(place.previous) ? place.previous : []).filter(isObject).map((row) => [ownValue(row, ROW_ID), row]),
    );
    const rows = items.map((item, at) => checkedRow(item, at, field, place, before));
    checkDistinct(rows, field, place);
    return rows.filter((row) => row !== undefined);
  },
  fits: (value) => Array.isArray(value) && value.every(isObject),
  schema: (field) => ({
    type: 'array',
    items: partsSchema(field.fields, { [ROW_ID]: { type: 'string', readOnly: true } }),
    ...sizeSchema(field, MOST_ROWS),
  }),
  text: () => '',
};

function checkedRow(
  item: JsonValue,
  at: number,
  field: Field,
  place: Place,
  before: Map<JsonValue | undefined, JsonObject>,
): JsonValue | undefined {
  if (!isObject(item)) return place.below(at, undefined).refuse(field, 'type', 'must have objects as items.');
  const { [ROW_ID]: id, ...given } = item;
  const previous = id === undefined ? undefined : before.get(id);
  // A row that is named twice is one row and a copy of it.
  before.delete(id);
  const row = place.checking.parts(given, field, place.below(at, previous));
  const kept =
    previous !== undefined || (place.checking.trusted && typeof id === 'string' && id.length <= 64 && (isId(id) || /^[\w-]+$/.test(id)));
  return isObject(row) ? { [ROW_ID]: kept && typeof id === 'string' ? id : place.checking.newRowId(), ...row } : row;
}

/** Rows must differ in the field that `unique_by` names. */
function checkDistinct(rows: readonly (JsonValue | undefined)[], field: Field, place: Place): void {
  const key = settingText(field, 'unique_by');
  if (key === undefined) return;
  const seen = new Set<string>();
  rows.forEach((row, at) => {
    const value = isObject(row) ? ownValue(row, key) : undefined;
    if (value === undefined) return;
    const worth = JSON.stringify(value);
    if (seen.has(worth))
      place.below(at, undefined).below(key, undefined).refuse(field, 'unique', `must have different values of ${key} in its rows.`);
    seen.add(worth);
  });
}

const json: FieldType = {
  name: 'json',
  holds: 'nested',
  check(value, field, place) {
    const fault = jsonFault(value, 0);
    if (fault) return place.refuse(field, fault.code, fault.message);
    return JSON.stringify(value).length > MOST_JSON ? place.refuse(field, 'length', 'must have at most 64 KB.') : value;
  },
  fits: () => true,
  schema: () => ({}),
  text: (value) => JSON.stringify(value),
  read(cell) {
    try {
      return { value: exactJson(cell) };
    } catch {
      return { misfit: 'is not valid JSON' };
    }
  },
};

function jsonFault(value: JsonValue, depth: number): { readonly code: string; readonly message: string } | undefined {
  if (depth > DEEPEST_JSON) return { code: 'length', message: `must not be nested deeper than ${DEEPEST_JSON} levels.` };
  if (typeof value === 'number' && !Number.isFinite(value)) return { code: 'type', message: 'contains a number that cannot be stored.' };
  if (typeof value === 'string' && !isStorableJson(value)) return { code: 'format', message: 'contains characters that cannot be stored.' };
  if (typeof value !== 'object' || value === null) return undefined;
  const parts: readonly JsonValue[] = Array.isArray(value) ? value : Object.entries(value).flat();
  for (const part of parts) {
    const fault = jsonFault(part, depth + 1);
    if (fault) return fault;
  }
  return undefined;
}

const isStorableJson = (text: string): boolean => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

const layout = (name: string, settings: FieldType['settings']): FieldType => ({
  name,
  ...(settings ? { settings } : {}),
  holds: 'none',
  check: (_value, field, place) => place.refuse(field, 'unknown_field', 'cannot have a value.'),
  fits: () => false,
  schema: () => ({ not: {} }),
  text: () => '',
});

/** Types with parts of their own, and what a form shows between its fields. */
export const STRUCTURE_TYPES: readonly FieldType[] = [
  location,
  group,
  list,
  json,
  layout('section', { text: textSetting({ max: 5_000 }) }),
  layout('note', { text: textSetting({ max: 5_000 }) }),
];
