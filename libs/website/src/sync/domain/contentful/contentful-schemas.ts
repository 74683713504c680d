import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { RemoteSchemaDraft } from '../cms-port';
import type { MappedField, MappedSchema, NeutralType, RemoteSchema, SchemaBook, SchemaDraft, Unsupported } from '../cms-schema';
import {
  configFields,
  configOf,
  isSet,
  labelOf,
  mayBeLocalized,
  optionsOf,
  sameJson,
  textOf,
  texts,
  wholeNumber,
  withoutUndefined,
  type ConfigField,
} from '../form-config';
import { fieldKeys, templateKeys } from '../remote-names';
import { pageTypesOf, type PageType } from './contentful-settings';

interface Reading {
  readonly type: NeutralType;
  readonly own?: { readonly [key: string]: JsonValue | undefined };
  readonly reason?: string;
}

/** What a field is read by: keys of the schemas, the types that are pages, and what is said about its own type. */
interface Surroundings {
  readonly keys: ReadonlyMap<string, string>;
  readonly pages: ReadonlySet<string>;
  readonly own: PageType | undefined;
}

const MOST_FIELDS = 50;
const FOREIGN = { provider: 'contentful' } as const;

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];

/** The value of one rule of a field, of all its validations. */
const ruleOf = (field: JsonObject, name: string): JsonValue | undefined =>
  listOf(field['validations']).find((rule) => name in rule)?.[name];

const READINGS: Readonly<Record<string, (field: JsonObject, around: Surroundings) => Reading>> = {
  Symbol: symbol,
  Text: (field) => ({ type: field['widget'] === 'markdown' ? 'rich_text' : 'long_text' }),
  RichText: () => ({ type: 'doc' }),
  Integer: () => ({ type: 'integer' }),
  Number: () => ({ type: 'number' }),
  Boolean: () => ({ type: 'boolean' }),
  Date: () => ({ type: 'datetime' }),
  Location: () => ({ type: 'foreign', own: FOREIGN, reason: 'A location has no equivalent.' }),
  Object: () => ({ type: 'json' }),
  Link: (field, around) => (field['linkType'] === 'Asset' ? { type: 'asset' } : entries(field, around, { most: 1, page: 'page', field })),
  Array: list,
};

function symbol(field: JsonObject): Reading {
  const options = optionsOf(texts(ruleOf(field, 'in')).map((value) => ({ value, label: value })));
  if (options) return { type: 'select', own: { options } };
  const size = ruleOf(field, 'size');
  return { type: 'text', own: { max_length: isObject(size) ? wholeNumber(size['max'], { min: 1, max: 1_000 }) : undefined } };
}

function list(field: JsonObject, around: Surroundings): Reading {
  const items = isObject(field['items']) ? field['items'] : {};
  if (items['type'] === 'Symbol') {
    const options = optionsOf(texts(ruleOf(items, 'in')).map((value) => ({ value, label: value })));
    return options ? { type: 'multi_select', own: { options } } : { type: 'tags' };
  }
  if (items['linkType'] === 'Asset') return { type: 'assets' };
  const size = ruleOf(field, 'size');
  return entries(items, around, {
    most: isObject(size) ? wholeNumber(size['max'], { min: 1, max: 200 }) : undefined,
    page: 'pages',
    field,
  });
}

/** Entries are pages where all types that may be linked are, or where nothing says that they are blocks. */
function entries(
  link: JsonObject,
  { keys, pages, own }: Surroundings,
  { most, page, field }: { readonly most: number | undefined; readonly page: NeutralType; readonly field: JsonObject },
): Reading {
  const types = texts(ruleOf(link, 'linkContentType'));
  const isBlocks = types.length > 0 ? types.some((type) => !pages.has(type)) : (own?.blocks.includes(textOf(field['id'])) ?? false);
  if (!isBlocks) return { type: page };
  const components = types.flatMap((type) => keys.get(type) ?? []);
  return { type: 'blocks', own: { components: components.length > 0 ? components : undefined, max_items: most } };
}

