import { signOf, type Stretch } from './raised-signs';
import type { TextPiece } from './text-piece';

/** A line of one column. */
export interface Line {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  /** What wide gaps part the line into. */
  readonly parts: readonly string[];
}

interface Segment extends Line {
  readonly pieces: readonly TextPiece[];
}

/** Pieces on one line are as far apart as words at most; in parts of their size. */
const SAME_LINE = 0.4;
const WORD_GAP = 0.18;
const RAISED_GAP = 0.35;
const SEGMENT_GAP = 1.3;
/** A gutter is at least this wide, and hardly any line crosses it. */
const GUTTER = 0.7;
const CROSSING = 0.2;
/** Columns of prose have lines of a sentence's length; those of a table have cells. */
const PROSE = 18;
const LEAST_LINES = 4;
/** Columns of fewer lines are such if their lines go on in the middle of a sentence, or end with one; beside such a column, one line is. */
const LEAST_FLOWING = 2;
const LEAST_BESIDE_ONE = 3;
const ENDED = /[.!?]["”’)]?$/;
/** Lines of a column that go on are about as wide as the column. */
const FULL = 0.7;
/** Characters before a sign that say whether it is raised. */
const END = 8;

/** The lines of a page in the order of reading: column after column between whatever spans them all. */
export function linesOf(pieces: readonly TextPiece[]): Line[] {
  const segments = segmentsOf(pieces.filter(({ text }) => text.trim() !== ''));
  const gutter = gutterOf(segments);
  if (gutter === undefined) return betweenLines(segments) ?? joined(segments);
  const lines: Line[] = [];
  let band: Segment[] = [];
  const flush = (): void => {
    lines.push(...linesOf(band.filter(({ right }) => right <= gutter).flatMap(({ pieces: own }) => own)));
    lines.push(...linesOf(band.filter(({ right }) => right > gutter).flatMap(({ pieces: own }) => own)));
    band = [];
  };
  for (const segment of segments) {
    const spans = segment.x < gutter - 1 && segment.right > gutter + 1;
    if (!spans) band.push(segment);
    else {
      flush();
      lines.push(...joined([segment]));
    }
  }
  flush();
  return lines;
}

/** Short columns between a headline and whatever is below them; undefined where there are none. */
function betweenLines(segments: readonly Segment[]): Line[] | undefined {
  const isBeside = (at: number): boolean => [at - 1, at + 1].some((other) => isOneRow(segments[at], segments[other]));
  const first = segments.findIndex((_, at) => isBeside(at));
  const end = segments.findLastIndex((_, at) => isBeside(at)) + 1;
  if (first < 0 || end - first === segments.length) return undefined;
  const between = segments.slice(first, end);
  if (gutterOf(between) === undefined) return undefined;
  return [...joined(segments.slice(0, first)), ...linesOf(between.flatMap(({ pieces }) => pieces)), ...joined(segments.slice(end))];
}

const isOneRow = (one: Segment | undefined, other: Segment | undefined): boolean =>
  one !== undefined && other !== undefined && Math.abs(one.y - other.y) <= SAME_LINE * Math.min(one.size, other.size);

/** Of more numbers than a call takes. */
const least = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.min(one, other), Infinity);
const most = (numbers: readonly number[]): number => numbers.reduce((one, other) => Math.max(one, other), -Infinity);

/** Pieces beside each other, from the top to the bottom and from left to right. */
function segmentsOf(pieces: readonly TextPiece[]): Segment[] {
  const rows: TextPiece[][] = [];
  for (const piece of [...pieces].sort((a, b) => b.y - a.y || a.x - b.x)) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    if (row && first && Math.abs(first.y - piece.y) <= SAME_LINE * Math.min(first.size, piece.size)) row.push(piece);
    else rows.push([piece]);
  }
  return rows.flatMap((row) => {
    const segments: TextPiece[][] = [];
    let right = 0;
    for (const piece of row.sort((a, b) => a.x - b.x)) {
      const last = segments.at(-1);
      if (last && piece.x - right <= SEGMENT_GAP * piece.size) last.push(piece);
      else segments.push([piece]);
      right = Math.max(last ? right : 0, piece.x + piece.width);
    }
    return segments.map(segmentOf);
  });
}

function segmentOf(pieces: readonly TextPiece[]): Segment {
  const size = prevailingSize(pieces);
  const base = pieces.find((piece) => piece.size === size) ?? pieces[0];
  const text = textOf(pieces);
  return {
    text,
    parts: [text],
    x: least(pieces.map(({ x }) => x)),
    right: most(pieces.map(({ x, width }) => x + width)),
    y: base?.y ?? 0,
    size,
    pieces,
  };
}

function textOf(pieces: readonly TextPiece[]): string {
  const backwards = pieces.filter(({ rightToLeft }) => rightToLeft).length > pieces.length / 2;
  const stretches = stretchesOf(backwards ? [...pieces].reverse() : pieces, backwards);
  const written: string[] = [];
  /** The end of what is written, as much as is needed: a line may have thousands of pieces. */
  let end = '';
  const write = (text: string): void => {
    written.push(text);
    end = (end + text).slice(-END);
  };
  for (const [at, stretch] of stretches.entries()) {
    write(stretch.shift ? signOf(stretch, end, stretches[at + 1], stretches[at + 2]) : stretch.text);
    // The number of a note is before its words; that in front of a stroke is the upper half of a fraction.
    const isNote = at === 0 && stretch.shift === 'raised' && /\d$/.test(stretch.text);
    if (isNote && !/^\s*[/⁄]/.test(stretches[at + 1]?.text ?? '')) write(' ');
  }
  return written.join('').replace(/\s+/g, ' ').trim();
}

