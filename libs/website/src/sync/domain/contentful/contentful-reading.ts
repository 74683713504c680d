import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MappedDocument, MappingContext, RemotePage } from '../cms-port';
import type { MappedField } from '../cms-schema';
import { textOf, withoutUndefined } from '../form-config';
import type { PageDocument } from '../../../content/domain/page-document';
import { DEEPEST_BLOCK, PageReading, UNNAMED_ROOT } from '../page-reading';
import { pageTypesOf, type PageType } from './contentful-settings';
import { toDoc } from './contentful-text';

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

/** The id that a link names; undefined where it is none of the kind. */
export function linkedId(value: JsonValue | undefined, linkType: 'Entry' | 'Asset'): string | undefined {
  const sys = objectOf(objectOf(value)['sys']);
  return sys['type'] === 'Link' && sys['linkType'] === linkType && textOf(sys['id']) !== '' ? textOf(sys['id']) : undefined;
}
export const linkTo = (linkType: 'Entry' | 'Asset', id: string): JsonObject => ({ sys: { type: 'Link', linkType, id } });

export const entryId = (entry: JsonObject): string => textOf(objectOf(entry['sys'])['id']);
const typeOfEntry = (entry: JsonObject): string => textOf(objectOf(objectOf(objectOf(entry['sys'])['contentType'])['sys'])['id']);

export const defaultCode = ({ locales, default_locale }: MappingContext): string => locales[default_locale] ?? default_locale;
export const otherLocales = ({ locales, default_locale }: MappingContext): readonly (readonly [string, string])[] =>
  Object.entries(locales).filter(([locale]) => locale !== default_locale);
export const valueIn = (fields: JsonObject, name: string, code: string): JsonValue | undefined => objectOf(fields[name])[code];

/** An entry with its blocks as a page document. */
export function toContentfulDocument(page: RemotePage, context: MappingContext): MappedDocument {
  const { document, reading } = readEntry(page, context);
  return { document, unsupported: reading.unsupported };
}

/** A page as it was read, with what its blocks came from. */
export interface ReadEntry {
  readonly document: PageDocument;
  readonly reading: PageReading;
}

export function readEntry(page: RemotePage, context: MappingContext): ReadEntry {
  const entry = objectOf(page.raw['entry']);
  const reading = new PageReading();
  const content = new EntryReader(reading, page.raw, context).readBlock(entry, 'fields', 0) ?? {};
  const type = pageTypesOf(context.settings).find(({ id }) => id === typeOfEntry(entry));
  const document: PageDocument = {
    name: page.name,
    slugs: type ? slugsOf(objectOf(entry['fields']), type, context) : {},
    parent: page.parent,
    template: textOf(content['component']),
    kind: 'page',
    content,
    overlays: reading.overlays,
    seo: {},
    order: null,
  };
  return { document, reading };
}

/** Without a link to the page above, the slug is a path, and its last segment the slug of the page. */
function slugsOf(fields: JsonObject, type: PageType, context: MappingContext): Readonly<Record<string, string>> {
  const slugs: Record<string, string> = {};
  for (const [locale, code] of Object.entries(context.locales)) {
    const given = valueIn(fields, type.slug, code);
    if (typeof given !== 'string') continue;
    const path = given.replace(/^\/|\/$/g, '');
    slugs[locale] = path.split('/').at(-1) ?? '';
  }
  return slugs;
}

/** Reads an entry and the entries that are blocks of it. */
class EntryReader {
  private readonly seen = new Set<string>();

  constructor(
    private readonly reading: PageReading,
    private readonly raw: JsonObject,
    private readonly context: MappingContext,
  ) {}

  readBlock(entry: JsonObject, place: string, depth: number): JsonObject | undefined {
    const [id, name] = [entryId(entry), typeOfEntry(entry)];
    const schema = this.context.schemas.findByName(name);
    if (!schema) return this.reading.refuse(place, `The content type ${name} is not in the library of the site. Pull the schemas first.`);
    if (this.seen.has(id)) return this.reading.refuse(place, `The entry ${id} is used twice in the page.`);
    if (depth > DEEPEST_BLOCK) return this.reading.refuse(place, 'Its blocks are nested too deeply.');
    this.seen.add(id);
    const uid = depth === 0 ? UNNAMED_ROOT : this.reading.claim(id, `entry:${id}`);
    const neutral: Record<string, JsonValue> = { _uid: uid, component: schema.tpl_key };
    const fields = objectOf(entry['fields']);
    for (const field of schema.fields) {
      const value = this.readValue(valueIn(fields, field.remote, defaultCode(this.context)), field, {
        place: `${place}.${field.remote}`,
        depth,
      });
      if (value !== undefined) neutral[field.key] = value;
      if (field.localized) this.readTranslations(fields, field, { uid, place, depth });
    }
    this.reading.blocks.set(uid, { raw: entry, schema, neutral });
    return neutral;
  }

