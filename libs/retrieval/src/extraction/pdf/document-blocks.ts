import type { Line } from './page-lines';

export interface PageLines {
  readonly page: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** How much larger than the body the type of a heading is. */
const HEADING = 1.2;
const LONGEST_HEADING = 250;
/** Levels that sizes give; a document with more sizes shows the smaller ones alike. */
const MOST_LEVELS = 4;
/** Parts of the pages that a line repeats on to be a header or footer, and pages there must be. */
const REPEATED = 0.6;
const LEAST_PAGES = 3;
/** Part of the height at the top and bottom that headers and footers are in. */
const EDGE = 0.13;
const PARAGRAPH_GAP = 1.6;
const BULLET = /^[•◦▪▫‣●○■□–—*·\uF0B7\uF0A7-]\s+/;
const NUMBER = /^(?:\d{1,3}[.)]|[a-z][.)]|\([a-z\d]{1,3}\))\s+/i;
const NO_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}。、，；：]/u;

/** What is the same in a whole document: the size of its body, the levels of larger sizes, and what repeats on its pages. */
export class DocumentStyle {
  private readonly body: number;
  private readonly levels: ReadonlyMap<number, number>;
  private readonly repeated: ReadonlySet<string>;

  constructor(pages: readonly PageLines[]) {
    const sizes = new Map<number, number>();
    for (const { lines } of pages) for (const { size, text } of lines) sizes.set(half(size), (sizes.get(half(size)) ?? 0) + text.length);
    this.body = [...sizes].sort(([, m], [, n]) => n - m)[0]?.[0] ?? 0;
    const larger = [...sizes.keys()].filter((size) => size >= this.body * HEADING).sort((a, b) => b - a);
    this.levels = new Map(larger.map((size, at) => [size, Math.min(MOST_LEVELS, at + 1)]));
    this.repeated = repeatedLines(pages);
  }

  /** The blocks of a page, without headers and footers. */
  blocksOf({ lines, height }: PageLines): Block[] {
    const builder = new BlockBuilder();
    for (const line of lines) {
      const mark = edgeMark(line, height);
      if (mark !== undefined && this.repeated.has(mark)) continue;
      const level = line.text.length <= LONGEST_HEADING && /[\p{L}\p{N}]/u.test(line.text) ? this.levels.get(half(line.size)) : undefined;
      builder.add(line, level);
    }
    return builder.finish();
  }
}

const half = (size: number): number => Math.round(size * 2) / 2;

/** A line at the edge of its page, by its words without their numbers and by its position. */
function edgeMark({ text, y }: Line, height: number): string | undefined {
  const place = y / Math.max(1, height);
  if (place > EDGE && place < 1 - EDGE) return undefined;
  return `${place < 0.5 ? 'foot' : 'head'} ${text.toLowerCase().replace(/\d+|\b[ivxlc]+\b/g, '#')}`;
}

function repeatedLines(pages: readonly PageLines[]): Set<string> {
  if (pages.length < LEAST_PAGES) return new Set();
  const counts = new Map<string, number>();
  for (const { lines, height } of pages) {
    const marks = new Set(lines.flatMap((line) => edgeMark(line, height) ?? []));
    for (const mark of marks) counts.set(mark, (counts.get(mark) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count > pages.length * REPEATED).map(([mark]) => mark));
}

/** Puts lines together that one paragraph, heading or point of a list was broken into. */
class BlockBuilder {
  private readonly blocks: Block[] = [];
  private open: { readonly kind: 'heading' | 'paragraph' | 'item'; readonly level: number; text: string; readonly x: number } | undefined;
  private last: Line | undefined;
  private gap = 0;

  add(line: Line, level: number | undefined): void {
    const kind = level !== undefined ? 'heading' : BULLET.test(line.text) || NUMBER.test(line.text) ? 'item' : 'paragraph';
    if (this.continues(line, kind, level ?? 0) && this.open) this.open.text = joinLines(this.open.text, line.text);
    else {
      this.close();
      this.open = { kind, level: level ?? 0, text: line.text, x: line.x };
    }
    this.last = line;
  }

  finish(): Block[] {
    this.close();
    return this.blocks;
  }

  private continues(line: Line, kind: 'heading' | 'paragraph' | 'item', level: number): boolean {
    const { open, last } = this;
    if (!open || !last || kind === 'item') return false;
    const gap = last.y - line.y;
    const near = gap > 0 && gap <= PARAGRAPH_GAP * Math.max(line.size, last.size);
    // Another column begins at the top.
    if (!near && gap > 0) return false;
    if (kind === 'heading') return open.kind === 'heading' && open.level === level && near;
    if (open.kind === 'heading' || half(last.size) !== half(line.size)) return false;
    if (open.kind === 'item') return near && line.x > open.x + 1;
    const wider = near && this.gap > 0 && gap > this.gap * 1.25;
    this.gap = near ? (this.gap === 0 ? gap : Math.min(this.gap, gap)) : this.gap;
    const ended = /[.!?:]["”’)]?$/.test(last.text);
    const indented = line.x > last.x + line.size * 0.8 && ended;
    return !wider && !indented && (near || !ended);
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    this.gap = 0;
    if (!open) return;
    if (open.kind === 'heading') this.blocks.push({ kind: 'heading', level: open.level, text: open.text });
    else if (open.kind === 'paragraph') this.blocks.push({ kind: 'paragraph', text: open.text });
    else this.addItem(open.text);
  }

  private addItem(text: string): void {
    const last = this.blocks.at(-1);
    if (last?.kind === 'list') this.blocks[this.blocks.length - 1] = { kind: 'list', items: [...last.items, text] };
    else this.blocks.push({ kind: 'list', items: [text] });
  }
}

/** A word that was broken at the end of a line is one word again; scripts without spaces get none. */
function joinLines(above: string, below: string): string {
  if (above.endsWith('\u00AD')) return above.slice(0, -1) + below;
  if (/\p{L}[-‐]$/u.test(above) && /^\p{Ll}/u.test(below)) return above.slice(0, -1) + below;
  const [last, first] = [above.at(-1) ?? '', below.at(0) ?? ''];
  return NO_SPACES.test(last) && NO_SPACES.test(first) ? above + below : `${above} ${below}`;
}

/** A point of a list as markdown: its own number stays, a bullet becomes that of markdown. */
export const pointOf = (text: string): { readonly mark: string; readonly words: string } => {
  const number = /^(\d{1,3})[.)]\s+/.exec(text);
  if (number) return { mark: `${number[1]}.`, words: text.slice(number[0].length) };
  return { mark: '-', words: text.replace(BULLET, '') };
};
