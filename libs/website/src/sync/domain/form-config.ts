import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { NeutralType } from './cms-schema';

const LONGEST_LABEL = 120;
const LONGEST_OPTION = 100;
const MOST_OPTIONS = 500;
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A field of a configuration, as far as a CMS has a place for it. */
export interface ConfigField {
  readonly key: string;
  readonly type: string;
  readonly label: string;
  readonly help?: string;
  readonly required?: boolean;
  readonly localized?: boolean;
  readonly [own: string]: JsonValue | undefined;
}

/** A configuration of these fields; members that are not set are left out. */
export const configOf = (fields: readonly ConfigField[]): JsonObject => ({
  version: 1,
  fields: fields.map((field) => withoutUndefined(field)),
});

export function configFields(config: JsonObject): readonly ConfigField[] {
  const { fields } = config;
  return Array.isArray(fields) ? (fields as readonly JsonValue[]).filter(isConfigField) : [];
}

const isConfigField = (value: JsonValue): value is JsonObject & ConfigField =>
  isObject(value) && typeof value['key'] === 'string' && typeof value['type'] === 'string' && typeof value['label'] === 'string';

export const withoutUndefined = (value: { readonly [key: string]: JsonValue | undefined }): JsonObject =>
  Object.fromEntries(Object.entries(value).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));

export const sameJson = (left: unknown, right: unknown): boolean => isDeepStrictEqual(left, right);

/** A line of text of a CMS as the label of a field. */
export const labelOf = (given: unknown, key: string): string => {
  const label = typeof given === 'string' ? given.replace(CONTROL, ' ').trim().slice(0, LONGEST_LABEL).trim() : '';
  return label === '' ? key : label;
};

export const helpOf = (given: unknown): string | undefined => {
  const help = typeof given === 'string' ? given.replace(CONTROL, ' ').trim().slice(0, 1_000).trim() : '';
  return help === '' ? undefined : help;
};

/** The options of a choice; null where they cannot be options here. */
export function optionsOf(given: readonly { readonly value: unknown; readonly label: unknown }[]): readonly JsonObject[] | null {
  const values = given.map(({ value }) => value);
  const fit = values.every(
    (value) => typeof value === 'string' && value !== '' && value.trim() === value && value.length <= LONGEST_OPTION,
  );
  if (!fit || given.length === 0 || given.length > MOST_OPTIONS || new Set(values).size < values.length) return null;
  return given.map(({ value, label }) => ({ value: String(value), label: labelOf(label, String(value)) }));
}

export const wholeNumber = (given: unknown, { min, max }: { readonly min: number; readonly max: number }): number | undefined => {
  const number = typeof given === 'string' && given !== '' ? Number(given) : given;
  return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max ? number : undefined;
};

export const isSet = (given: unknown): true | undefined => (given === true ? true : undefined);

export const textOf = (given: unknown): string => (typeof given === 'string' ? given : '');

export const texts = (given: unknown): readonly string[] =>
  Array.isArray(given) ? (given as readonly unknown[]).filter((one): one is string => typeof one === 'string') : [];

/** Types whose values differ by locale where the field says so; blocks are one tree for all locales. */
export const mayBeLocalized = (type: NeutralType): boolean => type !== 'blocks' && type !== 'kept';
