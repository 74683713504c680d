import type { FieldType } from '@atrium/forms';
import { isObject, type JsonValue } from '@atrium/platform/kernel';
import { textsSetting, wholeSetting } from '@atrium/platform/settings';
import { listOf } from '../../domain/content-form';
import { hasSize, PlaceCheck, sizeSchema } from './place-check';

const MOST_IN_LIST = 200;
const COMPONENTS = { pattern: /^[a-z][a-z0-9_-]{0,59}$/, words: 'keys of content schemas, such as hero' };

/** A list of blocks. The blocks themselves are checked by the forms of their components, and stand here by their identity. */
export const blocksType: FieldType = {
  name: 'blocks',
  settings: {
    components: textsSetting({ most: 200, form: COMPONENTS }),
    groups: textsSetting({ most: 50, longest: 120 }),
    min_items: wholeSetting({ min: 0, max: MOST_IN_LIST }),
    max_items: wholeSetting({ min: 1, max: MOST_IN_LIST }),
  },
  holds: 'nested',
  localizable: false,
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of blocks.');
    if (field.path.includes('.')) return place.refuse(field, 'type', 'cannot hold blocks within a group or a list.');
    const blocks = listOf(value);
    const strange = blocks.findIndex((block) => !isObject(block));
    if (strange >= 0) return place.below(strange, undefined).refuse(field, 'type', 'must have blocks as items.');
    return hasSize(blocks.length, { field, check: new PlaceCheck(field, place), most: MOST_IN_LIST }) ? value : undefined;
  },
  fits: (value: JsonValue) => Array.isArray(value) && listOf(value).every(isObject),
  schema: (field) => ({
    type: 'array',
    items: { type: 'object', properties: { _uid: { type: 'string' }, component: { type: 'string' } }, required: ['component'] },
    ...sizeSchema(field, MOST_IN_LIST),
  }),
  // Blocks say their own words.
  text: () => '',
};
