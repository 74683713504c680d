import type { FieldType } from '@atrium/forms';
import { isId, type JsonValue } from '@atrium/platform/kernel';
import { idSetting, textsSetting, wholeSetting } from '@atrium/platform/settings';
import { listOf } from '../../domain/content-form';
import { checkReference } from '../../domain/value-check';
import { hasSize, PlaceCheck, sizeSchema } from './place-check';

const MOST_PAGES = 100;
const ID_SCHEMA = { type: 'string', format: 'uuid' } as const;
const textsOf = (value: JsonValue): readonly string[] => listOf(value).filter((one): one is string => typeof one === 'string');

/** A page of the same site. */
export const pageType: FieldType = {
  name: 'page',
  settings: {
    templates: textsSetting({ most: 50, form: { pattern: /^[a-z][a-z0-9_-]{0,59}$/, words: 'keys of content schemas, such as article' } }),
    under: idSetting('the id of a page'),
  },
  holds: 'nested',
  reference: 'page',
  indexed: 'reference',
  check: (value, field, place) => checkReference(value, 'page', new PlaceCheck(field, place)),
  fits: isId,
  schema: () => ID_SCHEMA,
  indexKeys: (value) => (typeof value === 'string' ? [{ reference: value }] : []),
  references: (value) => (typeof value === 'string' ? [value] : []),
  text: (value) => (typeof value === 'string' ? value : ''),
};

/** Several pages of the same site, each once, in an order. */
export const pagesType: FieldType = {
  ...pageType,
  name: 'pages',
  settings: { ...pageType.settings, max_items: wholeSetting({ min: 1, max: MOST_PAGES }) },
  holds: 'many',
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of ids.');
    if (value.length > 10 * MOST_PAGES) return place.refuse(field, 'length', `must have at most ${MOST_PAGES} items.`);
    const check = new PlaceCheck(field, place);
    const ids = listOf(value).map((id, at) => checkReference(id, 'page', check, [at]));
    if (ids.includes(undefined)) return undefined;
    const distinct = [...new Set(ids.flatMap((id) => id ?? []))];
    return hasSize(distinct.length, { field, check, most: MOST_PAGES }) ? distinct : undefined;
  },
  fits: (value) => Array.isArray(value) && listOf(value).every(isId),
  schema: (field) => ({ type: 'array', items: ID_SCHEMA, ...sizeSchema(field, MOST_PAGES) }),
  indexKeys: (value) => textsOf(value).map((reference) => ({ reference })),
  references: textsOf,
  text: (value) => textsOf(value).join(', '),
};