function readingOf(field: JsonObject, around: Surroundings): Reading {
  const [id, type] = [field['id'], textOf(field['type'])];
  // The address is an attribute of the page, no content of it.
  if (around.own && (id === around.own.slug || id === around.own.parent)) return { type: 'kept' };
  if (field['omitted'] === true) return { type: 'kept' };
  const read = Object.hasOwn(READINGS, type) ? READINGS[type] : undefined;
  return read?.(field, around) ?? { type: 'foreign', own: FOREIGN, reason: `The field type ${type} has no equivalent.` };
}

const configField = (key: string, field: JsonObject, { type, own = {} }: Reading): ConfigField => ({
  key,
  type,
  label: labelOf(field['name'], key),
  required: isSet(field['required']),
  localized: mayBeLocalized(type) ? isSet(field['localized']) : undefined,
  ...own,
});

/** Content types as content schemas; those that are known keep their keys. */
export function toContentfulSchemas(
  remote: readonly RemoteSchema[],
  known: readonly MappedSchema[],
  settings: JsonObject,
): readonly MappedSchema[] {
  const pageTypes = pageTypesOf(settings);
  const keys = templateKeys(
    remote.map(({ name }) => name),
    new Map(known.map((schema) => [schema.remote.name, schema.tpl_key])),
  );
  const pages = new Set(pageTypes.map(({ id }) => id));
  return remote.map((schema) => {
    const own = pageTypes.find(({ id }) => id === schema.name);
    const before = known.find(({ remote: { name } }) => name === schema.name);
    return toSchema(schema, { keys, pages, own }, before);
  });
}

function toSchema(remote: RemoteSchema, around: Surroundings, before: MappedSchema | undefined): MappedSchema {
  const declared = listOf(remote.raw['fields']).filter(({ id }) => textOf(id) !== '');
  const names = fieldKeys(
    declared.map(({ id }) => textOf(id)),
    new Map((before?.fields ?? []).map(({ remote: name, key }) => [name, key])),
  );
  const fields: MappedField[] = [];
  const config: ConfigField[] = [];
  const unsupported: Unsupported[] = [];
  for (const field of declared) {
    const name = textOf(field['id']);
    const key = names.get(name) ?? name;
    const reading = readingOf(field, around);
    fields.push({
      key,
      remote: name,
      type: reading.type,
      localized: mayBeLocalized(reading.type) && field['localized'] === true,
      raw: field,
    });
    if (reading.reason !== undefined) unsupported.push({ path: name, reason: reading.reason });
    if (reading.type === 'blocks' && field['localized'] === true)
      unsupported.push({ path: name, reason: 'Blocks cannot differ by language.' });
    if (reading.type !== 'kept') config.push(configField(key, field, reading));
  }
  return {
    tpl_key: around.keys.get(remote.name) ?? remote.name,
    tpl_name: labelOf(remote.raw['name'], remote.name),
    tpl_kind: around.own ? 'page' : 'block',
    tpl_config: configOf(config),
    remote,
    fields,
    unsupported,
  };
}

const entryLink = (types: readonly string[]): JsonObject => ({
  type: 'Link',
  linkType: 'Entry',
  ...(types.length > 0 ? { validations: [{ linkContentType: types }] } : {}),
});
const among = (field: ConfigField): readonly JsonObject[] => [{ in: listOf(field['options']).map(({ value }) => value ?? '') }];

