import sharp from 'sharp';
import { InspectionError } from './inspection';
import { filterCost } from './svg-filters';
import { svgTree, type SvgElement, type SvgTree } from './svg-tree';

/**
 * What a drawing may take. `elements` counts what is drawn once every reference is followed; `nanoseconds` is what that
 * takes on an ordinary machine, as measured of librsvg, so it is the same for the same drawing wherever it is asked.
 */
export const VECTOR_BUDGET = { elements: 200_000, nanoseconds: 4e9, depth: 500 } as const;

export interface DrawingCost {
  readonly elements: number;
  readonly nanoseconds: number;
}

/** Longest edge a drawing is drawn with: beyond it the renderer goes through all of it again for each tile. */
const DRAWN_EDGE = 2000;

const ELEMENT_NS = 8_000;
const PATH_CHARACTER_NS = 60;
/** A line of text is laid out in the square of its length. */
const TEXT_SQUARE_NS = 16;
const MASK_PIXEL_NS = 9;
const LAYER_PIXEL_NS = 1;
const IMAGE_PIXEL_NS = 60;
const STYLING_NS = 100;

/** Elements that draw nothing where they stand, but where they are referred to. */
const DEFINITIONS = new Set([
  'defs',
  'symbol',
  'clipPath',
  'mask',
  'pattern',
  'marker',
  'filter',
  'linearGradient',
  'radialGradient',
  'style',
  'metadata',
  'title',
  'desc',
  'script',
]);
const POINTED = new Set(['path', 'polyline', 'polygon', 'line']);

/** Refuses a drawing that would take too long, before anything of it is drawn. */
export async function assertWithinBudget(drawing: string): Promise<void> {
  const { elements, nanoseconds } = await drawingCost(drawing);
  if (elements > VECTOR_BUDGET.elements || nanoseconds > VECTOR_BUDGET.nanoseconds) throw new InspectionError('too_complex');
}

/** What drawing this would take; infinite where elements or references are nested too deeply to be followed. */
export async function drawingCost(drawing: string): Promise<DrawingCost> {
  const tree = svgTree(drawing);
  if (!tree) return { elements: 0, nanoseconds: 0 };
  if (tree.depth > VECTOR_BUDGET.depth) return { elements: Infinity, nanoseconds: Infinity };
  const images = await imageSizes(tree.root);
  const { elements, nanoseconds } = new CostReader(tree, images).of(tree.root, 1);
  return { elements: Math.max(elements, tree.elements), nanoseconds: nanoseconds + tree.stylings * STYLING_NS };
}

/** How much smaller than it says a drawing is drawn. */
export const drawnScale = (width: number, height: number): number => Math.min(1, DRAWN_EDGE / Math.max(width, height));

interface Cost extends DrawingCost {
  /** Points that markers may stand on. */
  readonly points: number;
}

const NOTHING: Cost = { elements: 0, nanoseconds: 0, points: 0 };
const ENDLESS: Cost = { elements: Infinity, nanoseconds: Infinity, points: Infinity };

class CostReader {
  private readonly known = new Map<SvgElement, Cost>();
  private readonly open = new Set<SvgElement>();
  private readonly canvas: number;

  constructor(
    private readonly tree: SvgTree,
    private readonly images: ReadonlyMap<string, number>,
  ) {
    this.canvas = canvasOf(tree.root);
  }

  /** What it takes to draw an element once. What refers to itself is drawn nowhere. */
  of(element: SvgElement, depth: number): Cost {
    const known = this.known.get(element);
    if (known) return known;
    if (this.open.has(element)) return NOTHING;
    if (depth > VECTOR_BUDGET.depth) return ENDLESS;
    this.open.add(element);
    const cost = this.withStyles(element, this.ofContent(element, depth), depth);
    this.open.delete(element);
    this.known.set(element, cost);
    return cost;
  }

  private ofContent(element: SvgElement, depth: number): Cost {
    const { name, attributes } = element;
    const drawn = this.sum(
      element.children.filter((child) => !DEFINITIONS.has(child.name)),
      depth,
    );
    const own =
      ELEMENT_NS +
      (attributes['d'] ?? attributes['points'] ?? '').length * PATH_CHARACTER_NS +
      element.text.join('').length ** 2 * TEXT_SQUARE_NS;
    const href = attributes['href'] ?? '';
    const referred = name === 'use' || name === 'feImage' ? this.referred(href, depth) : NOTHING;
    const image = name === 'image' || name === 'feImage' ? (this.images.get(href) ?? 0) * IMAGE_PIXEL_NS : 0;
    return {
      elements: 1 + drawn.elements + referred.elements,
      nanoseconds: own + image + drawn.nanoseconds + referred.nanoseconds,
      points: drawn.points + referred.points + (POINTED.has(name) ? pointsOf(attributes) : 0),
    };
  }

