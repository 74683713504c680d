import { isObject, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isBlocksField, isEmptyValue, listOf, ownField, type Block, type ContentField, type FindComponent } from './content-form';
import { mapBlocks, placedBlocks, stepFrom } from './tree';

/** Values of one locale, by the block and the field that they are of: `"<_uid>.<key>"`, and `seo.<key>`. Null: empty in this locale. */
export type Overlay = Readonly<Record<string, JsonValue>>;

/** The prefix of what search engines read; no block is called so, for identities are longer. */
const SEO = 'seo';
export const SEO_KEYS = ['title', 'description', 'image', 'canonical', 'noindex', 'og'] as const;

export const overlayKey = (uid: string, key: string): string => `${uid}.${key}`;
const splitKey = (name: string): { readonly uid: string; readonly key: string } => {
  const dot = name.indexOf('.');
  return { uid: name.slice(0, dot), key: name.slice(dot + 1) };
};

/** A page in one locale: its tree, and what search engines read. */
export interface LocalePage {
  readonly tree: Block;
  readonly seo: JsonObject;
}

export interface LocaleFallback {
  readonly code: string;
  readonly fallback: string | null;
}

/** The locales whose overlays a locale is resolved through, itself first; the tree of the default locale comes after the last. */
export function localeChain(locale: string, locales: readonly LocaleFallback[], byDefault: string): readonly string[] {
  const chain: string[] = [];
  for (let at: string | null = locale; at !== null && at !== byDefault && !chain.includes(at);) {
    chain.push(at);
    const code: string = at;
    at = locales.find((one) => one.code === code)?.fallback ?? null;
  }
  return chain;
}

/** A page as a locale shows it; overlays are those of its chain, in its order. */
export function resolvePage(page: LocalePage, overlays: readonly Overlay[], find: FindComponent): LocalePage {
  const tree = mapBlocks(page.tree, find, (block) => resolveFields(block, block._uid, localizedFields(block, find), overlays));
  return { tree, seo: resolveFields(page.seo, SEO, SEO_KEYS, overlays) };
}

const localizedFields = (block: Block, find: FindComponent): readonly string[] =>
  find(block.component)
    ?.form.fields.filter((field) => isLocalized(field))
    .map(({ key }) => key) ?? [];

const isLocalized = (field: ContentField): boolean => field.localized === true && !isBlocksField(field);

function resolveFields(content: JsonObject, uid: string, keys: readonly string[], overlays: readonly Overlay[]): JsonObject {
  const own = keys.flatMap((key): [string, JsonValue][] => {
    const name = overlayKey(uid, key);
    const overlay = overlays.find((one) => Object.hasOwn(one, name));
    return overlay ? [[key, overlay[name] ?? null]] : [];
  });
  if (own.length === 0) return content;
  const values = new Map<string, JsonValue>([...Object.entries(content), ...own]);
  return Object.fromEntries([...values].filter(([, value]) => value !== null));
}

/** Everything of a page that a locale may say in its own words: the name in overlays, and the value. */
function localizedValues({ tree, seo }: LocalePage, find: FindComponent): ReadonlyMap<string, JsonValue | undefined> {
  const values = placedBlocks(tree, find).flatMap(({ block }) =>
    localizedFields(block, find).map((key) => [overlayKey(block._uid, key), ownField(block, key)] as const),
  );
  return new Map([...values, ...SEO_KEYS.map((key) => [overlayKey(SEO, key), ownField(seo, key)] as const)]);
}

export interface OverlayChange {
  /** The page as it would be without the overlay: through the rest of the chain. */
  readonly fallback: LocalePage;
  readonly overlay: Overlay;
  readonly find: FindComponent;
  /** The position of the content in the request: `node_content`. */
  readonly at: string;
}

/** The overlay that makes the given page of the fallback, or a fault `not_localized` for each change that no overlay can hold. */
export function deriveOverlay(
  given: Block,
  { fallback, overlay, find, at }: OverlayChange,
): { readonly overlay: Overlay; readonly faults: readonly FieldFault[] } {
  const derived = new Map(Object.entries(overlay));
  const faults: FieldFault[] = [];
  const refuse = (path: string, what: string): void => {
    faults.push({ path, code: 'not_localized', message: `${what} is the same in every locale; change it in the default locale.` });
  };
  const compare = (said: Block, source: Block, path: string): void => {
    if (said._uid !== source._uid || said.component !== source.component) return refuse(path, 'The order of blocks');
    const fields = new Map((find(source.component)?.form.fields ?? []).map((field) => [field.key, field]));
    for (const key of new Set([...Object.keys(source), ...Object.keys(said)])) {
      const [field, now, before] = [fields.get(key), ownField(said, key), ownField(source, key)];
      const here = stepFrom(path, key);
      if (field && isBlocksField(field)) compareLists(listOf(now), listOf(before), here);
      else if (field && isLocalized(field)) {
        const name = overlayKey(source._uid, key);
        if (Object.hasOwn(overlay, name) || !isSame(now, before)) derived.set(name, now ?? null);
      } else if (!isSame(now, before)) refuse(here, field?.label ?? key);
    }
  };
  const compareLists = (said: readonly JsonValue[], source: readonly JsonValue[], path: string): void => {
    const [uids, expected] = [said, source].map((list) => list.map((block) => (isObject(block) ? block._uid : null)));
    if (!isDeepStrictEqual(uids, expected)) return refuse(path, 'The list of blocks');
    said.forEach((block, position) => compare(block as Block, source[position] as Block, stepFrom(path, position)));
  };
  compare(given, fallback.tree, at);
  return { overlay: Object.fromEntries(derived), faults };
}

