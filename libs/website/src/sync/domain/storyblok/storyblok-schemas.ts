import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MappedField, MappedSchema, NeutralType, RemoteSchema, SchemaDraft, Unsupported } from '../cms-schema';
import {
  configFields,
  configOf,
  helpOf,
  isSet,
  labelOf,
  mayBeLocalized,
  optionsOf,
  sameJson,
  texts,
  wholeNumber,
  withoutUndefined,
  type ConfigField,
} from '../form-config';
import { fieldKeys, templateKeys } from '../remote-names';

/** The type of a field here, and the keys of its own in the configuration. */
interface Reading {
  readonly type: NeutralType;
  readonly own?: { readonly [key: string]: JsonValue | undefined };
  readonly reason?: string;
}

const KINDS: Readonly<Record<string, string>> = { images: 'image', videos: 'video', audios: 'audio', texts: 'document' };
const MOST_BLOCKS = 200;

/** Names of components that a field may hold, as keys of schemas. */
type Keys = ReadonlyMap<string, string>;

const READINGS: Readonly<Record<string, (field: JsonObject, keys: Keys) => Reading>> = {
  text: (field) => ({ type: 'text', own: { max_length: wholeNumber(field['max_length'], { min: 1, max: 1_000 }) } }),
  textarea: (field) => ({ type: 'long_text', own: { max_length: wholeNumber(field['max_length'], { min: 1, max: 100_000 }) } }),
  markdown: () => ({ type: 'rich_text' }),
  richtext: (field, keys) => ({ type: 'doc', own: { components: componentsOf(field, keys) } }),
  number: () => ({ type: 'number' }),
  datetime: (field) => ({ type: field['disable_time'] === true ? 'date' : 'datetime' }),
  boolean: () => ({ type: 'boolean' }),
  option: (field) => choice(field, { own: 'select', stories: 'page' }),
  options: (field) => choice(field, { own: 'multi_select', stories: 'pages' }),
  asset: (field) => ({ type: 'asset', own: { kinds: kindsOf(field) } }),
  multiasset: (field) => ({ type: 'assets', own: { kinds: kindsOf(field) } }),
  multilink: () => ({ type: 'link' }),
  table: () => ({ type: 'table' }),
  bloks: (field, keys) => ({
    type: 'blocks',
    own: {
      components: componentsOf(field, keys),
      min_items: wholeNumber(field['minimum'], { min: 0, max: MOST_BLOCKS }),
      max_items: wholeNumber(field['maximum'], { min: 1, max: MOST_BLOCKS }),
    },
  }),
  custom: () => ({ type: 'foreign', own: { provider: 'storyblok' } }),
  section: () => ({ type: 'kept' }),
  tab: () => ({ type: 'kept' }),
};

function choice(field: JsonObject, types: { readonly own: NeutralType; readonly stories: NeutralType }): Reading {
  const source = field['source'];
  if (source === 'internal_stories') return { type: types.stories };
  if (source !== undefined && source !== null && source !== '' && source !== 'self')
    return { type: 'foreign', own: { provider: 'storyblok' }, reason: 'Its options come from a source outside the component.' };
  const given = Array.isArray(field['options']) ? (field['options'] as readonly JsonValue[]).filter(isObject) : [];
  const options = optionsOf(given.map(({ value, name }) => ({ value, label: name })));
  if (!options) return { type: 'foreign', own: { provider: 'storyblok' }, reason: 'Its options cannot be options of a field here.' };
  return { type: types.own, own: { options } };
}

function componentsOf(field: JsonObject, keys: Keys): readonly string[] | undefined {
  if (field['restrict_components'] !== true) return undefined;
  const known = texts(field['component_whitelist']).flatMap((name) => keys.get(name) ?? []);
  return known.length > 0 ? known : undefined;
}

const kindsOf = (field: JsonObject): readonly string[] | undefined => {
  const kinds = texts(field['filetypes']).flatMap((name) => KINDS[name] ?? []);
  return kinds.length > 0 ? kinds : undefined;
};

function readingOf(field: JsonObject, keys: Keys): Reading {
  const type = typeof field['type'] === 'string' ? field['type'] : '';
  const read = Object.hasOwn(READINGS, type) ? READINGS[type] : undefined;
  return read?.(field, keys) ?? { type: 'foreign', own: { provider: 'storyblok' }, reason: `The field type ${type} has no equivalent.` };
}

