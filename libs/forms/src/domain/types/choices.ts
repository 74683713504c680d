import { folded, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textsSetting, wholeSetting } from '@atrium/platform/settings';
import { plainText, settingNumber, type Field } from '../field';
import type { CellReading, FieldType } from '../field';
import type { Place } from '../field';
import { listCell, listedIn } from '../listed-cell';
import { checkedText } from './texts';

const LONGEST_TAG = 100;
const MOST_TAGS = 100;
const MOST_CHOSEN = 500;

export const isTexts = (value: JsonValue): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

const optionOf = (value: string, field: Field) => field.options.find((option) => option.value === value);
const labelOf = (value: string, field: Field): string => optionOf(value, field)?.label ?? value;

/** Values of the options of a field by what cells call them; made once for all cells. */
const named = new WeakMap<Field, ReadonlyMap<string, string>>();

function namesOf(field: Field): ReadonlyMap<string, string> {
  const known = named.get(field);
  if (known) return known;
  const names = new Map<string, string>();
  // A value comes before labels, and the first of several.
  for (const name of ['value', 'label'] as const)
    for (const option of field.options) if (!names.has(folded(option[name]))) names.set(folded(option[name]), option.value);
  named.set(field, names);
  return names;
}

/** The option that a cell names by its value or its label. */
const readOption = (cell: string, field: Field): string | undefined => namesOf(field).get(folded(cell.trim()));

function checkedOption(value: JsonValue, field: Field, place: Place, stored: boolean): string | undefined {
  if (typeof value !== 'string') return place.refuse(field, 'type', 'must be the value of an option.');
  const option = optionOf(value, field);
  if (option && (option.active || stored)) return value;
  return place.refuse(field, 'option', option ? `no longer offers ${option.label}.` : 'must be one of its options.');
}

/** Bounds on how many items a list has; with it the schema of the list. */
export function checkedSize(count: number, field: Field, place: Place, most: number): boolean {
  const [min, max] = [settingNumber(field, 'min_items') ?? 0, settingNumber(field, 'max_items') ?? most];
  if (count < min) return place.lack(field, 'length', `must have at least ${min} items.`);
  if (count > max) place.refuse(field, 'length', `must have at most ${max} items.`);
  return count <= max;
}

export const sizeSchema = (field: Field, most: number): JsonObject => ({
  ...(settingNumber(field, 'min_items') === undefined ? {} : { minItems: settingNumber(field, 'min_items') ?? 0 }),
  maxItems: settingNumber(field, 'max_items') ?? most,
});

const select: FieldType = {
  name: 'select',
  holds: 'scalar',
  takesOptions: true,
  indexed: 'text',
  check: (value, field, place) => checkedOption(value, field, place, value === place.previous),
  fits: (value) => typeof value === 'string',
  schema: (field) => ({ enum: field.options.map(({ value }) => value) }),
  indexKeys: (value) => [{ text: plainText(value) }],
  text: (value, field) => labelOf(plainText(value), field),
  write: (value) => plainText(value),
  read(cell, field): CellReading {
    const value = readOption(cell, field);
    return value === undefined ? { misfit: 'is not one of its options' } : { value };
  },
};

const multiSelect: FieldType = {
  name: 'multi_select',
  settings: { min_items: wholeSetting({ min: 0, max: MOST_CHOSEN }), max_items: wholeSetting({ min: 1, max: MOST_CHOSEN }) },
  holds: 'many',
  takesOptions: true,
  indexed: 'text',
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of values from its options.');
    if (value.length > 2 * MOST_CHOSEN) return place.refuse(field, 'length', `must have at most ${MOST_CHOSEN} items.`);
    const before = place.previous !== undefined && isTexts(place.previous) ? place.previous : [];
    const values = (value as readonly JsonValue[]).map((one, at) =>
      checkedOption(one, field, place.below(at, undefined), before.includes(plainText(one))),
    );
    if (values.some((one) => one === undefined)) return undefined;
    const distinct = [...new Set(values as readonly string[])];
    return checkedSize(distinct.length, field, place, MOST_CHOSEN) ? distinct : undefined;
  },
  fits: isTexts,
  schema: (field) => ({ type: 'array', items: { enum: field.options.map(({ value }) => value) }, ...sizeSchema(field, MOST_CHOSEN) }),
  indexKeys: (value) => (isTexts(value) ? value.map((one) => ({ text: one })) : []),
  text: (value, field) => (isTexts(value) ? value.map((one) => labelOf(one, field)).join(', ') : ''),
  write: (value) => (isTexts(value) ? listCell(value) : ''),
  read(cell, field): CellReading {
    const values = listedIn(cell).map((part) => readOption(part, field));
    return values.some((one) => one === undefined)
      ? { misfit: 'contains a value that is not one of its options' }
      : { value: values as string[] };
  },
};

const tags: FieldType = {
  name: 'tags',
  settings: { max_items: wholeSetting({ min: 1, max: MOST_TAGS }), suggestions: textsSetting({ most: 200 }) },
  holds: 'many',
  isText: true,
  indexed: 'text',
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of strings.');
    if (value.length > 1_000) return place.refuse(field, 'length', `must have at most ${MOST_TAGS} items.`);
    const words = (value as readonly JsonValue[]).map((one, at) =>
      checkedText(one, field, place.below(at, undefined), { longest: LONGEST_TAG }),
    );
    if (words.some((one) => one === undefined)) return undefined;
    const distinct = [...new Set((words as readonly string[]).filter((word) => word !== ''))];
    return checkedSize(distinct.length, field, place, MOST_TAGS) ? distinct : undefined;
  },
  fits: isTexts,
  schema: (field) => ({ type: 'array', items: { type: 'string', maxLength: LONGEST_TAG }, ...sizeSchema(field, MOST_TAGS) }),
  indexKeys: (value) => (isTexts(value) ? value.map((one) => ({ text: one })) : []),
  text: (value) => (isTexts(value) ? value.join(', ') : ''),
  write: (value) => (isTexts(value) ? listCell(value) : ''),
  read: (cell) => ({ value: listedIn(cell) }),
};

/** Options and words. */
export const CHOICE_TYPES: readonly FieldType[] = [select, multiSelect, tags];
