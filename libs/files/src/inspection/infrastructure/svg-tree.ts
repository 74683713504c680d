import sax, { type Parser } from 'sax';
import { addTo, declarationsOf, isDear, StyleRules, type Declarations } from './svg-styles';

/** An element of a drawing, as far as it matters to what it costs to draw it. */
export interface SvgElement {
  /** Without its prefix. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** What attributes, its own style and rules of the document say of it: every value that may hold. */
  readonly styles: Declarations;
  readonly parent: SvgElement | null;
  readonly children: SvgElement[];
  /** Characters directly in it. */
  readonly text: string[];
}

export interface SvgTree {
  readonly root: SvgElement;
  readonly elements: number;
  /** How deeply elements are nested. */
  readonly depth: number;
  /** Questions whether a selector fits an element. */
  readonly stylings: number;
  withId(id: string): readonly SvgElement[];
  /** Whether an element draws the element with the id. */
  isReferred(id: string): boolean;
}

/** Beyond these questions, rules are not applied: the drawing is over every budget. */
const MOST_STYLINGS = 50_000_000;

/** Reads a drawing into its elements; null when it holds none. Markup that is not well-formed is read as far as it goes. */
export function svgTree(drawing: string): SvgTree | null {
  const reader = new TreeReader();
  reader.readDrawing(drawing);
  return reader.buildTree();
}

class TreeReader {
  private readonly all: SvgElement[] = [];
  private readonly ids = new Map<string, SvgElement[]>();
  private readonly hrefs = new Set<string>();
  private readonly rules = new StyleRules();
  private current: SvgElement | null = null;
  private level = 0;
  private depth = 0;

  readDrawing(drawing: string): void {
    // An embedded picture is one long attribute.
    sax.MAX_BUFFER_LENGTH = Infinity;
    const parser = sax.parser(true);
    parser.onerror = () => this.goOn(parser);
    parser.onopentag = ({ name, attributes }) => this.enter(name, attributes);
    parser.onclosetag = () => this.leave();
    parser.ontext = (text) => void this.current?.text.push(text);
    parser.oncdata = (text) => void this.current?.text.push(text);
    parser.write(drawing).close();
  }

  buildTree(): SvgTree | null {
    const [root] = this.all;
    if (!root) return null;
    const stylings = this.rules.count * this.all.length;
    if (stylings <= MOST_STYLINGS) for (const element of this.all) this.rules.applyTo(element);
    return {
      root,
      elements: this.all.length,
      depth: this.depth,
      stylings,
      withId: (id) => this.ids.get(id) ?? [],
      isReferred: (id) => this.hrefs.has(`#${id}`),
    };
  }

  private goOn(parser: Parser): void {
    parser.error = null;
    parser.resume();
  }

  private enter(prefixed: string, given: Readonly<Record<string, string>>): void {
    const attributes = Object.fromEntries(Object.entries(given).map(([name, value]) => [localName(name), value]));
    const styles: Declarations = new Map();
    for (const [name, value] of Object.entries(attributes)) if (isDear(name)) addTo(styles, name, [value]);
    for (const [name, values] of declarationsOf(attributes['style'] ?? '')) addTo(styles, name, values);
    const element: SvgElement = { name: localName(prefixed), attributes, styles, parent: this.current, children: [], text: [] };
    if (attributes['href'] !== undefined) this.hrefs.add(attributes['href']);
    this.current?.children.push(element);
    this.all.push(element);
    if (attributes['id'] !== undefined) addTo(this.ids, attributes['id'], [element]);
    this.current = element;
    this.depth = Math.max(this.depth, ++this.level);
  }

  private leave(): void {
    if (this.current?.name === 'style') this.rules.add(this.current.text.join(''));
    this.current = this.current?.parent ?? null;
    this.level -= 1;
  }
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);
