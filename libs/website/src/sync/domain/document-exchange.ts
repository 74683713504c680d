import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { isBlock, listOf, type Block } from '../../content/domain/content-form';
import { withDocBlocks } from '../../content/domain/doc';
import type { Overlay } from '../../content/domain/overlays';
import { canonicalDocument, documentHashes, documentUnits, type PageDocument } from '../../content/domain/page-document';
import { changeValue, type ReferenceChange } from '../../content/domain/references';
import { AssetTexts, withoutAssetTexts, type ChangeUnit, type UnitValue } from './asset-texts';
import type { CmsCapabilities, MappingContext } from './cms-port';
import { UNNAMED_ROOT } from './page-reading';
import { BlockIdentities } from './remote-names';

/** A document in the form in which both sides are compared. */
export interface Fingerprint {
  readonly document: PageDocument;
  readonly hash: string;
}

/** Which page here is which at the CMS, and which file. */
export interface Identities {
  findExternal(node_id: string): string | undefined;
  findNode(external_id: string): string | undefined;
  findSentFile(file_id: string): SentFile | undefined;
  findFileOf(url: string): string | undefined;
}

export interface SentFile {
  readonly url: string;
  readonly external_id: string;
}

/** The address of a page without a link until it has one; the domain is reserved, so that nothing answers there. */
const UNLINKED = 'https://unlinked.invalid/';
const REMOTE = `${UNLINKED}remote/`;
const LOCAL = `${UNLINKED}local/`;

/** What was turned, and whether something could not be. */
export interface Turned {
  readonly document: PageDocument;
  /** Units whose value names pages without a link and has no form here, as they were. */
  readonly pending: Readonly<Record<string, JsonValue>>;
  readonly isWhole: boolean;
}

/**
 * Turns documents from identities here to those at the CMS, and back. What names a page that is not linked survives both ways, so that a
 * page that comes and goes is equal to itself; it is turned once its target is linked.
 */
export class DocumentExchange {
  private readonly codes: ReadonlySet<string>;

  constructor(
    readonly context: MappingContext,
    private readonly carries: CmsCapabilities['carries'],
  ) {
    this.codes = new Set(Object.keys(context.locales));
  }

  get locales(): readonly string[] {
    return [...this.codes];
  }

  get carriesSeo(): boolean {
    return this.carries.seo;
  }

  /** Without what the CMS has no place for. Ranks are compared by neither side. */
  fingerprint(document: PageDocument): Fingerprint {
    const { seo } = this.carries;
    const comparable = canonicalDocument({
      ...document,
      order: null,
      seo: seo ? document.seo : {},
      slugs: this.ownLocales(document.slugs),
      overlays: Object.fromEntries(
        Object.entries(this.ownLocales(document.overlays)).map(([locale, overlay]) => [
          locale,
          seo ? overlay : Object.fromEntries(Object.entries(overlay).filter(([path]) => !path.startsWith('seo.'))),
        ]),
      ),
    });
    return { document: comparable, hash: documentHashes(this.comparedForm(comparable)).hash };
  }

  /** What is compared of a document. Texts that the CMS keeps with a file, and not with a page that shows it, are no part of the page. */
  comparedForm(document: PageDocument): PageDocument {
    const { name, asset_texts } = this.carries;
    const own = name ? document : { ...document, name: '' };
    return asset_texts ? own : this.changeUnits(own, withoutAssetTexts);
  }

