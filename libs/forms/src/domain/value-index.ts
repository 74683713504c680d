import { folded, normalized, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { createHash } from 'node:crypto';
import type { CompiledForm } from './compiled-form';
import { decimalWorth } from './decimals';
import { plainText, type Field } from './field';
import type { IndexKey } from './field';
import { valuesOf } from './stored-values';

/** One row of the value index; one of its values is set. */
export interface IndexEntry {
  readonly field_key: string;
  readonly position: number;
  readonly value_text: string | null;
  readonly value_num: number | null;
  readonly value_ref: string | null;
}

/** A value that more than one row has; `isOpen`: everybody may read one of them. */
export interface DoubledValue {
  readonly value: string;
  readonly count: number;
  readonly isOpen: boolean;
}

/** A value that no other row of the form may have. */
export interface UniqueEntry {
  readonly field_key: string;
  /** SHA-256 in hexadecimal digits. */
  readonly value_hash: string;
}

/**
 * Bounds of the index: no value is on them. A field of one value that is absent has an entry at both, so that it comes last in
 * either order: ascending lists begin behind the lowest, descending ones behind the highest.
 */
export const LOWEST = { text: '', number: -Number.MAX_VALUE, reference: '00000000-0000-0000-0000-000000000000' } as const;
export const HIGHEST = { text: '\u{10FFFF}', number: Number.MAX_VALUE } as const;

/** Bytes of a text in JSON; with the name of an order and an id it must fit a cursor. */
const LONGEST_TEXT = 190;
const DIGEST = 22;
/** Positions of the rows that stand for an absent value. */
const ABSENT = -1;

/** Whether lists may be sorted by the field: it has one value, of a kind with an order. */
export const isSortable = (field: Field): boolean =>
  field.filterable && !field.in_list && field.type.holds !== 'many' && (field.type.indexed === 'text' || field.type.indexed === 'number');

export const isIndexed = (field: Field): boolean =>
  field.type.indexed !== undefined && (field.filterable || field.type.reference !== undefined);

/** What decides the index rows of a field: where it differs between two forms, they are made again. */
export const indexShape = (field: Field): string =>
  [field.type.indexed, field.filterable, isSortable(field), field.unique, field.type.name].join(' ');

/** A text as the index has it: folded; what is long by its beginning and a digest of all of it. */
export function indexedText(text: string): string {
  const plain = folded(text).replaceAll(HIGHEST.text, '\u{10FFFD}');
  if (size(plain) <= LONGEST_TEXT) return plain;
  let kept = '';
  let room = LONGEST_TEXT - DIGEST - 3;
  for (const character of plain.slice(0, LONGEST_TEXT)) {
    room -= size(character) - 2;
    if (room < 0) break;
    kept += character;
  }
  return `${kept}~${createHash('sha256').update(plain).digest('base64url').slice(0, DIGEST)}`;
}

/** Whether the index holds the whole text. */
export const isWhole = (text: string): boolean => size(folded(text)) <= LONGEST_TEXT;

const size = (text: string): number => Buffer.byteLength(JSON.stringify(text));

/** The index rows of content. */
export function indexEntries(form: CompiledForm, content: JsonObject): readonly IndexEntry[] {
  return form.all.filter(isIndexed).flatMap((field) => entriesOf(field, content));
}

/** Index rows of references that are no field, such as the terms of an object: their key begins with a dollar. */
export const referenceEntries = (field_key: string, ids: readonly string[]): readonly IndexEntry[] =>
  [...new Set(ids)].map((id, position) => entry(field_key, position, { reference: id }));

function entriesOf(field: Field, content: JsonObject): readonly IndexEntry[] {
  const keys = distinct(valuesOf(content, field).flatMap((value) => field.type.indexKeys?.(value, field) ?? []));
  const present = keys.filter(({ text }) => text !== '');
  if (present.length > 0) return present.map((key, position) => entry(field.path, position, key));
  return field.filterable ? absentEntries(field) : [];
}

function absentEntries(field: Field): readonly IndexEntry[] {
  const { indexed = 'text' } = field.type;
  const low = entry(field.path, ABSENT, { [indexed]: LOWEST[indexed] });
  if (!isSortable(field) || indexed === 'reference') return [low];
  return [low, entry(field.path, ABSENT - 1, { [indexed]: HIGHEST[indexed] })];
}

const entry = (field_key: string, position: number, { text, number, reference }: IndexKey): IndexEntry => ({
  field_key,
  position,
  value_text: text ?? null,
  value_num: number ?? null,
  value_ref: reference ?? null,
});

function distinct(keys: readonly IndexKey[]): readonly IndexKey[] {
  const normal = keys.map(({ text, number, reference }) => ({
    ...(text === undefined ? {} : { text: indexedText(text) }),
    ...(number === undefined ? {} : { number: boundedNumber(number) }),
    ...(reference === undefined ? {} : { reference }),
  }));
  return [...new Map(normal.map((key) => [JSON.stringify(key), key])).values()];
}

/** A number beside the bounds, which no value reaches. */
export const boundedNumber = (value: number): number => {
  const most = HIGHEST.number / 2;
  return Math.min(most, Math.max(-most, value));
};

/** The values that no other row of the form may have. */
export function uniqueEntries(form: CompiledForm, content: JsonObject): readonly UniqueEntry[] {
  return form.all
    .filter(({ unique }) => unique)
    .flatMap((field) => valuesOf(content, field).map((value) => ({ field_key: field.path, value_hash: uniqueHash(field, value) })));
}

/** By what values of a field are the same: decimals by what they are worth, texts that people write folded, others as they are stored. */
export type Sameness = 'decimal' | 'folded' | 'stored';

export const samenessOf = ({ type }: Field): Sameness => (type.name === 'decimal' ? 'decimal' : type.isText ? 'folded' : 'stored');

const WORTH: Readonly<Record<Sameness, (text: string) => string>> = {
  decimal: decimalWorth,
  folded,
  stored: (text) => normalized(text, 'NFC'),
};

/** What two values of a unique field have in common when they are worth the same. */
export const uniqueHash = (field: Field, value: JsonValue): string =>
  createHash('sha256')
    .update(WORTH[samenessOf(field)](plainText(value)))
    .digest('hex');