const WRITINGS: Readonly<Record<string, (field: ConfigField, book: SchemaBook) => JsonObject>> = {
  text: ({ max_length }) => ({ type: 'Symbol', ...(max_length === undefined ? {} : { validations: [{ size: { max: max_length } }] }) }),
  long_text: () => ({ type: 'Text' }),
  rich_text: () => ({ type: 'Text', widget: 'markdown' }),
  doc: () => ({ type: 'RichText' }),
  integer: () => ({ type: 'Integer' }),
  number: () => ({ type: 'Number' }),
  boolean: () => ({ type: 'Boolean' }),
  datetime: () => ({ type: 'Date' }),
  date: () => ({ type: 'Date' }),
  json: () => ({ type: 'Object' }),
  select: (field) => ({ type: 'Symbol', validations: among(field) }),
  multi_select: (field) => ({ type: 'Array', items: { type: 'Symbol', validations: among(field) } }),
  tags: () => ({ type: 'Array', items: { type: 'Symbol' } }),
  asset: () => ({ type: 'Link', linkType: 'Asset' }),
  assets: () => ({ type: 'Array', items: { type: 'Link', linkType: 'Asset' } }),
  page: (_field, book) => entryLink(pageNames(book)),
  pages: (_field, book) => ({ type: 'Array', items: entryLink(pageNames(book)) }),
  blocks: (field, book) => ({
    type: 'Array',
    items: entryLink(texts(field['components']).map((key) => book.findByKey(key)?.remote.name ?? key)),
  }),
};

const pageNames = ({ schemas }: SchemaBook): readonly string[] =>
  schemas.filter(({ tpl_kind }) => tpl_kind !== 'block').map(({ remote }) => remote.name);

/** Members of a declaration that come from the configuration; all others stay as the CMS has them. */
const DERIVED = ['type', 'linkType', 'items', 'validations', 'widget'];

/** The content type to send: every field that is declared alike on both sides is sent as the CMS has it; gone ones are omitted. */
export function toContentType(draft: SchemaDraft, book: SchemaBook): RemoteSchemaDraft {
  const known = book.findByKey(draft.tpl_key);
  const unsupported: Unsupported[] = [];
  const wanted = configFields(draft.tpl_config);
  const before = known ? configFields(known.tpl_config) : [];
  const kept = (known?.fields ?? []).map((field): JsonObject => {
    const now = wanted.find(({ key }) => key === field.key);
    if (
      field.type === 'kept' ||
      sameJson(
        now,
        before.find(({ key }) => key === field.key),
      )
    )
      return field.raw;
    if (!now) return { ...field.raw, omitted: true };
    return declared(now, field.raw, { book, unsupported });
  });
  const added = wanted
    .filter(({ key }) => !known?.fields.some((field) => field.key === key))
    .map((field) => declared(field, null, { book, unsupported }));
  const fields = [...kept, ...added].filter(({ id }) => id !== undefined);
  if (fields.length > MOST_FIELDS) unsupported.push({ path: draft.tpl_key, reason: `A content type has at most ${MOST_FIELDS} fields.` });
  const raw = {
    ...(known?.remote.raw ?? { id: draft.tpl_key }),
    ...(known?.tpl_name === draft.tpl_name ? {} : { name: draft.tpl_name }),
    ...(known ? {} : withoutUndefined({ displayField: added.find(({ type }) => type === 'Symbol')?.['id'] })),
    fields: fields.slice(0, MOST_FIELDS),
  };
  return { raw, unsupported };
}

/** One field of a content type; without an id where Contentful has no type for it. */
function declared(
  field: ConfigField,
  before: JsonObject | null,
  { book, unsupported }: { readonly book: SchemaBook; readonly unsupported: Unsupported[] },
): JsonObject {
  const write = Object.hasOwn(WRITINGS, field.type) ? WRITINGS[field.type] : undefined;
  if (!write) {
    unsupported.push({ path: field.key, reason: `Contentful has no field type for ${field.type}.` });
    return before ?? {};
  }
  const written = write(field, book);
  const isSameType = before !== null && before['type'] === written['type'];
  const rest = Object.fromEntries(Object.entries(before ?? {}).filter(([key]) => !DERIVED.includes(key)));
  return {
    ...rest,
    id: before?.['id'] ?? field.key,
    name: field.label,
    required: field.required ?? false,
    localized: field.localized ?? false,
    // Rules that have no equivalent here are those of the CMS.
    ...(isSameType && before['validations'] !== undefined ? { validations: before['validations'] } : {}),
    ...written,
  };
}
