import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { isBlocksField, ownField, type Block, type FindComponent } from '../../content/domain/content-form';
import { overlayKey, SEO_KEYS, type LocalePage, type Overlay } from '../../content/domain/overlays';
import { mapBlocks, placedBlocks } from '../../content/domain/tree';

export const digestOf = (value: JsonValue): string =>
  createHash('sha256')
    .update(canonicalize(value) ?? '')
    .digest('hex');

/**
 * What locales show of one page, by hashes. What is the same in all of them is hashed once, and each value once however many
 * locales show it: a save of a page in fifty locales costs little more than one in two.
 */
export class ShownContent {
  private readonly common: string;
  private readonly source: ReadonlyMap<string, JsonValue | undefined>;
  private readonly digests = new Map<JsonValue, string>();

  constructor({ tree, seo }: LocalePage, find: FindComponent) {
    const localized = new Map(placedBlocks(tree, find).map(({ block }) => [block._uid, localizedKeys(block, find)]));
    const common = mapBlocks(tree, find, (block) => without(block, localized.get(block._uid) ?? []));
    this.common = digestOf({ common, seo: without(seo, SEO_KEYS) });
    const values = placedBlocks(tree, find).flatMap(({ block }) =>
      (localized.get(block._uid) ?? []).map((key) => [overlayKey(block._uid, key), ownField(block, key)] as const),
    );
    this.source = new Map([...values, ...SEO_KEYS.map((key) => [overlayKey('seo', key), ownField(seo, key)] as const)]);
  }

  /** Of the page with these overlays, the first of which goes before the others. */
  digestIn(overlays: readonly Overlay[]): string {
    const all = createHash('sha256').update(this.common);
    for (const [name, source] of this.source) {
      const own = overlays.find((overlay) => Object.hasOwn(overlay, name));
      const value = own ? own[name] : source;
      if (value !== undefined && value !== null) all.update(`\n${name} ${this.digest(value)}`);
    }
    return all.digest('hex');
  }

  private digest(value: JsonValue): string {
    const known = this.digests.get(value) ?? digestOf(value);
    this.digests.set(value, known);
    return known;
  }
}

const localizedKeys = (block: Block, find: FindComponent): readonly string[] =>
  find(block.component)
    ?.form.fields.filter((field) => field.localized === true && !isBlocksField(field))
    .map(({ key }) => key) ?? [];

const without = (value: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
