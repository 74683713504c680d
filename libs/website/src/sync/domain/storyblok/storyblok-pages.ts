import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import type { MappedDocument, MappingContext, RemoteDraft, RemotePage } from '../cms-port';
import { CmsProblem } from '../cms-problem';
import type { MappedField, MappedSchema } from '../cms-schema';
import { sameJson, textOf } from '../form-config';
import type { PageDocument } from '../../../content/domain/page-document';
import { DEEPEST_BLOCK, PageReading } from '../page-reading';
import { fromDoc, toDoc } from './storyblok-text';
import { STORYBLOK_VALUES } from './storyblok-values';

/** How Storyblok names the language that has no code. */
export const DEFAULT_LANGUAGE = '[default]';
const HOME_SLUG = 'home';

/** The attribute that holds a value of another language. */
const translatedKey = (key: string, language: string): string => `${key}__i18n__${language.replaceAll('-', '_')}`;
const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);

const homeSlugOf = ({ homeSlug }: JsonObject): string => (typeof homeSlug === 'string' && homeSlug !== '' ? homeSlug : HOME_SLUG);

/** Languages other than the default one: locale of the site and code at the CMS. */
const otherLanguages = ({ locales, default_locale }: MappingContext): readonly (readonly [string, string])[] =>
  Object.entries(locales).filter(([locale]) => locale !== default_locale);

/** A story as a page document. */
export function toStoryblokDocument(page: RemotePage, context: MappingContext): MappedDocument {
  const { document, reading } = readStory(page, context);
  return { document, unsupported: reading.unsupported };
}

function readStory(page: RemotePage, context: MappingContext): { readonly document: PageDocument; readonly reading: PageReading } {
  const story = storyOf(page.raw);
  const reading = new PageReading();
  const isFolder = story['is_folder'] === true;
  const content = isFolder ? {} : (new StoryReader(reading, context).readBlock(story['content'] ?? null, 'content', 0) ?? {});
  const document = {
    name: typeof story['name'] === 'string' ? story['name'] : '',
    slugs: slugsOf(story, page.parent, context),
    parent: page.parent,
    template: typeof content['component'] === 'string' ? content['component'] : '',
    kind: isFolder ? ('folder' as const) : ('page' as const),
    content,
    overlays: reading.overlays,
    seo: {},
    order: typeof story['position'] === 'number' ? story['position'] : null,
  };
  return { document, reading };
}

const storyOf = (raw: JsonObject): JsonObject => (isObject(raw['story']) ? raw['story'] : {});

function slugsOf(story: JsonObject, parent: string | null, context: MappingContext): Readonly<Record<string, string>> {
  const home = homeSlugOf(context.settings);
  const shown = (slug: string): string => (parent === null && slug === home && story['is_folder'] !== true ? '' : slug);
  const slugs: Record<string, string> = { [context.default_locale]: shown(typeof story['slug'] === 'string' ? story['slug'] : '') };
  for (const [locale, code] of otherLanguages(context)) {
    const slug = translatedSlug(rowOf(story, code));
    if (slug !== undefined) slugs[locale] = shown(slug);
  }
  return slugs;
}

const rowOf = (story: JsonObject, language: string): JsonObject | undefined =>
  listOf(story['translated_slugs'])
    .filter(isObject)
    .find(({ lang }) => lang === language);

function translatedSlug(row: JsonObject | undefined): string | undefined {
  const given = row?.['slug'] ?? row?.['path'];
  return typeof given === 'string' && given !== '' ? given.split('/').at(-1) : undefined;
}

/** Reads the blocks of one story. */
class StoryReader {
  constructor(
    private readonly reading: PageReading,
    private readonly context: MappingContext,
  ) {}

  readBlock(raw: JsonValue, place: string, depth: number): JsonObject | undefined {
    if (!isObject(raw)) return this.reading.refuse(place, 'It is not a block.');
    const name = typeof raw['component'] === 'string' ? raw['component'] : '';
    const schema = this.context.schemas.findByName(name);
    if (!schema) return this.reading.refuse(place, `The component ${name} is not in the library of the site. Pull the schemas first.`);
    if (depth > DEEPEST_BLOCK) return this.reading.refuse(place, 'Its blocks are nested too deeply.');
    const uid = this.reading.claim(raw['_uid'], place);
    const neutral: Record<string, JsonValue> = { _uid: uid, component: schema.tpl_key };
    for (const field of schema.fields) {
      const value = this.readValue(raw[field.remote], field, { place: `${place}.${field.remote}`, depth });
      if (value !== undefined) neutral[field.key] = value;
      if (field.localized) this.readTranslations(raw, field, { uid, place, depth });
    }
    this.reading.blocks.set(uid, { raw, schema, neutral });
    return neutral;
  }

  private readTranslations(
    raw: JsonObject,
    field: MappedField,
    { uid, place, depth }: { readonly uid: string; readonly place: string; readonly depth: number },
  ): void {
    for (const [locale, code] of otherLanguages(this.context)) {
      const key = translatedKey(field.remote, code);
      const value = this.readValue(raw[key], field, { place: `${place}.${key}`, depth });
      if (value !== undefined) this.reading.addOverlay(locale, `${uid}.${field.key}`, value);
    }
  }

