/** Whole numbers from `first` to before `end`. */
export interface NumberRange {
  readonly first: number;
  readonly end: number;
}

export const sizeOf = (ranges: readonly NumberRange[]): number => ranges.reduce((sum, { first, end }) => sum + end - first, 0);

export const numbersIn = (ranges: readonly NumberRange[]): readonly number[] =>
  ranges.flatMap(({ first, end }) => Array.from({ length: end - first }, (_, at) => first + at));

/** The first so many numbers, or all where there are fewer, and the others. */
export function splitRanges(ranges: readonly NumberRange[], count: number): readonly [readonly NumberRange[], readonly NumberRange[]] {
  const taken: NumberRange[] = [];
  const left: NumberRange[] = [];
  let missing = count;
  for (const { first, end } of ranges) {
    const until = Math.min(end, first + missing);
    if (until > first) taken.push({ first, end: until });
    if (until < end) left.push({ first: until, end });
    missing -= until - first;
  }
  return [taken, left];
}

/** As PostgreSQL writes a multirange. */
export const textOf = (ranges: readonly NumberRange[]): string => `{${ranges.map(({ first, end }) => `[${first},${end})`).join(',')}}`;
