import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MappingContext, RemoteDraft, RemotePage } from '../cms-port';
import { CmsProblem } from '../cms-problem';
import type { MappedField, MappedSchema } from '../cms-schema';
import { blocksInDoc, textAlone } from '../doc-blocks';
import { sameJson, textOf } from '../form-config';
import type { PageDocument } from '../../../content/domain/page-document';
import { DEEPEST_BLOCK } from '../page-reading';
import { defaultCode, entryId, linkTo, otherLocales, readEntry, valueIn, type ReadEntry } from './contentful-reading';
import { pageTypesOf, type PageType } from './contentful-settings';
import { fromDoc } from './contentful-text';

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

const assetLink = (value: JsonValue): JsonValue | undefined => {
  const source = textOf(objectOf(value)['source']);
  return source === '' ? undefined : linkTo('Asset', source);
};
/** What is sent of a value; undefined where Contentful has no place for it. */
const WRITERS: Readonly<Record<string, (value: JsonValue) => JsonValue | undefined>> = {
  page: (value) => linkTo('Entry', textOf(value)),
  pages: (value) => listOf(value).map((id) => linkTo('Entry', textOf(id))),
  asset: assetLink,
  assets: (value) => {
    const links = listOf(value).map(assetLink);
    return links.includes(undefined) ? undefined : (links as readonly JsonValue[]);
  },
  ...Object.fromEntries(
    [
      'text',
      'long_text',
      'rich_text',
      'select',
      'number',
      'integer',
      'boolean',
      'datetime',
      'date',
      'json',
      'foreign',
      'multi_select',
      'tags',
    ].map((type) => [type, (value: JsonValue): JsonValue => value]),
  ),
};

/** The entries to send, children before their parents. Those that are as they were are left out. */
export function toContentfulEntries(document: PageDocument, seen: RemotePage | null, context: MappingContext): RemoteDraft {
  const before = seen ? readEntry(seen, context) : null;
  const writer = new EntryWriter(document, before, context);
  const root = writer.writePage(objectOf(seen?.raw['entry']));
  const left = [...(before?.reading.blocks.values() ?? [])].map(({ raw }) => entryId(raw)).filter((id) => !writer.kept.has(id));
  return { raw: { entry: root, blocks: writer.blocks, ...writer.moved }, left: left.filter((id) => id !== seen?.external_id) };
}

/** Writes entries over those that were read: fields that are equal are sent as they were. */
class EntryWriter {
  readonly blocks: JsonObject[] = [];
  readonly kept = new Set<string>();
  moved: JsonObject = {};

  constructor(
    private readonly document: PageDocument,
    private readonly before: ReadEntry | null,
    private readonly context: MappingContext,
  ) {}

  writePage(old: JsonObject): JsonObject {
    const schema = this.schemaOf(this.document.content);
    const type = pageTypesOf(this.context.settings).find(({ id }) => id === schema.remote.name);
    if (!type) throw unsupported(schema.tpl_key, `The content type ${schema.remote.name} is not one of pages.`);
    const fields = { ...this.writeFields(this.document.content, schema, 0) };
    const isMoved = this.document.parent !== (this.before?.document.parent ?? null);
    if (!sameJson(this.document.slugs, this.before?.document.slugs) || isMoved) this.moveTo(fields, type, isMoved);
    this.writeName(fields, type);
    const isSame = sameJson(fields, objectOf(old['fields'])) && this.before !== null && this.moved['path'] === undefined;
    return { id: this.before ? entryId(old) : null, contentType: schema.remote.name, fields, isSame };
  }

  /** A page that is created without a title has its name as title. */
  private writeName(fields: Record<string, JsonValue>, { title }: PageType): void {
    const code = defaultCode(this.context);
    if (title === null || this.before !== null || valueIn(fields, title, code) !== undefined) return;
    fields[title] = { ...objectOf(fields[title]), [code]: this.document.name };
  }

  private moveTo(fields: Record<string, JsonValue>, type: PageType, isMoved: boolean): void {
    const { parent, slugs } = this.document;
    const named = Object.entries(slugs).flatMap(([locale, slug]) => {
      const code = this.context.locales[locale];
      return code === undefined ? [] : [[code, slug] as const];
    });
    if (type.parent === null) {
      // The adapter puts the path of the page above before them.
      this.moved = { path: { field: type.slug, slugs: Object.fromEntries(named), parent } };
      return;
    }
    fields[type.slug] = { ...objectOf(fields[type.slug]), ...Object.fromEntries(named) };
    if (isMoved && parent !== null) fields[type.parent] = { [defaultCode(this.context)]: linkTo('Entry', parent) };
    if (isMoved && parent === null) Reflect.deleteProperty(fields, type.parent);
  }

