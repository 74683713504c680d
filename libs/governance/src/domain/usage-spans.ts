import { DAY, MINUTE } from '@atrium/platform/kernel';

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

/** The full UTC days within the periods that `starts` begin, and what is left of them; neighbours are joined. */
export function cutDays({ from, until }: Span, starts: readonly number[]): { readonly days: Span[]; readonly cells: Span[] } {
  const cuts = [from, ...starts.filter((start) => start > from && start < until), until];
  const days: Span[] = [];
  const cells: Span[] = [];
  cuts.slice(1).forEach((end, i) => {
    const begin = cuts[i] ?? from;
    const firstDay = up(begin, DAY);
    const lastDay = down(end, DAY);
    if (firstDay >= lastDay) return join(cells, { from: begin, until: end });
    join(cells, { from: begin, until: firstDay });
    join(days, { from: firstDay, until: lastDay });
    join(cells, { from: lastDay, until: end });
  });
  return { days, cells };
}

function join(spans: Span[], span: Span): void {
  if (span.from >= span.until) return;
  const last = spans.at(-1);
  if (last?.until === span.from) spans[spans.length - 1] = { from: last.from, until: span.until };
  else spans.push(span);
}