/** The same for what search engines read, of which every key may differ. */
export function deriveSeoOverlay(given: JsonObject, { fallback, overlay }: Pick<OverlayChange, 'fallback' | 'overlay'>): Overlay {
  const derived = new Map(Object.entries(overlay));
  for (const key of SEO_KEYS) {
    const [name, now] = [overlayKey(SEO, key), ownField(given, key)];
    if (Object.hasOwn(overlay, name) || !isSame(now, ownField(fallback.seo, key))) derived.set(name, now ?? null);
  }
  return Object.fromEntries(derived);
}

const isSame = (one: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  isDeepStrictEqual(one ?? null, other ?? null) || (isEmptyValue(one) && isEmptyValue(other));

/** An overlay without the values of blocks that the page no longer has, and the keys that were dropped. */
export function pruneOverlay(
  overlay: Overlay,
  tree: Block,
  find: FindComponent,
): { readonly overlay: Overlay; readonly dropped: readonly string[] } {
  const uids = new Set(placedBlocks(tree, find).map(({ block }) => block._uid));
  const isGone = (name: string): boolean => splitKey(name).uid !== SEO && !uids.has(splitKey(name).uid);
  return {
    overlay: Object.fromEntries(Object.entries(overlay).filter(([name]) => !isGone(name))),
    dropped: Object.keys(overlay).filter(isGone),
  };
}

/** An overlay with the values of copied blocks beside those of the blocks that they were copied from. */
export function copyOverlay(overlay: Overlay, copies: ReadonlyMap<string, string>): Overlay {
  const copied = Object.entries(overlay).flatMap(([name, value]): [string, JsonValue][] => {
    const { uid, key } = splitKey(name);
    const copy = copies.get(uid);
    return copy === undefined ? [] : [[overlayKey(copy, key), value]];
  });
  return Object.fromEntries([...Object.entries(overlay), ...copied]);
}

/** An overlay with the values of each block of a component changed together: how values follow a changed schema. */
export function changeOverlay(overlay: Overlay, uids: ReadonlySet<string>, change: (values: JsonObject) => JsonObject): Overlay {
  const byBlock = new Map<string, [string, JsonValue][]>();
  const others: [string, JsonValue][] = [];
  for (const [name, value] of Object.entries(overlay)) {
    const { uid, key } = splitKey(name);
    if (!uids.has(uid)) others.push([name, value]);
    else byBlock.set(uid, [...(byBlock.get(uid) ?? []), [key, value]]);
  }
  const changed = [...byBlock].flatMap(([uid, values]) =>
    Object.entries(change(Object.fromEntries(values))).map(([key, value]): [string, JsonValue] => [overlayKey(uid, key), value]),
  );
  return Object.fromEntries([...others, ...changed]);
}

/** SHA-256 of the source that each value of an overlay was written from. */
export type SourceHashes = Readonly<Record<string, string>>;

export const sourceHash = (value: JsonValue | undefined): string =>
  createHash('sha256')
    .update(isEmptyValue(value) ? '' : (canonicalize(value) ?? ''))
    .digest('base64url');

export interface SavedOverlay {
  readonly before: Overlay;
  readonly sources: SourceHashes;
  readonly after: Overlay;
  /** Keys that were written although their value stayed: somebody has seen the source. */
  readonly confirmed?: ReadonlySet<string>;
}

/** The hashes after a save: what was written has the source of now, what stayed keeps its own and may be stale. */
export function sourcesAfter(
  { before, sources, after, confirmed = new Set() }: SavedOverlay,
  fallback: LocalePage,
  find: FindComponent,
): SourceHashes {
  const values = localizedValues(fallback, find);
  const isKept = (name: string): boolean =>
    !confirmed.has(name) && Object.hasOwn(sources, name) && Object.hasOwn(before, name) && isDeepStrictEqual(before[name], after[name]);
  return Object.fromEntries(
    Object.keys(after).map((name) => [name, isKept(name) ? (sources[name] ?? '') : sourceHash(values.get(name))] as const),
  );
}

/** What a locale still has to translate, and what it translated from a source that has changed. */
export interface TranslationState {
  readonly missing: readonly string[];
  readonly stale: readonly string[];
}

export function translationState(
  { overlay, sources }: { readonly overlay: Overlay; readonly sources: SourceHashes },
  fallback: LocalePage,
  find: FindComponent,
): TranslationState {
  const values = [...localizedValues(fallback, find)];
  return {
    missing: values
      .filter(([name, value]) => !isEmptyValue(value) && !Object.hasOwn(overlay, name) && isTranslated(name))
      .map(([name]) => name),
    stale: values
      .filter(([name, value]) => Object.hasOwn(overlay, name) && Object.hasOwn(sources, name) && sources[name] !== sourceHash(value))
      .map(([name]) => name),
  };
}

/** Addresses and flags for search engines are usually the same in every locale: without a value of its own nothing is missing. */
const isTranslated = (name: string): boolean => !['image', 'canonical', 'noindex'].some((key) => name === overlayKey(SEO, key));