  /** Names of the units by which two versions differ. */
  listChangedUnits(before: PageDocument, after: PageDocument): readonly string[] {
    const [old, young] = [documentUnits(this.comparedForm(before)), documentUnits(this.comparedForm(after))];
    const names = new Set([...old.keys(), ...young.keys()]);
    return [...names].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(young.get(name))).sort();
  }

  /** Whether everything in `now` is as it was before or as it was to become: a write that ended half way leaves such a page. */
  isBetween(now: PageDocument, before: PageDocument, after: PageDocument): boolean {
    const [from, to] = [this.listChangedUnits(before, now), new Set(this.listChangedUnits(after, now))];
    return from.every((name) => !to.has(name));
  }

  /** A document that comes in, with what the CMS has no place for as the page here has it: a name that was given here, and texts of files. */
  keepOwn(document: PageDocument, here: PageDocument, base: PageDocument | null): PageDocument {
    const { name, asset_texts } = this.carries;
    const named = name || here.name === base?.name ? document : { ...document, name: here.name };
    if (asset_texts) return named;
    const texts = new AssetTexts();
    this.changeUnits(here, texts.collect);
    return this.changeUnits(named, texts.restore);
  }

  toOutside(inside: PageDocument, ids: Identities, pending: Readonly<Record<string, JsonValue>> = {}): Turned {
    const document = this.carries.root ? inside : withRoot(inside, UNNAMED_ROOT);
    const turn = new Turn(outward(ids));
    const parent = document.parent === null ? null : (ids.findExternal(document.parent) ?? `${LOCAL}${document.parent}`);
    const turned = this.turnContent(document, turn, new Map(Object.entries(pending)), ids);
    return { document: { ...turned, parent }, pending: {}, isWhole: turn.isWhole };
  }

  /** `root`: the identity of the root block here, for a CMS that has none for it. */
  toInside(document: PageDocument, ids: Identities, root: string): Turned {
    const turn = new Turn(inward(ids));
    const parent = document.parent === null ? null : (ids.findNode(document.parent) ?? null);
    const content = this.turnContent(document, turn, new Map(), ids);
    const turned = this.carries.root ? content : withRoot(content, root);
    return { document: { ...turned, parent }, pending: Object.fromEntries(turn.pending), isWhole: turn.isWhole };
  }

  private ownLocales<T>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
    return Object.fromEntries(Object.entries(values).filter(([locale]) => this.codes.has(locale)));
  }

  private turnContent(document: PageDocument, turn: Turn, kept: ReadonlyMap<string, JsonValue>, ids: Identities): PageDocument {
    return this.changeUnits(
      document,
      (value, at) => turn.change(value, at),
      (own, uid) => {
        for (const [unit, value] of kept) this.restoreKept(own, uid, unit, { value, ids });
      },
    );
  }

  /** Every value of a document changed, blocks and values of other locales included. */
  private changeUnits(
    document: PageDocument,
    change: ChangeUnit,
    finish: (own: Record<string, JsonValue>, uid: string) => void = () => undefined,
  ): PageDocument {
    const components = new Map<string, string>();
    const visit = (block: Block): JsonObject => {
      components.set(block._uid, block.component);
      const entries = Object.entries(block).map(([key, value]): [string, JsonValue] => {
        const type = this.typeOf(block.component, key);
        if (type === 'blocks') return [key, listOf(value).map((child) => (isBlock(child) ? visit(child) : child))];
        return [key, change(value, { type, unit: `${block._uid}.${key}`, below: (child) => (isBlock(child) ? visit(child) : child) })];
      });
      const own = Object.fromEntries(entries);
      finish(own, block._uid);
      return own;
    };
    const content = isBlock(document.content) ? visit(document.content) : document.content;
    const overlays = Object.fromEntries(
      Object.entries(document.overlays).map(([locale, overlay]) => [
        locale,
        Object.fromEntries(
          Object.entries(overlay).map(([path, value]) => {
            const dot = path.indexOf('.');
            const type = this.typeOf(components.get(path.slice(0, dot)) ?? '', path.slice(dot + 1));
            return [path, change(value, { type, unit: `${path}@${locale}`, below: (child) => child })];
          }),
        ),
      ]),
    );
    return { ...document, content, overlays };
  }

  /** A value that could not be stored here goes back as it came, unless someone has written another one. */
  private restoreKept(
    own: Record<string, JsonValue>,
    uid: string,
    unit: string,
    { value, ids }: { readonly value: JsonValue; readonly ids: Identities },
  ): void {
    if (!unit.startsWith(`${uid}.`) || unit.includes('@')) return;
    const key = unit.slice(uid.length + 1);
    const linked = Array.isArray(value) ? listOf(value).filter((id) => typeof id === 'string' && ids.findNode(id) !== undefined) : [];
    const before = own[key] ?? [];
    if (JSON.stringify(Array.isArray(before) ? before : [before]) === JSON.stringify(linked)) own[key] = value;
  }

  private typeOf(component: string, key: string): string {
    const schema = this.context.schemas.findByKey(component);
    return schema?.fields.find((field) => field.key === key)?.type ?? '';
  }
}