/** Pieces with the blanks between their words; signs of a line that is read from right to left stay as they are. */
function stretchesOf(pieces: readonly TextPiece[], backwards: boolean): Stretch[] {
  const stretches: { readonly shift: TextPiece['shift']; text: string }[] = [];
  let last: TextPiece | undefined;
  for (const piece of pieces) {
    const gap = !last ? 0 : backwards ? last.x - (piece.x + piece.width) : piece.x - (last.x + last.width);
    const wordGap = last && (piece.shift ? RAISED_GAP * last.size : WORD_GAP * Math.min(piece.size, last.size));
    const isWord = last && wordGap !== undefined && gap > wordGap && !/\s$/.test(last.text) && !/^\s/.test(piece.text);
    const text = isWord ? ` ${piece.text}` : piece.text;
    const before = stretches.at(-1);
    const shift = backwards ? undefined : piece.shift;
    if (before && shift !== undefined && before.shift === shift) before.text += text;
    else stretches.push({ shift, text });
    last = piece;
  }
  return stretches;
}

function prevailingSize(pieces: readonly TextPiece[]): number {
  const counts = new Map<number, number>();
  for (const { size, text } of pieces) counts.set(size, (counts.get(size) ?? 0) + text.length);
  return [...counts].sort(([, m], [, n]) => n - m)[0]?.[0] ?? 0;
}

/** The middle of the gap between two columns of prose; undefined where a page has one column, or a table. */
function gutterOf(segments: readonly Segment[]): number | undefined {
  if (segments.length < LEAST_FLOWING * 2) return undefined;
  const left = Math.floor(least(segments.map(({ x }) => x)));
  const right = Math.ceil(most(segments.map((segment) => segment.right)));
  if (!(right - left < 20_000)) return undefined;
  const cover = new Array<number>(Math.max(0, right - left + 1)).fill(0);
  for (const segment of segments) {
    for (let x = Math.floor(segment.x) - left; x <= Math.ceil(segment.right) - left; x++) cover[x] = (cover[x] ?? 0) + 1;
  }
  const size = prevailingSize(segments.flatMap(({ pieces }) => pieces));
  const [wide, middle] = widestGap(cover, segments.length * CROSSING, left, right);
  if (wide < GUTTER * size) return undefined;
  const [first, second] = [segments.filter((each) => each.right <= middle), segments.filter(({ x }) => x >= middle)];
  const columns = [
    { side: first, flows: isFlowing(first) || endsInTime(first, second) },
    { side: second, flows: isFlowing(second) || endsInTime(second, []) },
  ];
  const fewest = columns.some(({ side, flows }) => flows && side.length >= LEAST_BESIDE_ONE) ? 1 : LEAST_FLOWING;
  const isProse = columns.every(({ side, flows }) => side.length >= (flows ? fewest : LEAST_LINES) && medianLength(side) >= PROSE);
  return isProse ? middle : undefined;
}

/** The widest stretch that few lines cross, away from the margins. */
function widestGap(cover: readonly number[], mostCrossing: number, left: number, right: number): [wide: number, middle: number] {
  let best: [number, number] = [0, 0];
  let start = -1;
  const margin = (right - left) * 0.15;
  for (let at = 0; at <= cover.length; at++) {
    const open = at < cover.length && (cover[at] ?? 0) <= mostCrossing;
    if (open && start < 0) start = at;
    if (open || start < 0) continue;
    const middle = (start + at) / 2;
    if (at - start > best[0] && middle > margin && middle < cover.length - margin) best = [at - start, left + middle];
    start = -1;
  }
  return best;
}

/** Most of the lines below the first go on with a small letter. */
const isFlowing = (side: readonly Segment[]): boolean =>
  side.slice(1).filter(({ text }) => /^\p{Ll}/u.test(text)).length * 2 > side.length - 1;

/** Its last sentence ends, or goes on in the next column, and no line before that breaks off early, as the head of a table does. */
function endsInTime(side: readonly Segment[], next: readonly Segment[]): boolean {
  const width = most(side.map(({ right }) => right)) - least(side.map(({ x }) => x));
  const isWhole = ({ text, x, right }: Segment): boolean => ENDED.test(text) || right - x >= width * FULL;
  const goesOn = /^\p{Ll}/u.test(next[0]?.text ?? '');
  return (goesOn || ENDED.test(side.at(-1)?.text ?? '')) && side.slice(0, -1).every(isWhole);
}

const medianLength = (segments: readonly Segment[]): number =>
  segments.map(({ text }) => text.length).sort((a, b) => a - b)[Math.floor(segments.length / 2)] ?? 0;

/** Segments of one baseline as one line. */
function joined(segments: readonly Segment[]): Line[] {
  const lines: { segments: Segment[]; first: Segment; right: number; size: number }[] = [];
  for (const segment of segments) {
    const { x, right, y, size } = segment;
    const last = lines.at(-1);
    if (last && Math.abs(last.first.y - y) <= SAME_LINE * Math.min(last.size, size) && x >= last.right) {
      last.segments.push(segment);
      last.right = right;
      last.size = Math.max(last.size, size);
    } else lines.push({ segments: [segment], first: segment, right, size });
  }
  return lines.map(({ segments: beside, first: { x, y }, right, size }) => ({
    text: beside.map(({ text }) => text).join(' '),
    parts: beside.flatMap(({ parts }) => parts),
    x,
    right,
    y,
    size,
  }));
}
