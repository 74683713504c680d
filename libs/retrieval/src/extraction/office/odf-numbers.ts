/** How a level of a list or of headings shows its number. */
export interface LevelFormat {
  /** `1`, `a`, `A`, `i`, `I`; empty for none. */
  readonly format: string;
  readonly before: string;
  readonly behind: string;
  /** Levels whose numbers are shown, this one included: `2.1` shows two. */
  readonly levels: number;
  readonly start: number;
}

/** A level without numbers. */
export const BULLET: LevelFormat = { format: '', before: '', behind: '', levels: 1, start: 1 };

/** Numbers of one list by level, as they go on from item to item. */
export class ListNumbers {
  private readonly counts: number[] = [];

  /** The number of the next item of a level, from 1; deeper levels begin again. */
  next(level: number, { start }: LevelFormat, from?: number): number {
    const last = this.counts[level];
    const number = from ?? (last === undefined ? start : last + 1);
    this.counts.length = level;
    this.counts[level] = number;
    return number;
  }

  /** The label of the item that `next` counted; empty where the level shows none. */
  label(level: number, formatOf: (level: number) => LevelFormat | undefined): string {
    const format = formatOf(level);
    if (!format || format.format === '') return '';
    const shown: string[] = [];
    for (let at = Math.max(1, level - format.levels + 1); at <= level; at++) {
      const own = formatOf(at)?.format ?? '';
      if (own !== '') shown.push(numeral(this.counts[at] ?? formatOf(at)?.start ?? 1, own));
    }
    return `${format.before}${shown.join('.')}${format.behind}`.trim();
  }
}

const ROMAN: readonly (readonly [string, number])[] = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
];
const LARGEST_ROMAN = 4_000;
const LETTERS = 26;

function numeral(number: number, format: string): string {
  if (!/^[aAiI]$/.test(format) || number < 1) return String(number);
  const small = format.toLowerCase() === 'i' ? roman(number) : letters(number);
  return format === format.toLowerCase() ? small : small.toUpperCase();
}

function roman(number: number): string {
  if (number >= LARGEST_ROMAN) return String(number);
  let rest = number;
  let text = '';
  for (const [sign, value] of ROMAN) {
    while (rest >= value) {
      text += sign;
      rest -= value;
    }
  }
  return text;
}

function letters(number: number): string {
  let text = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / LETTERS)) text = String.fromCharCode(97 + ((rest - 1) % LETTERS)) + text;
  return text;
}