/** One way through one document. */
class Turn {
  readonly pending = new Map<string, JsonValue>();
  isWhole = true;

  constructor(private readonly rule: (miss: () => void) => ReferenceChange) {}

  change(value: JsonValue, { type, unit, below }: UnitValue): JsonValue {
    let missed = false;
    const rule = this.rule(() => (missed = true));
    const changed =
      type === 'doc' && isObject(value) ? withDocBlocks(changeValue(value, type, rule), below) : changeValue(value, type, rule, below);
    if (!missed) return changed;
    this.isWhole = false;
    if (type !== 'page' && type !== 'pages') return changed;
    this.pending.set(unit, value);
    return type === 'page' ? null : listOf(changed).filter((id) => id !== null);
  }
}

/** A document whose root block has another identity. */
function withRoot(document: PageDocument, root: string): PageDocument {
  const { _uid: old } = document.content;
  if (typeof old !== 'string' || old === root) return document;
  const overlays = Object.entries(document.overlays).map(([locale, overlay]): [string, Overlay] => [
    locale,
    Object.fromEntries(
      Object.entries(overlay).map(([path, value]) => [path.startsWith(`${old}.`) ? `${root}${path.slice(old.length)}` : path, value]),
    ),
  ]);
  return { ...document, content: { ...document.content, _uid: root }, overlays: Object.fromEntries(overlays) };
}

/** The identity of the root block of a page here; of a page that is made, one that follows from its identity at the CMS. */
export const rootOf = (here: PageDocument | null, external_id: string | null): string => {
  const own = here?.content['_uid'];
  return typeof own === 'string' ? own : new BlockIdentities().claim(external_id, `root:${external_id ?? ''}`);
};

const outward =
  (ids: Identities) =>
  (miss: () => void): ReferenceChange => ({
    link(link) {
      const { kind, ref, url, ...rest } = link;
      if (kind === 'page' && typeof ref === 'string') {
        const external = ids.findExternal(ref);
        if (external !== undefined) return { ...rest, kind, ref: external };
        miss();
        return { ...rest, kind: 'url', url: `${LOCAL}${ref}` };
      }
      if (kind === 'file' && typeof ref === 'string') {
        const sent = ids.findSentFile(ref);
        return sent ? { ...rest, kind: 'url', url: sent.url } : link;
      }
      if (kind === 'url' && typeof url === 'string' && url.startsWith(REMOTE))
        return { ...rest, kind: 'page', ref: url.slice(REMOTE.length) };
      return link;
    },
    asset(asset) {
      const { file, ...rest } = asset;
      const sent = typeof file === 'string' ? ids.findSentFile(file) : undefined;
      return sent ? { ...rest, url: sent.url, source: sent.external_id } : asset;
    },
    id(kind, id) {
      const external = kind === 'page' ? ids.findExternal(id) : undefined;
      if (external === undefined) miss();
      return external ?? null;
    },
  });

const inward =
  (ids: Identities) =>
  (miss: () => void): ReferenceChange => ({
    link(link) {
      const { kind, ref, url, ...rest } = link;
      if (kind === 'page' && typeof ref === 'string') {
        const node = ids.findNode(ref);
        if (node !== undefined) return { ...rest, kind, ref: node };
        miss();
        return { ...rest, kind: 'url', url: `${REMOTE}${ref}` };
      }
      if (kind === 'url' && typeof url === 'string' && url.startsWith(LOCAL))
        return { ...rest, kind: 'page', ref: url.slice(LOCAL.length) };
      const file = kind === 'url' && typeof url === 'string' ? ids.findFileOf(url) : undefined;
      return file === undefined ? link : { ...rest, kind: 'file', ref: file };
    },
    asset(asset) {
      const { url, source: _, ...rest } = asset;
      const file = typeof url === 'string' ? ids.findFileOf(url) : undefined;
      return file === undefined ? asset : { ...rest, file };
    },
    id(kind, id) {
      const node = kind === 'page' ? ids.findNode(id) : undefined;
      if (node === undefined) miss();
      return node ?? null;
    },
  });
