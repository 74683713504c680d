import { nestsDeeper } from '@atrium/platform/kernel';
import { textSetting } from '@atrium/platform/settings';
import { isStorable } from '../../domain/value-check';
import type { FieldType } from '@atrium/forms';

const MOST_BYTES = 64 * 1024;
const DEEPEST = 32;

/** The value of a field of a CMS that has no equivalent here; it is stored as it came and goes back as it is. */
export const foreignType: FieldType = {
  name: 'foreign',
  settings: {
    provider: textSetting({ max: 40, form: { pattern: /^[a-z][a-z0-9_-]{0,39}$/, words: 'the name of a CMS, such as storyblok' } }),
  },
  holds: 'nested',
  check(value, field, place) {
    if (nestsDeeper(value, DEEPEST)) return place.refuse(field, 'length', `must not be nested deeper than ${DEEPEST} levels.`);
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) > MOST_BYTES) return place.refuse(field, 'length', 'must have at most 64 KB.');
    if (!isStorable(value)) return place.refuse(field, 'format', 'contains characters that cannot be stored.');
    return value;
  },
  fits: () => true,
  schema: () => ({}),
  text: () => '',
};
