import { viewText, type Views } from '../domain/picture-views';
import { pipelineOf, type UprightPicture } from './picture-features';

/** Places on each axis at which crops are looked for: those to four fifths more closely, because they differ more. */
const CROPS = [
  { width: 0.8, height: 0.8, steps: 5 },
  { width: 0.9, height: 0.9, steps: 3 },
  { width: 0.8, height: 1, steps: 3 },
  { width: 1, height: 0.8, steps: 3 },
] as const;
const EDGE = 8;
/** A view of one tone has hardly a bit set, or hardly one not: that says nothing about what it shows. */
const LEAST_TELLING = 6;

/** What sums of equal cells may differ in for rounding. */
const NO_DIFFERENCE = 1e-3;

interface Part {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Sums of all pixels above and left of each, so that the mean of any rectangle takes four of them. */
interface Sums {
  readonly sums: Float64Array;
  readonly width: number;
  readonly height: number;
}

/** The views of a picture, the whole first; undefined when it shows too little to be recognized by them. */
export async function viewsOf(picture: UprightPicture): Promise<Views | undefined> {
  const sums = await summed(picture);
  const whole = viewOf(sums, { left: 0, top: 0, width: 1, height: 1 });
  if (whole === undefined) return undefined;
  return [whole, ...cropped().flatMap((part) => viewOf(sums, part) ?? [])].join('');
}

const cropped = (): Part[] =>
  CROPS.flatMap(({ width, height, steps }) =>
    offsets(width, steps).flatMap((left) => offsets(height, steps).map((top) => ({ left, top, width, height }))),
  );

const offsets = (length: number, steps: number): number[] =>
  length === 1 ? [0] : Array.from({ length: steps }, (_, step) => ((1 - length) * step) / (steps - 1));

function viewOf(sums: Sums, part: Part): string | undefined {
  const across = cells(sums, part, { columns: EDGE + 1, rows: EDGE });
  const down = cells(sums, part, { columns: EDGE, rows: EDGE + 1 });
  const places = Array.from({ length: EDGE * EDGE }, (_, at) => ({ x: at % EDGE, y: Math.floor(at / EDGE) }));
  const right = places.map(({ x, y }) => (across[y]?.[x + 1] ?? 0) - (across[y]?.[x] ?? 0) > NO_DIFFERENCE);
  const below = places.map(({ x, y }) => (down[y + 1]?.[x] ?? 0) - (down[y]?.[x] ?? 0) > NO_DIFFERENCE);
  const telling = [right, below].some(
    (bits) => bits.filter(Boolean).length >= LEAST_TELLING && bits.filter(Boolean).length <= EDGE * EDGE - LEAST_TELLING,
  );
  return telling ? viewText([...right, ...below]) : undefined;
}

/** Sums of the cells of a grid laid over a part; all cells are of one size, so sums compare as means do. */
function cells(
  sums: Sums,
  { left, top, width, height }: Part,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): number[][] {
  const [x, y] = [
    (column: number): number => (left + (width * column) / columns) * sums.width,
    (row: number): number => (top + (height * row) / rows) * sums.height,
  ];
  return Array.from({ length: rows }, (_, row) =>
    Array.from(
      { length: columns },
      (__, column) =>
        sumAt(sums, x(column + 1), y(row + 1)) -
        sumAt(sums, x(column), y(row + 1)) -
        sumAt(sums, x(column + 1), y(row)) +
        sumAt(sums, x(column), y(row)),
    ),
  );
}

/** Between pixels, in proportion. */
function sumAt({ sums, width, height }: Sums, x: number, y: number): number {
  const [x0, y0] = [Math.min(width, Math.floor(x)), Math.min(height, Math.floor(y))];
  const [x1, y1] = [Math.min(width, x0 + 1), Math.min(height, y0 + 1)];
  const at = (column: number, row: number): number => sums[row * (width + 1) + column] ?? 0;
  const upper = at(x0, y0) + (at(x1, y0) - at(x0, y0)) * (x - x0);
  const lower = at(x0, y1) + (at(x1, y1) - at(x0, y1)) * (x - x0);
  return upper + (lower - upper) * (y - y0);
}

async function summed(picture: UprightPicture): Promise<Sums> {
  const { data, info } = await pipelineOf(picture)
    .flatten({ background: '#ffffff' })
    .greyscale()
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const sums = new Float64Array((width + 1) * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0, row = 0; x < width; x++) {
      row += data[y * width + x] ?? 0;
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row;
    }
  }
  return { sums, width, height };
}