  private readValue(
    value: JsonValue | undefined,
    field: MappedField,
    { place, depth }: { readonly place: string; readonly depth: number },
  ): JsonValue | undefined {
    if (value === undefined || value === null || field.type === 'kept') return undefined;
    if (field.type === 'blocks') {
      const blocks = this.readBlocks(listOf(value), place, depth);
      return blocks.length > 0 ? blocks : undefined;
    }
    if (field.type === 'doc') return isObject(value) ? toDoc(value, (blocks, at) => this.readBlocks(blocks, at, depth), place) : undefined;
    return STORYBLOK_VALUES[field.type]?.read(value, field);
  }

  private readBlocks(blocks: readonly JsonValue[], place: string, depth: number): readonly JsonObject[] {
    return blocks.map((block, at) => this.readBlock(block, `${place}[${at}]`, depth + 1)).filter((block) => block !== undefined);
  }
}

/** The story to send: attributes of the page, and its content with everything in it that has no equivalent here. */
export function toStoryblokStory(document: PageDocument, seen: RemotePage | null, context: MappingContext): RemoteDraft {
  const before = seen ? readStory(seen, context) : null;
  const story = seen ? storyOf(seen.raw) : {};
  const home = homeSlugOf(context.settings);
  const writer = new StoryWriter(document, before, context);
  const slug = (locale: string): string => document.slugs[locale] || home;
  const translated = otherLanguages(context).flatMap(([locale, code]) => {
    if (document.slugs[locale] === undefined || document.slugs[locale] === before?.document.slugs[locale]) return [];
    const row = rowOf(story, code);
    const name = row?.['name'];
    return [{ ...(row?.['id'] === undefined ? {} : { id: row['id'] }), lang: code, slug: slug(locale), name: name ?? document.name }];
  });
  const isFolder = document.kind === 'folder';
  const attributes: JsonObject = {
    name: document.name,
    slug:
      document.slugs[context.default_locale] === before?.document.slugs[context.default_locale]
        ? (story['slug'] ?? '')
        : slug(context.default_locale),
    ...(isFolder ? { is_folder: true } : { content: writer.writeBlock(document.content, 0) }),
    ...(document.order === null || document.order === before?.document.order ? {} : { position: document.order }),
    ...(translated.length > 0 ? { translated_slugs_attributes: translated } : {}),
  };
  return {
    raw: { story: attributes, parent: document.parent, isMoved: before ? before.document.parent !== document.parent : true },
    left: [],
  };
}

interface Before {
  readonly document: PageDocument;
  readonly reading: PageReading;
}

/** Writes blocks over those that were read: what is equal is sent as it was. */
class StoryWriter {
  constructor(
    private readonly document: PageDocument,
    private readonly before: Before | null,
    private readonly context: MappingContext,
  ) {}

  writeBlock(neutral: JsonObject, depth: number): JsonObject {
    const uid = textOf(neutral['_uid']);
    const schema = this.schemaOf(neutral);
    if (depth > DEEPEST_BLOCK) throw unsupported(uid, 'Its blocks are nested too deeply.');
    const known = this.before?.reading.blocks.get(uid);
    const seen = known?.schema === schema ? known : undefined;
    const block: Record<string, JsonValue> = seen ? { ...seen.raw } : { _uid: uid, component: schema.remote.name };
    for (const field of schema.fields) {
      if (field.type === 'kept') continue;
      this.writeValue(block, field, { attribute: field.remote, value: neutral[field.key], old: seen?.neutral[field.key], depth });
      if (field.localized) this.writeTranslations(block, field, uid, depth);
    }
    return block;
  }

  private writeTranslations(block: Record<string, JsonValue>, field: MappedField, uid: string, depth: number): void {
    const path = `${uid}.${field.key}`;
    for (const [locale, code] of otherLanguages(this.context))
      this.writeValue(block, field, {
        attribute: translatedKey(field.remote, code),
        value: this.document.overlays[locale]?.[path],
        old: this.before?.document.overlays[locale]?.[path],
        depth,
      });
  }

  private writeValue(
    block: Record<string, JsonValue>,
    field: MappedField,
    {
      attribute,
      value,
      old,
      depth,
    }: { readonly attribute: string; readonly value: JsonValue | undefined; readonly old: JsonValue | undefined; readonly depth: number },
  ): void {
    const raw = block[attribute];
    const turn = (blocks: readonly JsonValue[]): readonly JsonValue[] =>
      blocks.filter(isObject).map((one) => this.writeBlock(one, depth + 1));
    if (value === undefined) {
      if (old !== undefined) Reflect.deleteProperty(block, attribute);
    } else if (field.type === 'blocks') {
      block[attribute] = turn(listOf(value));
    } else if (field.type === 'doc') {
      if (isObject(value)) block[attribute] = fromDoc(value, { raw, neutral: old }, turn);
    } else if (!sameJson(value, old)) {
      const written = STORYBLOK_VALUES[field.type]?.write(value, raw);
      if (written === undefined) throw unsupported(attribute, `Storyblok has no value for the type ${field.type}.`);
      block[attribute] = written;
    }
  }

  private schemaOf({ component }: JsonObject): MappedSchema {
    const schema = this.context.schemas.findByKey(textOf(component));
    if (!schema)
      throw unsupported(textOf(component), `The component ${textOf(component)} does not exist at the CMS. Push the schemas first.`);
    return schema;
  }
}

const unsupported = (field: string, detail: string): CmsProblem => new CmsProblem('unsupported_field', detail, { field });
