import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { isBlock, listOf, type Block } from '../../content/domain/content-form';
import { withDocBlocks } from '../../content/domain/doc';
import { canonicalDocument, documentHashes, documentUnits } from '../../content/domain/page-document';
import { changeValue, type ReferenceChange } from '../../content/domain/references';
import type { CmsCapabilities, MappingContext } from './cms-port';
import type { PageDocument } from './page-document';

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
    return { document: comparable, hash: documentHashes(comparable).hash };
  }

  toOutside(document: PageDocument, ids: Identities, pending: Readonly<Record<string, JsonValue>> = {}): Turned {
    const turn = new Turn(outward(ids));
    const parent = document.parent === null ? null : (ids.findExternal(document.parent) ?? `${LOCAL}${document.parent}`);
    const turned = this.turnContent(document, turn, new Map(Object.entries(pending)), ids);
    return { document: { ...turned, parent }, pending: {}, isWhole: turn.isWhole };
  }

  toInside(document: PageDocument, ids: Identities): Turned {
    const turn = new Turn(inward(ids));
    const parent = document.parent === null ? null : (ids.findNode(document.parent) ?? null);
    const turned = this.turnContent(document, turn, new Map(), ids);
    return { document: { ...turned, parent }, pending: Object.fromEntries(turn.pending), isWhole: turn.isWhole };
  }

  private ownLocales<T>(values: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
    return Object.fromEntries(Object.entries(values).filter(([locale]) => this.codes.has(locale)));
  }

  private turnContent(document: PageDocument, turn: Turn, kept: ReadonlyMap<string, JsonValue>, ids: Identities): PageDocument {
    const components = new Map<string, string>();
    const visit = (block: Block): JsonObject => {
      components.set(block._uid, block.component);
      const entries = Object.entries(block).map(([key, value]): [string, JsonValue] => {
        const type = this.typeOf(block.component, key);
        if (type === 'blocks') return [key, listOf(value).map((child) => (isBlock(child) ? visit(child) : child))];
        return [key, turn.change(value, { type, unit: `${block._uid}.${key}`, below: (child) => (isBlock(child) ? visit(child) : child) })];
      });
      const own = Object.fromEntries(entries);
      for (const [unit, value] of kept) this.restoreKept(own, block._uid, unit, { value, ids });
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
            return [path, turn.change(value, { type, unit: `${path}@${locale}`, below: (child) => child })];
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

interface TurnedValue {
  readonly type: string;
  readonly unit: string;
  readonly below: (block: JsonValue) => JsonValue;
}

/** One way through one document. */
class Turn {
  readonly pending = new Map<string, JsonValue>();
  isWhole = true;

  constructor(private readonly rule: (miss: () => void) => ReferenceChange) {}

  change(value: JsonValue, { type, unit, below }: TurnedValue): JsonValue {
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

/** Names of the units by which two versions differ. */
export function changedUnits(before: PageDocument, after: PageDocument): readonly string[] {
  const [old, young] = [documentUnits(before), documentUnits(after)];
  const names = new Set([...old.keys(), ...young.keys()]);
  return [...names].filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(young.get(name))).sort();
}
