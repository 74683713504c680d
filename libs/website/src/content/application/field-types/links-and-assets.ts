import type { FieldType } from '@atrium/forms';
import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { flagSetting, textsSetting, wholeSetting, SettingFault, type Setting } from '@atrium/platform/settings';
import { ASSET_KEYS, assetFile, assetText, checkAsset } from '../../domain/asset';
import { listOf } from '../../domain/content-form';
import { checkLink, LINK_KINDS, linkText } from '../../domain/link';
import { hasSize, PlaceCheck, sizeSchema, textsIn } from './place-check';

const MOST_ASSETS = 100;
const FILE_KINDS = textsSetting({ most: 20, form: { pattern: /^[a-z][a-z0-9_-]{0,39}$/, words: 'kinds of files, such as image' } });
const LINKED: Setting<readonly string[]> = (value) => {
  const kinds = textsSetting({ most: LINK_KINDS.length })(value);
  if (kinds instanceof SettingFault) return kinds;
  return kinds.every((kind) => LINK_KINDS.some((one) => one === kind))
    ? kinds
    : new SettingFault('option', `must contain only ${LINK_KINDS.join(', ')}`);
};

/** A link to a page, a file, an address or a place of its page. */
export const linkType: FieldType = {
  name: 'link',
  settings: { kinds: LINKED },
  holds: 'nested',
  check(value, field, place) {
    const kinds = textsIn(field, 'kinds');
    return checkLink(value, new PlaceCheck(field, place), kinds ? { kinds } : {});
  },
  fits: (value) => isObject(value) && typeof value.kind === 'string',
  schema: (field) => ({
    type: 'object',
    properties: {
      kind: { enum: [...(textsIn(field, 'kinds') ?? LINK_KINDS)] },
      ref: { type: 'string', format: 'uuid' },
      url: { type: 'string' },
      anchor: { type: 'string' },
      target: { enum: ['_self', '_blank'] },
      title: { type: 'string' },
    },
    required: ['kind'],
    additionalProperties: false,
  }),
  text: linkText,
};

const ASSET_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    file: { type: 'string', format: 'uuid' },
    url: { type: 'string', format: 'uri' },
    alt: { type: 'string' },
    title: { type: 'string' },
    focus: {
      type: 'object',
      properties: { x: { type: 'number', minimum: 0, maximum: 1 }, y: { type: 'number', minimum: 0, maximum: 1 } },
      required: ['x', 'y'],
      additionalProperties: false,
    },
    source: { type: 'string' },
  },
  oneOf: [{ required: ['file'] }, { required: ['url'] }],
  additionalProperties: false,
};

const isAsset = (value: JsonValue): boolean => isObject(value) && Object.keys(value).every((key) => ASSET_KEYS.some((one) => one === key));
const filesOf = (values: readonly JsonValue[]): readonly string[] => values.flatMap((value) => assetFile(value) ?? []);

/** A picture or another file, described. */
export const assetType: FieldType = {
  name: 'asset',
  settings: { kinds: FILE_KINDS, alt_required: flagSetting },
  holds: 'nested',
  isText: true,
  reference: 'file',
  indexed: 'reference',
  check: (value, field, place) => checkAsset(value, new PlaceCheck(field, place), { needsAlt: field.settings.alt_required === true }),
  fits: isAsset,
  schema: () => ASSET_SCHEMA,
  indexKeys: (value) => filesOf([value]).map((reference) => ({ reference })),
  references: (value) => filesOf([value]),
  text: assetText,
  words: assetText,
};

/** Several assets in an order. */
export const assetsType: FieldType = {
  ...assetType,
  name: 'assets',
  settings: { ...assetType.settings, max_items: wholeSetting({ min: 1, max: MOST_ASSETS }) },
  check(value, field, place) {
    if (!Array.isArray(value)) return place.refuse(field, 'type', 'must be a list of assets.');
    const check = new PlaceCheck(field, place);
    const assets = listOf(value);
    if (!hasSize(assets.length, { field, check, most: MOST_ASSETS })) return undefined;
    const checked = assets.map((asset, at) => checkAsset(asset, check, { needsAlt: field.settings.alt_required === true, steps: [at] }));
    return checked.includes(undefined) ? undefined : checked.flatMap((asset) => asset ?? []);
  },
  fits: (value) => Array.isArray(value) && listOf(value).every(isAsset),
  schema: (field) => ({ type: 'array', items: ASSET_SCHEMA, ...sizeSchema(field, MOST_ASSETS) }),
  indexKeys: (value) => filesOf(listOf(value)).map((reference) => ({ reference })),
  references: (value) => filesOf(listOf(value)),
  text: (value) => listOf(value).map(assetText).join('\n'),
  words: (value) => listOf(value).map(assetText).join('\n'),
};
