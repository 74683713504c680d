import type { FieldType } from '@atrium/forms';
import { isObject } from '@atrium/platform/kernel';
import { choiceSetting, SettingFault, textsSetting, type Setting } from '@atrium/platform/settings';
import type { JsonValue } from '@atrium/platform/kernel';
import { checkDoc } from '../../domain/doc';
import { DOC_MARKS, DOC_NODES } from '../../domain/doc-schema';
import { docMarkdown, docText } from '../../domain/doc-text';
import { PlaceCheck, textsIn } from './place-check';

/** Some of the words of a closed set. */
const someOf = (names: readonly string[]): Setting<readonly string[]> => {
  const [texts, choice] = [textsSetting({ most: names.length }), choiceSetting(names)];
  return (value: JsonValue) => {
    const read = texts(value);
    if (read instanceof SettingFault) return read;
    return read.map(choice).find((one) => one instanceof SettingFault) instanceof SettingFault
      ? new SettingFault('option', `must contain only ${names.join(', ')}`)
      : read;
  };
};

/** Formatted text: a document of a closed set of nodes and marks. */
export const docType: FieldType = {
  name: 'doc',
  settings: {
    nodes: someOf(Object.keys(DOC_NODES)),
    marks: someOf(Object.keys(DOC_MARKS)),
    components: textsSetting({ most: 200, form: { pattern: /^[a-z][a-z0-9_-]{0,59}$/, words: 'keys of content schemas, such as hero' } }),
  },
  holds: 'nested',
  isText: true,
  check(value, field, place) {
    const [nodes, marks] = [textsIn(field, 'nodes'), textsIn(field, 'marks')];
    return checkDoc(value, new PlaceCheck(field, place), { ...(nodes ? { nodes } : {}), ...(marks ? { marks } : {}) });
  },
  fits: (value) => isObject(value) && value.type === 'doc',
  schema: () => ({
    type: 'object',
    properties: { type: { const: 'doc' }, content: { type: 'array', items: { type: 'object' } } },
    required: ['type'],
    additionalProperties: false,
  }),
  text: docText,
  words: docText,
  markdown: docMarkdown,
};
