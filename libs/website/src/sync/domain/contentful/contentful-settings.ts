import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { textOf, texts } from '../form-config';

/** What makes a content type one of pages: the fields that say its address, its name, the page above and its blocks. */
export interface PageType {
  readonly id: string;
  readonly slug: string;
  readonly title: string | null;
  /** A link to the page above; without it the slug is the whole path. */
  readonly parent: string | null;
  readonly blocks: readonly string[];
}

export function pageTypesOf({ contentTypes }: JsonObject): readonly PageType[] {
  const given = Array.isArray(contentTypes) ? (contentTypes as readonly JsonValue[]).filter(isObject) : [];
  return given.map((type) => ({
    id: textOf(type['id']),
    slug: textOf(type['slug']),
    title: textOf(type['title']) || null,
    parent: textOf(type['parent']) || null,
    blocks: texts(type['blocks']),
  }));
}

const fieldsOf = (raw: JsonObject): readonly JsonObject[] =>
  Array.isArray(raw['fields']) ? (raw['fields'] as readonly JsonValue[]).filter(isObject) : [];

const NAMED_SLUG = /^(?:slug|url|path|permalink|handle)$/i;
const NAMED_PARENT = /^(?:parent|parentpage|parent_page)$/i;
const NAMED_BLOCKS = /^(?:blocks|sections|modules|components|body|content)$/i;

const isEntries = (field: JsonObject): boolean =>
  field['type'] === 'Array' && isObject(field['items']) && field['items']['linkType'] === 'Entry';

/** Content types that look like pages: those with a slug. A person corrects the guess in the settings. */
export function guessPageTypes(types: readonly { readonly name: string; readonly raw: JsonObject }[]): readonly PageType[] {
  return types.flatMap(({ name, raw }) => {
    const fields = fieldsOf(raw);
    const named = (pattern: RegExp, fits: (field: JsonObject) => boolean): string | null =>
      textOf(fields.find((field) => pattern.test(textOf(field['id']).slice(0, 64)) && fits(field))?.['id']) || null;
    const slug = named(NAMED_SLUG, (field) => field['type'] === 'Symbol');
    if (slug === null) return [];
    const blocks = fields
      .filter((field) => isEntries(field) && NAMED_BLOCKS.test(textOf(field['id']).slice(0, 64)))
      .map(({ id }) => textOf(id));
    const parent = named(NAMED_PARENT, (field) => field['type'] === 'Link' && field['linkType'] === 'Entry');
    return [{ id: name, slug, title: textOf(raw['displayField']) || null, parent, blocks }];
  });
}
