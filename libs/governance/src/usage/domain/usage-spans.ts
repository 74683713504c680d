import { MINUTE } from '@atrium/platform/kernel';

/** Width of a cell. Offsets of time zones are multiples of it, so local days, weeks and months are made of whole cells. */
export const QUARTER_HOUR = 15 * MINUTE;

/** A stretch of time in milliseconds since 1970, its end not in it. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** A range as it can be summed: whole quarters of an hour from the rollups, what is left of it from the entries themselves. */
export interface CutRange {
  readonly whole: Span;
  /** At most two, each shorter than a quarter of an hour. */
  readonly edges: readonly Span[];
  /** True when an edge was widened to the quarter of an hour, because its entries are no longer kept. */
  readonly widened: boolean;
}

const down = (at: number, step: number): number => Math.floor(at / step) * step;
const up = (at: number, step: number): number => Math.ceil(at / step) * step;

/** Cuts the edges off a range. `keptFrom` is from when on all entries are there. */
export function cutEdges({ from, until }: Span, keptFrom: number): CutRange {
  const first = up(from, QUARTER_HOUR);
  const last = down(until, QUARTER_HOUR);
  const lowerKept = from === first || down(from, QUARTER_HOUR) >= keptFrom;
  const upperKept = until === last || last >= keptFrom;
  if (first > last && lowerKept && upperKept) return { whole: { from: first, until: first }, edges: [{ from, until }], widened: false };
  // A bound on the quarter of an hour includes its own millisecond: widening that would take in a quarter nobody asked for.
  const wideLast = until - last === 1 ? last : up(until, QUARTER_HOUR);
  const whole = { from: lowerKept ? first : down(from, QUARTER_HOUR), until: upperKept ? last : wideLast };
  const edges = [
    { from, until: lowerKept ? first : from },
    { from: upperKept ? last : until, until },
  ].filter((edge) => edge.from < edge.until);
  return { whole: whole.until < whole.from ? { from: whole.from, until: whole.from } : whole, edges, widened: !(lowerKept && upperKept) };
}

/**
 * Cuts a range whose periods `starts` begin by steps, the coarsest first: the stretches of each period that are made of whole
 * steps, and at the end of the list what is left. Neighbours are joined.
 */
export function cutSteps({ from, until }: Span, starts: readonly number[], steps: readonly number[]): Span[][] {
  const cuts = [from, ...starts.filter((start) => start > from && start < until), until];
  const levels: Span[][] = [...steps, 0].map(() => []);
  cuts.slice(1).forEach((end, i) => cutSpan({ from: cuts[i] ?? from, until: end }, steps, levels));
  return levels;
}

/** Adds the parts of one period to the levels they belong to, in the order of time. */
function cutSpan({ from, until }: Span, [step, ...finer]: readonly number[], [level, ...below]: readonly Span[][]): void {
  if (!level) return;
  if (step === undefined) return join(level, { from, until });
  const first = up(from, step);
  const last = down(until, step);
  if (first >= last) return cutSpan({ from, until }, finer, below);
  cutSpan({ from, until: first }, finer, below);
  join(level, { from: first, until: last });
  cutSpan({ from: last, until }, finer, below);
}

function join(spans: Span[], span: Span): void {
  if (span.from >= span.until) return;
  const last = spans.at(-1);
  if (last?.until === span.from) spans[spans.length - 1] = { from: last.from, until: span.until };
  else spans.push(span);
}