const configField = (key: string, field: JsonObject, keys: Keys): ConfigField => {
  const { type, own = {} } = readingOf(field, keys);
  const isLocalized = mayBeLocalized(type) ? isSet(field['translatable']) : undefined;
  return {
    key,
    type,
    label: labelOf(field['display_name'], key),
    help: helpOf(field['description']),
    required: isSet(field['required']),
    localized: isLocalized,
    ...own,
  };
};

/** Fields in the order in which the editor shows them. */
function orderedFields(schema: JsonValue | undefined): readonly (readonly [string, JsonObject])[] {
  const fields = isObject(schema) ? Object.entries(schema).filter((entry): entry is [string, JsonObject] => isObject(entry[1])) : [];
  const position = (field: JsonObject): number => (typeof field['pos'] === 'number' ? field['pos'] : Infinity);
  return fields.toSorted(([, left], [, right]) => (position(left) === position(right) ? 0 : position(left) - position(right)));
}

const byName = (fields: readonly MappedField[]): ReadonlyMap<string, string> => new Map(fields.map(({ remote, key }) => [remote, key]));

/** Components as content schemas; those that are known keep their keys. */
export function toStoryblokSchemas(remote: readonly RemoteSchema[], known: readonly MappedSchema[]): readonly MappedSchema[] {
  const keys = templateKeys(
    remote.map(({ name }) => name),
    new Map(known.map((schema) => [schema.remote.name, schema.tpl_key])),
  );
  const before = new Map(known.map((schema) => [schema.remote.name, schema]));
  return remote.map((schema) => toSchema(schema, keys, before.get(schema.name)));
}

function toSchema(remote: RemoteSchema, keys: Keys, before: MappedSchema | undefined): MappedSchema {
  const { raw } = remote;
  const declared = orderedFields(raw['schema']);
  const names = fieldKeys(
    declared.map(([name]) => name),
    byName(before?.fields ?? []),
  );
  const fields: MappedField[] = [];
  const config: ConfigField[] = [];
  const unsupported: Unsupported[] = [];
  for (const [name, field] of declared) {
    const key = names.get(name) ?? name;
    const { type, reason } = readingOf(field, keys);
    const localized = mayBeLocalized(type) && field['translatable'] === true;
    fields.push({ key, remote: name, type, localized, raw: field });
    if (reason !== undefined) unsupported.push({ path: name, reason });
    if (type === 'blocks' && field['translatable'] === true) unsupported.push({ path: name, reason: 'Blocks cannot differ by language.' });
    if (type !== 'kept') config.push(configField(key, field, keys));
  }
  return {
    tpl_key: keys.get(remote.name) ?? remote.name,
    tpl_name: labelOf(raw['display_name'], remote.name),
    tpl_kind: raw['is_root'] !== true ? 'block' : raw['is_nestable'] === true ? 'both' : 'page',
    tpl_config: configOf(config),
    remote,
    fields,
    unsupported,
  };
}

const WRITINGS: Readonly<Record<string, (field: ConfigField) => JsonObject>> = {
  text: ({ max_length }) => withoutUndefined({ type: 'text', max_length }),
  long_text: ({ max_length }) => withoutUndefined({ type: 'textarea', max_length }),
  rich_text: () => ({ type: 'markdown' }),
  doc: (field) => ({ type: 'richtext', ...whitelist(field) }),
  number: () => ({ type: 'number' }),
  integer: () => ({ type: 'number', decimals: 0 }),
  datetime: () => ({ type: 'datetime' }),
  date: () => ({ type: 'datetime', disable_time: true }),
  boolean: () => ({ type: 'boolean' }),
  select: (field) => ({ type: 'option', ...optionsFor(field) }),
  multi_select: (field) => ({ type: 'options', ...optionsFor(field) }),
  page: () => ({ type: 'option', source: 'internal_stories' }),
  pages: () => ({ type: 'options', source: 'internal_stories' }),
  asset: (field) => ({ type: 'asset', ...filetypes(field) }),
  assets: (field) => ({ type: 'multiasset', ...filetypes(field) }),
  link: () => ({ type: 'multilink', email_link_type: true, asset_link_type: true }),
  table: () => ({ type: 'table' }),
  blocks: (field) => withoutUndefined({ type: 'bloks', minimum: field['min_items'], maximum: field['max_items'], ...whitelist(field) }),
};