  /** What is painted with a pattern, masked, cut out, filtered or marked takes more, and so does all in it that inherits this. */
  private withStyles(element: SvgElement, plain: Cost, depth: number): Cost {
    let { elements, nanoseconds } = plain;
    const add = (cost: DrawingCost, times = 1): void => {
      if (times === 0) return;
      elements += cost.elements * times;
      nanoseconds += cost.nanoseconds * times;
    };
    for (const [property, values] of element.styles) {
      for (const value of values) {
        const references = referencesIn(value);
        if (property === 'filter') add({ elements: 0, nanoseconds: filterCost(element, value, { tree: this.tree, canvas: this.canvas }) });
        if (property === 'mask' && references.length > 0) add({ elements: 0, nanoseconds: this.canvas * MASK_PIXEL_NS });
        if (property === 'opacity' || property === 'mix-blend-mode') add({ elements: 0, nanoseconds: this.canvas * LAYER_PIXEL_NS });
        const times = property === 'fill' || property === 'stroke' ? plain.elements : property.startsWith('marker') ? plain.points : 1;
        for (const id of references) add(this.referred(`#${id}`, depth), times);
      }
    }
    return { elements, nanoseconds, points: plain.points };
  }

  /** What is referred to, and what that takes its own content from. */
  private referred(href: string, depth: number): Cost {
    if (!href.startsWith('#') || depth > VECTOR_BUDGET.depth) return NOTHING;
    const targets = this.tree.withId(href.slice(1));
    const costs = targets.map((target) =>
      target.children.length === 0 && target.name === 'pattern'
        ? this.referred(target.attributes['href'] ?? '', depth + 1)
        : this.of(target, depth + 1),
    );
    return costs.reduce(plus, NOTHING);
  }

  private sum(elements: readonly SvgElement[], depth: number): Cost {
    return elements.map((element) => this.of(element, depth + 1)).reduce(plus, NOTHING);
  }
}

const plus = (a: Cost, b: Cost): Cost => ({
  elements: a.elements + b.elements,
  nanoseconds: a.nanoseconds + b.nanoseconds,
  points: a.points + b.points,
});

const referencesIn = (value: string): string[] => [...value.matchAll(/url\(\s*["']?#([^"')]*)/gi)].map(([, id = '']) => id.trim());

/** Letters for the commands of a path, or pairs of numbers: never fewer points than there are. */
const pointsOf = ({ d = '', points = '' }: Readonly<Record<string, string>>): number =>
  2 + (`${d} ${points}`.match(/[+-]?(\d+\.?\d*|\.\d+)/g)?.length ?? 0);

/** Pixels of the drawing as it is rendered, as far as its first element says; else the most there can be. */
function canvasOf({ attributes }: SvgElement): number {
  const largest = DRAWN_EDGE ** 2;
  const [width, height] = [attributes['width'], attributes['height']].map((length) =>
    /^\s*\d+(\.\d+)?(px)?\s*$/.test(length ?? '') ? parseFloat(length ?? '') : NaN,
  );
  const pixels = (width ?? NaN) * (height ?? NaN);
  return pixels > 0 ? Math.min(pixels, largest) : largest;
}

/** Pixels of every picture within the drawing, as its header says. */
async function imageSizes(root: SvgElement): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  const waiting = [root];
  for (let element = waiting.pop(); element; element = waiting.pop()) {
    waiting.push(...element.children);
    const href = element.attributes['href'] ?? '';
    if (!href.startsWith('data:image/') || sizes.has(href)) continue;
    sizes.set(href, await pixelsOfImage(href));
  }
  return sizes;
}

/** Nothing is fetched: the bytes stand in the address itself. */
async function pixelsOfImage(href: string): Promise<number> {
  try {
    const bytes = Buffer.from(await (await fetch(href)).arrayBuffer());
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    return width * height;
  } catch {
    return 0;
  }
}
