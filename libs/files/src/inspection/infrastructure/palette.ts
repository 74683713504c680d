import type { ColorShare } from './inspection';

const MOST_COLORS = 6;
const SMALLEST_SHARE = 0.02;
/** Colors nearer than this count as one: squared distance in OKLab. */
const SAME_COLOR = 0.012;

interface Cluster {
  count: number;
  readonly sum: [number, number, number];
}

/** The main colors of RGBA pixels, largest share first; shares are of the pixels that can be seen. */
export function paletteOf(pixels: Uint8Array): ColorShare[] {
  const cells = new Map<number, Cluster>();
  let seen = 0;
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < 128) continue;
    seen++;
    const cell = ((red >> 4) << 8) | ((green >> 4) << 4) | (blue >> 4);
    add(cells, cell, red, green, blue);
  }
  return merged([...cells.values()].sort((a, b) => b.count - a.count))
    .map((cluster) => ({ hex: hexOf(cluster), share: Math.round((cluster.count / seen) * 1000) / 1000 }))
    .filter(({ share }) => share >= SMALLEST_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, MOST_COLORS);
}

function add(cells: Map<number, Cluster>, cell: number, red: number, green: number, blue: number): void {
  const cluster = cells.get(cell) ?? { count: 0, sum: [0, 0, 0] };
  cluster.count++;
  cluster.sum[0] += red;
  cluster.sum[1] += green;
  cluster.sum[2] += blue;
  cells.set(cell, cluster);
}

/** Each cell joins the first, hence larger, color that looks the same; otherwise it is a color of its own. */
function merged(cells: readonly Cluster[]): Cluster[] {
  const colors: (Cluster & { readonly lab: readonly number[] })[] = [];
  for (const cell of cells) {
    const lab = labOf(mean(cell));
    const like = colors.find((color) => distance(color.lab, lab) < SAME_COLOR);
    if (!like) {
      colors.push({ count: cell.count, sum: [...cell.sum], lab });
      continue;
    }
    like.count += cell.count;
    cell.sum.forEach((part, index) => (like.sum[index as 0 | 1 | 2] += part));
  }
  return colors;
}

const mean = ({ sum, count }: Cluster): number[] => sum.map((part) => part / count);

const hexOf = (cluster: Cluster): string =>
  `#${mean(cluster)
    .map((part) => Math.round(part).toString(16).padStart(2, '0'))
    .join('')}`;

const distance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, part, index) => sum + (part - (b[index] ?? 0)) ** 2, 0);

/** OKLab, in which equal distances look equally different. */
function labOf(rgb: readonly number[]): number[] {
  const [red = 0, green = 0, blue = 0] = rgb.map((part) => linear(part / 255));
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
