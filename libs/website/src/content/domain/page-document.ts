import { type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { BLOCK_KEYS, isBlock, isBlockList, isEmptyValue, type Block } from './content-form';

/** What is compared and carried between this service and a CMS. External identities stand for pages, files and parents. */
export interface PageDocument {
  readonly name: string;
  /** By locale of the site. */
  readonly slugs: Readonly<Record<string, string>>;
  /** External identity of the page above. */
  readonly parent: string | null;
  /** The `tpl_key` of the page. */
  readonly template: string;
  readonly kind: 'page' | 'folder' | 'link';
  /** The root block in the default locale: `{_uid, component, …fields}`, blocks nested. */
  readonly content: JsonObject;
  /** By locale, then `"<_uid>.<key>"` or `seo.<key>`. */
  readonly overlays: Readonly<Record<string, Readonly<Record<string, JsonValue>>>>;
  readonly seo: JsonObject;
  /** Rank among siblings at the CMS; null where the CMS has none. */
  readonly order: number | null;
}

/** Keys that editors and previews add to blocks; they say nothing of the content. */
const VOLATILE: ReadonlySet<string> = new Set(['_editable', '_edit']);

/** A part of a document that changes and conflicts by itself. Its path is `name`, `slug`, `seo.title`, `<_uid>.<key>`; the default locale is null. */
export interface Unit {
  readonly path: string;
  readonly locale: string | null;
  readonly value: JsonValue;
}

/** `slug@de`, `<_uid>.<key>`: a unit of one document and of another are the same by it. */
export const unitName = ({ path, locale }: Pick<Unit, 'path' | 'locale'>): string => (locale === null ? path : `${path}@${locale}`);

/** A block of a document without the blocks below it. */
export interface FlatBlock {
  readonly uid: string;
  readonly component: string;
  /** The list that it is in; null for the root. */
  readonly slot: Slot | null;
  readonly values: ReadonlyMap<string, JsonValue>;
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

export interface Slot {
  readonly uid: string;
  readonly key: string;
}

export const slotName = (slot: Slot | null): string => (slot ? `${slot.uid}.${slot.key}` : '');

/** A document taken apart: what its page says, and its blocks by their identity. */
export interface FlatDocument {
  /** Everything but blocks and overlays of blocks. */
  readonly facts: ReadonlyMap<string, Unit>;
  readonly root: string;
  readonly blocks: ReadonlyMap<string, FlatBlock>;
  /** Overlay values by block: `"<key>@<locale>"`. */
  readonly overlays: ReadonlyMap<string, ReadonlyMap<string, Unit>>;
}

/** Keys that hold blocks in one version of a document and something else in another, as `<component>.<key>`: there they are values in all. */
export function mixedKeys(documents: readonly PageDocument[]): ReadonlySet<string> {
  const [lists, values] = [new Set<string>(), new Set<string>()];
  const visit = (block: JsonObject): void => {
    for (const [key, value] of fieldsOf(block)) {
      const name = `${typeof block.component === 'string' ? block.component : ''}.${key}`;
      if (!isBlockList(value)) values.add(name);
      else {
        lists.add(name);
        value.forEach(visit);
      }
    }
  };
  for (const { content } of documents) visit(content);
  return new Set([...lists].filter((name) => values.has(name)));
}

const fieldsOf = (block: JsonObject): readonly [string, JsonValue][] =>
  Object.entries(block).filter(([key, value]) => !BLOCK_KEYS.has(key) && !VOLATILE.has(key) && !isEmptyValue(value));

/** Takes a document apart. A list that repeats a block, or holds one that is elsewhere already, is a value as any other. */
export function flattenDocument(document: PageDocument, mixed: ReadonlySet<string> = mixedKeys([document])): FlatDocument {
  const blocks = new Map<string, FlatBlock>();
  const enter = (block: Block, slot: Slot | null): void => {
    const values = new Map<string, JsonValue>();
    const lists = new Map<string, readonly string[]>();
    blocks.set(block._uid, { uid: block._uid, component: block.component, slot, values, lists });
    for (const [key, value] of fieldsOf(block)) {
      if (!isBlockList(value) || mixed.has(`${block.component}.${key}`) || repeats(value, blocks)) values.set(key, value);
      else {
        lists.set(
          key,
          value.map(({ _uid }) => _uid),
        );
        for (const child of value) enter(child, { uid: block._uid, key });
      }
    }
  };
  const root = isBlock(document.content) ? document.content._uid : '';
  if (isBlock(document.content)) enter(document.content, null);
  return { facts: factsOf(document), root, blocks, overlays: overlaysOf(document) };
}

const repeats = (list: readonly Block[], seen: ReadonlyMap<string, unknown>): boolean =>
  new Set(list.map(({ _uid }) => _uid)).size < list.length || list.some(({ _uid }) => seen.has(_uid));

function factsOf({ name, slugs, parent, template, kind, seo, order }: PageDocument): ReadonlyMap<string, Unit> {
  const units: Unit[] = [
    ...Object.entries({ name, parent, template, kind, order }).map(([path, value]) => ({ path, locale: null, value })),
    ...Object.entries(slugs).map(([locale, value]) => ({ path: 'slug', locale, value })),
    ...Object.entries(seo).map(([key, value]) => ({ path: `seo.${key}`, locale: null, value })),
  ];
  return new Map(units.filter(({ path, value }) => path === 'slug' || !isEmptyValue(value)).map((unit) => [unitName(unit), unit]));
}

function overlaysOf({ overlays }: PageDocument): ReadonlyMap<string, ReadonlyMap<string, Unit>> {
  const byBlock = new Map<string, Map<string, Unit>>();
  for (const [locale, overlay] of Object.entries(overlays))
    for (const [path, value] of Object.entries(overlay)) {
      if (isEmptyValue(value)) continue;
      const uid = path.slice(0, path.indexOf('.'));
      const units = byBlock.get(uid) ?? new Map<string, Unit>();
      const unit = { path, locale, value };
      byBlock.set(uid, units.set(unitName(unit), unit));
    }
  return byBlock;
}

/** Every unit of a document: facts, fields, overlays, the component of each block, and the order of each list. */
export function documentUnits(document: PageDocument): ReadonlyMap<string, JsonValue> {
  const { facts, blocks, overlays, root } = flattenDocument(document);
  const units = new Map<string, JsonValue>([['root', root]]);
  for (const [name, { value }] of facts) units.set(name, value);
  for (const { uid, component, values, lists } of blocks.values()) {
    units.set(`${uid}.component`, component);
    for (const [key, value] of values) units.set(`${uid}.${key}`, value);
    for (const [key, uids] of lists) units.set(`${uid}.${key}`, uids);
  }
  for (const [uid, values] of overlays)
    if (uid === 'seo' || blocks.has(uid)) for (const [name, { value }] of values) units.set(name, value);
  return units;
}

export interface DocumentHashes {
  /** SHA-256 by the name of the unit. */
  readonly units: Readonly<Record<string, string>>;
  readonly hash: string;
}

/** What two documents are compared by: the same content has the same hashes, however its keys are ordered and whatever is empty in it. */
export function documentHashes(document: PageDocument): DocumentHashes {
  const units = [...documentUnits(document)]
    .map(([name, value]) => [name, sha256(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return { units: Object.fromEntries(units), hash: sha256(units) };
}

export const canonicalText = (value: JsonValue | undefined): string => (value === undefined ? '' : (canonicalize(value) ?? ''));

const sha256 = (value: JsonValue): string => createHash('sha256').update(canonicalText(value)).digest('hex');

/** A document in the form in which it is carried: without what is volatile or empty, and with the keys in order. */
export function canonicalDocument(document: PageDocument): PageDocument {
  return buildDocument(flattenDocument(document));
}

/** Puts a document together; blocks that no list reaches are left out, and overlays of blocks that are not in it. */
export function buildDocument({ facts, root, blocks, overlays }: FlatDocument): PageDocument {
  const fact = (path: string): JsonValue | undefined => facts.get(path)?.value;
  const text = (path: string): string | null => {
    const value = fact(path);
    return typeof value === 'string' ? value : null;
  };
  const reached = new Set<string>();
  const blockOf = (uid: string): JsonObject => {
    const block = blocks.get(uid);
    if (!block || reached.has(uid)) return {};
    reached.add(uid);
    const lists = [...block.lists].filter(([, uids]) => uids.length > 0).map(([key, uids]) => [key, uids.map(blockOf)] as const);
    return { _uid: uid, component: block.component, ...sorted([...block.values, ...lists]) };
  };
  const content = blockOf(root);
  const kind = text('kind');
  const order = fact('order');
  const named = [...facts.values()];
  return {
    name: text('name') ?? '',
    slugs: sorted(
      named.flatMap(({ path, locale, value }) => (path === 'slug' && typeof value === 'string' ? [[locale ?? '', value] as const] : [])),
    ),
    parent: text('parent'),
    template: text('template') ?? '',
    kind: kind === 'folder' || kind === 'link' ? kind : 'page',
    content,
    overlays: overlaysBuilt(overlays, reached),
    seo: sorted(named.filter(({ path }) => path.startsWith('seo.')).map(({ path, value }) => [path.slice('seo.'.length), value])),
    order: typeof order === 'number' ? order : null,
  };
}

function overlaysBuilt(overlays: FlatDocument['overlays'], reached: ReadonlySet<string>): PageDocument['overlays'] {
  const byLocale = new Map<string, [string, JsonValue][]>();
  for (const [uid, values] of overlays) {
    if (uid !== 'seo' && !reached.has(uid)) continue;
    for (const { path, locale, value } of values.values()) {
      const entries = byLocale.get(locale ?? '') ?? [];
      entries.push([path, value]);
      byLocale.set(locale ?? '', entries);
    }
  }
  return sorted([...byLocale].map(([locale, entries]) => [locale, sorted(entries)]));
}

const sorted = <T>(entries: readonly (readonly [string, T])[]): Readonly<Record<string, T>> =>
  Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)));