  private readTranslations(
    fields: JsonObject,
    field: MappedField,
    { uid, place, depth }: { readonly uid: string; readonly place: string; readonly depth: number },
  ): void {
    for (const [locale, code] of otherLocales(this.context)) {
      const value = this.readValue(valueIn(fields, field.remote, code), field, { place: `${place}.${field.remote}.${code}`, depth });
      if (value !== undefined) this.reading.addOverlay(locale, `${uid}.${field.key}`, value);
    }
  }

  private readValue(
    value: JsonValue | undefined,
    field: MappedField,
    { place, depth }: { readonly place: string; readonly depth: number },
  ): JsonValue | undefined {
    if (value === undefined || value === null) return undefined;
    if (field.type === 'blocks') return this.readBlocks(value, place, depth);
    if (field.type === 'doc') return isObject(value) ? this.readText(value, place, depth) : undefined;
    return READERS[field.type]?.(value, (id) => this.readAsset(id));
  }

  private readBlocks(value: JsonValue, place: string, depth: number): JsonValue | undefined {
    const links = Array.isArray(value) ? listOf(value) : [value];
    const blocks = links
      .map((link, at) => this.readLinked(linkedId(link, 'Entry'), `${place}[${at}]`, depth))
      .filter((block) => block !== undefined);
    return blocks.length > 0 ? blocks : undefined;
  }

  private readLinked(id: string | undefined, place: string, depth: number): JsonObject | undefined {
    const entry = id === undefined ? undefined : objectOf(this.raw['blocks'])[id];
    return isObject(entry) ? this.readBlock(entry, place, depth + 1) : undefined;
  }

  private readText(value: JsonObject, place: string, depth: number): JsonObject {
    return toDoc(value, { readBlock: (id, at) => this.readLinked(id, at, depth), readAsset: (id) => this.readAsset(id) }, place);
  }

  private readAsset(id: string): JsonObject | undefined {
    const fields = objectOf(objectOf(objectOf(this.raw['assets'])[id])['fields']);
    const code = defaultCode(this.context);
    const url = textOf(objectOf(valueIn(fields, 'file', code))['url']);
    if (url === '') return undefined;
    return withoutUndefined({
      url: url.startsWith('//') ? `https:${url}` : url,
      alt: textOf(valueIn(fields, 'description', code)) || undefined,
      title: textOf(valueIn(fields, 'title', code)) || undefined,
      source: id,
    });
  }
}

type ReadAsset = (id: string) => JsonObject | undefined;
const scalar =
  (type: 'string' | 'number' | 'boolean') =>
  (value: JsonValue): JsonValue | undefined =>
    typeof value === type && value !== '' ? value : undefined;
const someOf = (values: readonly (JsonValue | undefined)[]): JsonValue | undefined => {
  const found = values.filter((one) => one !== undefined);
  return found.length > 0 ? found : undefined;
};
const moment = (value: JsonValue): JsonValue | undefined => {
  const at = Date.parse(textOf(value).slice(0, 40));
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
};

const READERS: Readonly<Record<string, (value: JsonValue, readAsset: ReadAsset) => JsonValue | undefined>> = {
  text: scalar('string'),
  long_text: scalar('string'),
  rich_text: scalar('string'),
  select: scalar('string'),
  number: scalar('number'),
  integer: scalar('number'),
  boolean: scalar('boolean'),
  datetime: moment,
  date: (value) => textOf(value).slice(0, 10) || undefined,
  json: (value) => value,
  foreign: (value) => value,
  multi_select: (value) => someOf(listOf(value)),
  tags: (value) => someOf(listOf(value)),
  page: (value) => linkedId(value, 'Entry'),
  pages: (value) => someOf(listOf(value).map((link) => linkedId(link, 'Entry'))),
  asset: (value, readAsset) => readAsset(linkedId(value, 'Asset') ?? ''),
  assets: (value, readAsset) => someOf(listOf(value).map((link) => readAsset(linkedId(link, 'Asset') ?? ''))),
};