const whitelist = ({ components }: ConfigField): JsonObject =>
  Array.isArray(components) ? { restrict_components: true, component_whitelist: components } : {};

const optionsFor = ({ options }: ConfigField): JsonObject => ({
  options: Array.isArray(options)
    ? (options as readonly JsonValue[]).filter(isObject).map(({ value, label }) => ({ value: value ?? '', name: label ?? value ?? '' }))
    : [],
});

const filetypes = ({ kinds }: ConfigField): JsonObject => {
  const names = Object.entries(KINDS).flatMap(([name, kind]) => (texts(kinds).includes(kind) ? [name] : []));
  return names.length > 0 ? { filetypes: names } : {};
};

/** Keys of a declaration that come from the configuration; all others stay as the CMS has them. */
const DERIVED = ['type', 'max_length', 'decimals', 'disable_time', 'options', 'source', 'filetypes', 'minimum', 'maximum', 'restrict_components', 'component_whitelist']; // prettier-ignore

/** The component to send: every field that is declared alike on both sides is sent as the CMS has it. */
export function toStoryblokComponent(
  draft: SchemaDraft,
  known: MappedSchema | null,
  names: Keys,
): { readonly raw: JsonObject; readonly unsupported: readonly Unsupported[] } {
  const unsupported: Unsupported[] = [];
  const wanted = configFields(draft.tpl_config);
  const before = known ? configFields(known.tpl_config) : [];
  const schema: Record<string, JsonValue> = {};
  for (const field of known?.fields ?? [])
    if (field.type === 'kept' || wanted.some(({ key }) => key === field.key)) schema[field.remote] = field.raw;
  wanted.forEach((field, at) => {
    const mapped = known?.fields.find(({ key }) => key === field.key);
    if (
      mapped &&
      sameJson(
        field,
        before.find(({ key }) => key === field.key),
      )
    )
      return;
    const write = Object.hasOwn(WRITINGS, field.type) ? WRITINGS[field.type] : undefined;
    if (!write) return void unsupported.push({ path: field.key, reason: `Storyblok has no field type for ${field.type}.` });
    schema[mapped?.remote ?? field.key] = declaration(field, renamed(write(field), names), { before: mapped?.raw, at });
  });
  const facts = known ? changedFacts(draft, known) : factsOf(draft);
  return { raw: { ...known?.remote.raw, ...facts, schema }, unsupported };
}

function declaration(
  field: ConfigField,
  own: JsonObject,
  { before, at }: { readonly before: JsonObject | undefined; readonly at: number },
): JsonObject {
  const kept = Object.fromEntries(Object.entries(before ?? { pos: at }).filter(([key]) => !DERIVED.includes(key)));
  const facts = {
    display_name: field.label === field.key && before?.['display_name'] === undefined ? undefined : field.label,
    description: field.help ?? (before?.['description'] === undefined ? undefined : ''),
    required: field.required ?? (before?.['required'] === undefined ? undefined : false),
    translatable: field.localized ?? (before?.['translatable'] === undefined ? undefined : false),
  };
  return { ...kept, ...own, ...withoutUndefined(facts) };
}

/** Keys of schemas as the names of their components. */
const renamed = (own: JsonObject, names: Keys): JsonObject =>
  own['component_whitelist'] === undefined
    ? own
    : { ...own, component_whitelist: texts(own['component_whitelist']).map((key) => names.get(key) ?? key) };

const rootFacts = (tpl_kind: SchemaDraft['tpl_kind']): JsonObject => ({ is_root: tpl_kind !== 'block', is_nestable: tpl_kind !== 'page' });
const factsOf = ({ tpl_key, tpl_name, tpl_kind }: SchemaDraft): JsonObject => ({
  name: tpl_key,
  display_name: tpl_name === tpl_key ? null : tpl_name,
  ...rootFacts(tpl_kind),
});
const changedFacts = (draft: SchemaDraft, known: MappedSchema): JsonObject => ({
  ...(draft.tpl_name === known.tpl_name ? {} : { display_name: draft.tpl_name }),
  ...(draft.tpl_kind === known.tpl_kind ? {} : rootFacts(draft.tpl_kind)),
});
