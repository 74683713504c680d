/**
 * Views of a picture: hashes of all of it and of the parts that a crop would show, each of 32 hexadecimal digits: 64 bits that
 * tell whether a cell is darker than its right neighbor, and 64 whether it is darker than the one below.
 */
export type Views = string;

const DIGITS = 32;
const BITS = 128;
const EDGE = 8;
/** Views that differ in more bits are of other pictures. */
export const MOST_APART = 14;

/** The view of the whole. */
export const wholeOf = (views: Views): string => views.slice(0, DIGITS);

/** The views of parts. */
export const partsOf = (views: Views): string[] =>
  Array.from({ length: Math.max(0, views.length / DIGITS - 1) }, (_, at) => views.slice((at + 1) * DIGITS, (at + 2) * DIGITS));

/** A view as it is, turned by quarters, and mirrored: the eight orientations of a picture. */
export function turnedAndMirrored(view: string): string[] {
  let { across, down } = gridsOf(view);
  const found: string[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    const mirrored = mirror({ across, down });
    found.push(textOf({ across, down }), textOf(mirrored));
    // Mirrored and with rows for columns is turned by a quarter.
    ({ across, down } = { across: transposed(mirrored.down), down: transposed(mirrored.across) });
  }
  return found;
}

/** How alike two pictures are, 0 to 1, however one was turned or mirrored, or when one is a crop of the other. */
export function likenessOf(a: Views, b: Views): number {
  const [one, other] = [wholeOf(a), wholeOf(b)];
  const pairs = [
    ...turnedAndMirrored(one).map((view) => [view, other] as const),
    ...partsOf(a).map((part) => [part, other] as const),
    ...partsOf(b).map((part) => [one, part] as const),
  ];
  return 1 - Math.min(...pairs.map(([x, y]) => bitsApart(x, y))) / BITS;
}

interface Grids {
  /** By row, whether a cell is darker than its right neighbor. */
  readonly across: readonly boolean[][];
  readonly down: readonly boolean[][];
}

const mirror = ({ across, down }: Grids): Grids => ({
  across: across.map((row) => row.map((bit) => !bit).reverse()),
  down: down.map((row) => [...row].reverse()),
});

const transposed = (grid: readonly boolean[][]): boolean[][] => grid.map((_, y) => grid.map((row) => row[y] ?? false));

function gridsOf(view: string): Grids {
  const bits = [...view].flatMap((digit) => [8, 4, 2, 1].map((bit) => (parseInt(digit, 16) & bit) !== 0));
  const grid = (from: number): boolean[][] => Array.from({ length: EDGE }, (_, y) => bits.slice(from + y * EDGE, from + (y + 1) * EDGE));
  return { across: grid(0), down: grid(EDGE * EDGE) };
}

const textOf = ({ across, down }: Grids): string => viewText([...across.flat(), ...down.flat()]);

/** The bits as hexadecimal digits. */
export function viewText(bits: readonly boolean[]): string {
  let text = '';
  for (let at = 0; at < bits.length; at += 4)
    text += bits
      .slice(at, at + 4)
      .reduce((digit, bit) => digit * 2 + Number(bit), 0)
      .toString(16);
  return text;
}

export function bitsApart(a: string, b: string): number {
  let apart = 0;
  for (let rest = BigInt(`0x${a}`) ^ BigInt(`0x${b}`); rest !== 0n; rest &= rest - 1n) apart++;
  return apart;
}
