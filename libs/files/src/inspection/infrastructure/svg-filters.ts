import type { SvgElement, SvgTree } from './svg-tree';

interface Place {
  readonly tree: SvgTree;
  /** Pixels of the whole drawing. */
  readonly canvas: number;
}

/** What one pixel takes, measured of librsvg. */
const BLUR_NS = 80;
/** Small blurs are made with a kernel. */
const FINE_BLUR_NS = 160;
const FINE_BLUR = 2;
const TURBULENCE_OCTAVE_NS = 45;
const KERNEL_CELL_NS = 8;
const DISPLACEMENT_NS = 600;
const LIGHTING_NS = 70;
const OTHER_NS = 30;
const CANVAS_EDGE = 2048;

/** What filtering an element takes, in nanoseconds: the pixels it may cover times what each primitive does with one. */
export function filterCost(element: SvgElement, value: string, { tree, canvas }: Place): number {
  const scale = scaleAt(element, tree);
  const named = [...value.matchAll(/url\(\s*["']?#([^"')]*)/gi)].flatMap(([, id = '']) => tree.withId(id.trim()));
  const functions =
    value.match(/\b(blur|drop-shadow|brightness|contrast|grayscale|hue-rotate|invert|opacity|saturate|sepia)\s*\(/gi)?.length ?? 0;
  const ofFilters = named.map((filter) => {
    const inUserSpace = filter.attributes['primitiveUnits'] !== 'objectBoundingBox';
    const perPixel = filter.children
      .map((primitive) => perPixelOf(primitive, inUserSpace ? scale : Infinity))
      .reduce((sum, each) => sum + each, 0);
    return pixelsOf(filter, element, { scale, canvas }) * perPixel;
  });
  return functions * canvas * BLUR_NS + ofFilters.reduce((sum, each) => sum + each, 0);
}

function perPixelOf({ name, attributes }: SvgElement, scale: number): number {
  if (name === 'feGaussianBlur' || name === 'feDropShadow')
    return (numbersIn(attributes['stdDeviation'])[0] ?? 2) * scale < FINE_BLUR ? FINE_BLUR_NS : BLUR_NS;
  if (name === 'feTurbulence') return TURBULENCE_OCTAVE_NS * Math.max(1, numbersIn(attributes['numOctaves'])[0] ?? 1);
  if (name === 'feMorphology')
    return KERNEL_CELL_NS * kernel(numbersIn(attributes['radius']).map((radius) => (radius > 0 ? 2 * radius * scale + 1 : 1)));
  if (name === 'feConvolveMatrix') return KERNEL_CELL_NS * kernel(attributes['order'] === undefined ? [3] : numbersIn(attributes['order']));
  if (name === 'feDisplacementMap') return DISPLACEMENT_NS;
  if (name === 'feDiffuseLighting' || name === 'feSpecularLighting') return LIGHTING_NS;
  return OTHER_NS;
}

/** Cells of a kernel whose edges are given as one number or two, none longer than the drawing. */
function kernel([x = 0, y = x]: readonly number[]): number {
  const edge = (length: number): number => Math.max(1, Math.min(length, CANVAS_EDGE));
  return edge(x) * edge(y);
}

/** The region of the filter where it says one in units that are known, else all of the drawing. */
function pixelsOf(filter: SvgElement, element: SvgElement, { scale, canvas }: { readonly scale: number; readonly canvas: number }): number {
  const own = filter.attributes['filterUnits'] === 'userSpaceOnUse';
  const [width, height] = ['width', 'height'].map((edge) => {
    if (own) return lengthOf(filter.attributes[edge]);
    const factor =
      filter.attributes[edge] === undefined
        ? 1.2
        : /%\s*$/.test(filter.attributes[edge])
          ? parseFloat(filter.attributes[edge]) / 100
          : Number(filter.attributes[edge]);
    return (element.name === 'rect' || element.name === 'image' ? lengthOf(element.attributes[edge]) : NaN) * factor;
  });
  const pixels = (width ?? NaN) * (height ?? NaN) * scale * scale;
  return pixels >= 0 ? Math.min(pixels, canvas) : canvas;
}

const lengthOf = (length: string | undefined): number => (/^\s*\d+(\.\d+)?(px)?\s*$/.test(length ?? '') ? parseFloat(length ?? '') : NaN);

/**
 * How much larger an element is drawn than its own numbers say, at most. Known where only transforms are between it
 * and the drawing; what is drawn by reference may be scaled by the referring element.
 */
function scaleAt(element: SvgElement, tree: SvgTree): number {
  let scale = 1;
  for (let at: SvgElement | null = element; at; at = at.parent) {
    if (at.parent === null) return scale * rootScale(at);
    if (at !== element && !/^(g|a|switch)$/.test(at.name)) return Infinity;
    if (tree.isReferred(at.attributes['id'] ?? '')) return Infinity;
    for (const transform of at.styles.get('transform') ?? []) scale *= scaleOf(transform);
  }
  return Infinity;
}

function scaleOf(transform: string): number {
  let scale = 1;
  for (const [, name = '', values = ''] of transform.matchAll(/([a-z]\w*)\s*\(([^)]*)/gi)) {
    const numbers = numbersIn(values);
    if (/^(translate|rotate)/i.test(name)) continue;
    if (/^scale[xy]?$/i.test(name)) scale *= numbers.length > 0 ? Math.max(...numbers.map(Math.abs)) : 1;
    else if (/^matrix$/i.test(name)) scale *= Math.hypot(...numbers.slice(0, 4));
    else return Infinity;
  }
  return scale;
}

/** The view box of the drawing is fitted into its size. */
function rootScale({ attributes }: SvgElement): number {
  const [, , width, height] = numbersIn(attributes['viewBox']);
  if (width === undefined || height === undefined) return 1;
  const shown = Math.max(lengthOf(attributes['width']) || CANVAS_EDGE, lengthOf(attributes['height']) || CANVAS_EDGE);
  return Math.min(CANVAS_EDGE, shown) / Math.min(width, height);
}

const numbersIn = (text: string | undefined): number[] => (text?.match(/[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?/gi) ?? []).map(Number);
