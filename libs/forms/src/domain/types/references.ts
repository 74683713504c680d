import { isId, type JsonValue } from '@atrium/platform/kernel';
import { choiceSetting, flagSetting, idSetting, textSetting, textsSetting, wholeSetting } from '@atrium/platform/settings';
import { plainText, settingFlag, type Field } from '../field';
import { listedIn } from '../listed-cell';
import type { CellReading, FieldType, ReferenceKind } from '../field';
import type { Place } from '../field';
import { checkedSize, isTexts, sizeSchema } from './choices';

const MOST = 100;
const ID = idSetting();
const FILE_SETTINGS = {
  kinds: textsSetting({ most: 20, form: { pattern: /^[a-z][a-z0-9_-]{0,39}$/, words: 'kinds of files, such as image' } }),
  max_size: wholeSetting({ min: 1 }),
};
const OBJECT_SETTINGS = {
  schema: ID,
  inverse_label: textSetting({ max: 120 }),
  on_delete: choiceSetting(['clear', 'restrict']),
  acyclic: flagSetting,
};
const SEVERAL = wholeSetting({ min: 1, max: MOST });

const idsOf = (value: JsonValue | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : isTexts(value) ? value : [];
const areIds = (value: JsonValue): value is readonly string[] => Array.isArray(value) && value.every(isId);

const one = (value: JsonValue, kind: ReferenceKind, field: Field, place: Place): string | undefined => {
  if (!isId(value)) return place.refuse(field, typeof value === 'string' ? 'format' : 'type', 'must be an id.');
  const id = value.toLowerCase();
  place.ask(kind, id, field, idsOf(place.previous).includes(id));
  return id;
};

function several(value: JsonValue, kind: ReferenceKind, field: Field, place: Place): string[] | undefined {
  if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of ids.');
  if (value.length > 10 * MOST) return place.refuse(field, 'length', `must have at most ${MOST} items.`);
  const ids = (value as readonly JsonValue[]).map((id, at) => one(id, kind, field, place.below(at, place.previous)));
  if (ids.some((id) => id === undefined)) return undefined;
  const distinct = [...new Set(ids as readonly string[])];
  return checkedSize(distinct.length, field, place, MOST) ? distinct : undefined;
}

const readIds = (cell: string): CellReading => {
  const ids = listedIn(cell);
  return ids.every(isId) ? { value: ids } : { misfit: 'is not a list of ids' };
};
const readId = (cell: string): CellReading => (isId(cell.trim()) ? { value: cell.trim() } : { misfit: 'is not an id' });
const ID_SCHEMA = { type: 'string', format: 'uuid' } as const;

/** What a type that refers to something has of its own. */
interface ReferenceRule {
  readonly settings?: FieldType['settings'];
  readonly requires?: readonly string[];
}

/** A type whose values are the id of one thing of the kind. */
export const referenceType = (name: string, kind: ReferenceKind, rule: ReferenceRule = {}): FieldType => ({
  name,
  ...rule,
  holds: 'nested',
  reference: kind,
  indexed: 'reference',
  check: (value, field, place) => one(value, kind, field, place),
  fits: isId,
  schema: () => ID_SCHEMA,
  indexKeys: (value) => idsOf(value).map((reference) => ({ reference })),
  references: idsOf,
  text: (value) => plainText(value),
  read: readId,
});

/** A type whose values are the ids of several things of the kind. */
export const referencesType = (name: string, kind: ReferenceKind, rule: ReferenceRule = {}): FieldType => ({
  name,
  ...rule,
  settings: { ...rule.settings, max_items: SEVERAL },
  holds: 'many',
  reference: kind,
  indexed: 'reference',
  check: (value, field, place) => several(value, kind, field, place),
  fits: areIds,
  schema: (field) => ({ type: 'array', items: ID_SCHEMA, ...sizeSchema(field, MOST) }),
  indexKeys: (value) => idsOf(value).map((reference) => ({ reference })),
  references: idsOf,
  text: (value) => idsOf(value).join(', '),
  write: (value) => idsOf(value).join('; '),
  read: readIds,
});

const taxonomy: FieldType = {
  ...referencesType('taxonomy', 'taxonomy'),
  settings: { taxonomy: ID, multiple: flagSetting, leaf_only: flagSetting },
  requires: ['taxonomy'],
  check: (value, field, place) =>
    settingFlag(field, 'multiple') ? several(value, 'taxonomy', field, place) : one(value, 'taxonomy', field, place),
  fits: (value) => isId(value) || areIds(value),
  schema: (field) => (settingFlag(field, 'multiple') ? { type: 'array', items: ID_SCHEMA, ...sizeSchema(field, MOST) } : ID_SCHEMA),
  read: (cell, field) => (settingFlag(field, 'multiple') ? readIds(cell) : readId(cell)),
};

/** What points to something else of the workspace: the source of its kind checks whether it exists. */
export const REFERENCE_TYPES: readonly FieldType[] = [
  referenceType('file', 'file', { settings: FILE_SETTINGS }),
  referencesType('files', 'file', { settings: FILE_SETTINGS }),
  referenceType('user', 'user'),
  referenceType('role', 'role'),
  referenceType('object', 'object', { settings: OBJECT_SETTINGS, requires: ['schema'] }),
  referencesType('objects', 'object', { settings: OBJECT_SETTINGS, requires: ['schema'] }),
  referenceType('record', 'record', { settings: { base: ID } }),
  taxonomy,
];