  private writeFields(neutral: JsonObject, schema: MappedSchema, depth: number): Record<string, JsonValue> {
    const uid = textOf(neutral['_uid']);
    if (depth > DEEPEST_BLOCK) throw unsupported(uid, 'Its blocks are nested too deeply.');
    const known = this.before?.reading.blocks.get(uid);
    const seen = known?.schema === schema ? known : undefined;
    const fields: Record<string, JsonValue> = { ...objectOf(seen?.raw['fields']) };
    for (const field of schema.fields) {
      if (field.type === 'kept') continue;
      const values: Record<string, JsonValue> = { ...objectOf(fields[field.remote]) };
      this.writeValue(values, field, { code: defaultCode(this.context), value: neutral[field.key], old: seen?.neutral[field.key], depth });
      if (field.localized)
        for (const [locale, code] of otherLocales(this.context)) {
          const path = `${uid}.${field.key}`;
          const [value, old] = [this.document.overlays[locale]?.[path], this.before?.document.overlays[locale]?.[path]];
          this.writeValue(values, field, { code, value, old, depth });
        }
      if (Object.keys(values).length > 0) fields[field.remote] = values;
      else if (Object.keys(objectOf(fields[field.remote])).length > 0) Reflect.deleteProperty(fields, field.remote);
    }
    return fields;
  }

  private writeValue(
    values: Record<string, JsonValue>,
    field: MappedField,
    {
      code,
      value,
      old,
      depth,
    }: { readonly code: string; readonly value: JsonValue | undefined; readonly old: JsonValue | undefined; readonly depth: number },
  ): void {
    const raw = values[code];
    for (const block of blocksIn(value, field)) this.writeBlock(block, depth + 1);
    if (sameBlocks(value, old, field)) return;
    if (value === undefined) {
      Reflect.deleteProperty(values, code);
    } else if (field.type === 'blocks') {
      const links = listOf(value).map((block) => linkTo('Entry', this.idOf(objectOf(block))));
      values[code] = field.raw['type'] === 'Array' ? links : (links[0] ?? null);
    } else if (field.type === 'doc') {
      const text = fromDoc(objectOf(value), { raw, neutral: old });
      if (typeof text === 'string') throw unsupported(field.key, text);
      values[code] = text;
    } else {
      const written = WRITERS[field.type]?.(value);
      if (written === undefined) throw unsupported(field.key, `The value of ${field.key} has no place at Contentful.`);
      values[code] = written;
    }
  }

  private writeBlock(block: JsonObject, depth: number): void {
    const schema = this.schemaOf(block);
    const id = this.idOf(block);
    const known = this.before?.reading.blocks.get(textOf(block['_uid']));
    const fields = this.writeFields(block, schema, depth);
    this.kept.add(id);
    if (known?.schema === schema && sameJson(fields, objectOf(known.raw['fields']))) return;
    if (known && known.schema !== schema) throw unsupported(id, 'The content type of an entry cannot change.');
    this.blocks.push({ id, contentType: schema.remote.name, fields, isNew: known === undefined });
  }

  /** A block made here becomes the entry of its identity. */
  private idOf(block: JsonObject): string {
    const uid = textOf(block['_uid']);
    const known = this.before?.reading.blocks.get(uid);
    return known ? entryId(known.raw) : uid;
  }

  private schemaOf({ component }: JsonObject): MappedSchema {
    const schema = this.context.schemas.findByKey(textOf(component));
    if (!schema)
      throw unsupported(textOf(component), `The content type ${textOf(component)} does not exist at the CMS. Push the schemas first.`);
    return schema;
  }
}

/** Blocks of a value, those in texts among them. */
function blocksIn(value: JsonValue | undefined, { type }: MappedField): readonly JsonObject[] {
  if (type === 'blocks') return listOf(value).filter(isObject);
  return type === 'doc' ? blocksInDoc(value) : [];
}

/** Whether a field is sent as it was: lists of blocks are links, whatever is in the blocks. */
function sameBlocks(value: JsonValue | undefined, old: JsonValue | undefined, { type }: MappedField): boolean {
  if (type === 'doc') return sameJson(textAlone(value), textAlone(old));
  if (type !== 'blocks') return sameJson(value, old);
  const uids = (blocks: JsonValue | undefined): readonly JsonValue[] => listOf(blocks).map((block) => objectOf(block)['_uid'] ?? null);
  return sameJson(uids(value), uids(old));
}

const unsupported = (field: string, detail: string): CmsProblem => new CmsProblem('unsupported_field', detail, { field });
