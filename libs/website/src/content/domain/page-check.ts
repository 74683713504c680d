import { isObject, Problem, type FieldFault, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import {
  BLOCK_KEYS,
  isBlock,
  isBlocksField,
  isUid,
  listOf,
  ownField,
  type Block,
  type Component,
  type ContentField,
  type ContentForm,
  type FindComponent,
} from './content-form';
import { withDocBlocks } from './doc';
import { stepFrom, withValues } from './tree';
import type { Steps } from './value-check';

export const MOST_TREE_BYTES = 1024 * 1024;
export const MOST_OVERLAY_BYTES = 500 * 1024;
/** Blocks below the root of a page. */
const MOST_BLOCKS = 2_000;
const DEEPEST_BLOCK = 8;
const MOST_FAULTS = 100;

/** The fields of one block, to be checked by the form of its component. Blocks below it are named by their identity alone. */
export interface ContentPart<Form extends ContentForm = ContentForm> {
  /** The block of the page. */
  readonly uid: string;
  readonly form: Form;
  readonly content: JsonObject;
  readonly previous: JsonObject | null;
  /** Its position in the request: `node_content.body[2]`. */
  readonly at: string;
}

export interface PageCheckOptions<Form extends ContentForm> {
  readonly find: FindComponent<Form>;
  /** The key of the template, which is the component of the root. */
  readonly template: string;
  /** The position of the content in the request: `node_content`. */
  readonly at: string;
  /** What is stored: the same blocks may be there again although their component is inactive by now. */
  readonly previous: Block | null;
  readonly newUid: () => string;
}

/** A page taken apart into its blocks: what is wrong with the tree itself, and the parts that the forms of the components check. */
export interface OpenedPage<Form extends ContentForm = ContentForm> {
  readonly faults: readonly FieldFault[];
  readonly parts: readonly ContentPart<Form>[];
  /** Identities that were absent and made here. */
  readonly made: readonly string[];
  /** The page of the checked contents, in the order of the parts. */
  assemble(contents: readonly JsonObject[]): Block;
}

/** Takes a page apart. Trees of more than 1 MB are refused at once with `payload_too_large`. */
export function openPage<Form extends ContentForm>(root: JsonValue, options: PageCheckOptions<Form>): OpenedPage<Form> {
  if (Buffer.byteLength(JSON.stringify(root)) > MOST_TREE_BYTES)
    throw new Problem('payload_too_large', 'The content of a page can have at most 1 MB.', {
      errors: [{ path: options.at, code: 'length', message: 'The content of a page can have at most 1 MB.' }],
    });
  return new PageReader(options).readPage(root);
}

/** Where a block may be: which components its list allows, and how deep it is. */
interface Slot {
  readonly at: string;
  readonly depth: number;
  readonly allowed: Allowed | null;
}

interface Allowed {
  readonly label: string;
  readonly components: readonly string[];
  readonly groups: readonly string[];
}

class PageReader<Form extends ContentForm> {
  private readonly faults: FieldFault[] = [];
  private readonly parts: ContentPart<Form>[] = [];
  private readonly made: string[] = [];
  private readonly seen = new Set<string>();
  private readonly before: ReadonlyMap<string, Block>;
  private blocks = -1;

  constructor(private readonly options: PageCheckOptions<Form>) {
    this.before = options.previous ? blocksByUid(options.previous, options.find) : new Map();
  }

  readPage(root: JsonValue): OpenedPage<Form> {
    const { at, template } = this.options;
    const given = isObject(root) && ownField(root, 'component') === undefined ? { ...root, component: template } : root;
    if (isObject(given) && given.component !== template)
      this.refuse(`${at}.component`, 'option', `The component of the page must be its template, ${template}.`);
    else this.readBlock(given, { at, depth: 0, allowed: null });
    if (this.blocks > MOST_BLOCKS) this.refuse(at, 'length', `A page can have at most ${MOST_BLOCKS.toLocaleString('en')} blocks.`);
    return { faults: this.faults, parts: this.parts, made: this.made, assemble: (contents) => this.assemble(contents) };
  }

  /** What the content of its parent holds for the block; blocks that cannot be read are kept as they are. */
  private readBlock(given: JsonValue, slot: Slot): JsonValue {
    this.blocks += 1;
    if (this.blocks > MOST_BLOCKS) return null;
    if (!isObject(given)) return this.refuse(slot.at, 'type', 'A block must be an object.');
    if (slot.depth > DEEPEST_BLOCK) return this.refuse(slot.at, 'length', `Blocks can be nested at most ${DEEPEST_BLOCK} levels deep.`);
    const uid = this.readUid(given, slot.at);
    const component = this.readComponent(given, uid, slot);
    if (uid === undefined || !component) return null;
    const { form, key } = component;
    // Parents before children, as faults are read.
    const place = this.parts.push({ uid, form, at: slot.at, content: {}, previous: null }) - 1;
    const content = this.withoutBlocks(given, form.fields, slot);
    this.parts[place] = { uid, form, at: slot.at, content, previous: this.previousOf(uid, key, form.fields) };
    return { _uid: uid, component: key };
  }

  private readUid(given: JsonObject, at: string): string | undefined {
    const uid = ownField(given, '_uid') ?? this.makeUid();
    if (!isUid(uid))
      return this.refuse(stepFrom(at, '_uid'), 'format', '_uid must have 8 to 64 letters, digits, hyphens and underscores.') ?? undefined;
    if (this.seen.has(uid)) return this.refuse(stepFrom(at, '_uid'), 'unique', 'Another block of the page has this _uid.') ?? undefined;
    this.seen.add(uid);
    return uid;
  }

  private makeUid(): string {
    const uid = this.options.newUid();
    this.made.push(uid);
    return uid;
  }

  private readComponent(given: JsonObject, uid: string | undefined, { at, depth, allowed }: Slot): Component<Form> | undefined {
    const key = ownField(given, 'component');
    const path = stepFrom(at, 'component');
    const component = typeof key === 'string' ? this.options.find(key) : undefined;
    const wrong = (code: string, message: string): undefined => this.refuse(path, code, message) ?? undefined;
    if (key === undefined) return wrong('required', 'A block must have a component.');
    if (!component) return wrong('option', 'The library of the site has no such component.');
    const stays = uid !== undefined && this.before.get(uid)?.component === key;
    if (!component.active && !stays) return wrong('option', `The component ${component.key} is no longer active.`);
    if (depth > 0 && component.kind === 'page') return wrong('option', `The component ${component.key} is for pages, not for blocks.`);
    if (allowed && !isAllowed(component, allowed))
      return wrong('option', `${allowed.label} does not allow the component ${component.key}.`);
    return component;
  }

  private withoutBlocks(block: JsonObject, fields: readonly ContentField[], { at, depth }: Slot): JsonObject {
    const known = new Map(fields.map((field) => [field.key, field]));
    const entries = Object.entries(block).flatMap(([key, value]): [string, JsonValue][] => {
      const field = known.get(key);
      if (BLOCK_KEYS.has(key)) return [];
      if (!field) return [[key, value]];
      if (isBlocksField(field)) return [[key, this.readList(value, field, { at: stepFrom(at, key), depth: depth + 1 })]];
      return [[key, this.readDocs(value, field, { at: stepFrom(at, key), depth: depth + 1 })]];
    });
    return Object.fromEntries(entries);
  }

  private readList(value: JsonValue, field: ContentField, { at, depth }: Pick<Slot, 'at' | 'depth'>): JsonValue {
    if (!Array.isArray(value)) return value;
    const allowed = allowedBy(field);
    return listOf(value).map((child, position) => this.readBlock(child, { at: stepFrom(at, position), depth, allowed }));
  }

  /** Blocks within documents are blocks of the page, wherever in groups and lists the document is. */
  private readDocs(value: JsonValue, field: ContentField, slot: Pick<Slot, 'at' | 'depth'>): JsonValue {
    if (field.type.name === 'doc') {
      const allowed = allowedBy(field);
      return withDocBlocks(value, (block, steps) => this.readBlock(block, { at: pathOf(slot.at, steps), depth: slot.depth, allowed }));
    }
    if (field.fields.length === 0 || value === null) return value;
    const below = (row: JsonObject, at: string): JsonObject =>
      Object.fromEntries(
        Object.entries(row).map(([key, inner]) => {
          const part = field.fields.find((one) => one.key === key);
          return [key, part ? this.readDocs(inner, part, { at: stepFrom(at, key), depth: slot.depth }) : inner];
        }),
      );
    if (isObject(value)) return below(value, slot.at);
    return Array.isArray(value) ? listOf(value).map((row, at) => (isObject(row) ? below(row, stepFrom(slot.at, at)) : row)) : value;
  }

  /** The stored fields of the same block, in the shape of a part. */
  private previousOf(uid: string, component: string, fields: readonly ContentField[]): JsonObject | null {
    const block = this.before.get(uid);
    return block?.component === component ? withStubs(block, fields) : null;
  }

  private assemble(contents: readonly JsonObject[]): Block {
    const checked = new Map(this.parts.map(({ uid, form }, at) => [uid, { form, content: contents[at] ?? {} }]));
    const blockOf = (stub: JsonValue): JsonValue => {
      const part = isBlock(stub) ? checked.get(stub._uid) : undefined;
      if (!part || !isBlock(stub)) return stub;
      return { _uid: stub._uid, component: stub.component, ...withBlocks(part.content, part.form.fields, blockOf) };
    };
    const [root] = this.parts;
    const page = blockOf({ _uid: root?.uid ?? '', component: this.options.template });
    if (!isBlock(page)) throw new Error('A page is assembled from the contents of its parts.');
    return page;
  }

  private refuse(path: string, code: string, message: string): null {
    if (this.faults.length < MOST_FAULTS) this.faults.push({ path, code, message });
    return null;
  }
}

const pathOf = (base: string, steps: Steps): string => steps.reduce<string>(stepFrom, base);

const textsOf = (value: JsonValue | undefined): readonly string[] => listOf(value).filter((one): one is string => typeof one === 'string');

function allowedBy({ label, settings }: ContentField): Allowed | null {
  const [components, groups] = [textsOf(ownField(settings, 'components')), textsOf(ownField(settings, 'groups'))];
  return components.length + groups.length > 0 ? { label, components, groups } : null;
}

const isAllowed = ({ key, group }: Component, { components, groups }: Allowed): boolean =>
  components.includes(key) || (group !== null && groups.includes(group));

/** The fields of a block with its lists and documents changed block by block. */
function withBlocks(content: JsonObject, fields: readonly ContentField[], change: (block: JsonValue) => JsonValue): JsonObject {
  const changed = withValues(content, fields, (value, field) => (field.type.name === 'doc' ? withDocBlocks(value, change) : value));
  const lists = fields.filter((field) => isBlocksField(field) && Array.isArray(ownField(content, field.key)));
  return { ...changed, ...Object.fromEntries(lists.map(({ key }) => [key, listOf(ownField(content, key)).map(change)])) };
}

const withStubs = (block: Block, fields: readonly ContentField[]): JsonObject => {
  const { _uid, component, ...content } = block;
  return withBlocks(content, fields, (child) => (isBlock(child) ? { _uid: child._uid, component: child.component } : child));
};

/** Every block of a stored page, those within documents included. */
function blocksByUid(root: Block, find: FindComponent): Map<string, Block> {
  const found = new Map<string, Block>();
  const add = (block: JsonValue): JsonValue => {
    if (isBlock(block)) {
      found.set(block._uid, block);
      withBlocks(block, find(block.component)?.form.fields ?? [], add);
    }
    return block;
  };
  add(root);
  return found;
}
