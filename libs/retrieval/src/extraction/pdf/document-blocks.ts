import { joinLines, KnownWords } from './line-joints';
import { beginsItem } from './list-items';
import type { Line } from './page-lines';
import type { PageLines } from './page-of-lines';
import { runningLines } from './running-lines';

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

/** How much larger than the body the type of a heading is. */
const HEADING = 1.2;
const LONGEST_HEADING = 250;
/** Levels that sizes give; a document with more sizes shows the smaller ones alike. */
const MOST_LEVELS = 4;
const PARAGRAPH_GAP = 1.6;
/** Lines in which the second point of a list is looked for. */
const MOST_BELOW = 12;

/** What is the same in a whole document: the size of its body, the levels of larger sizes, what repeats on its pages, and its words. */
export class DocumentStyle {
  private readonly body: number;
  private readonly levels: ReadonlyMap<number, number>;
  private readonly running: ReadonlyMap<PageLines, ReadonlySet<Line>>;
  private readonly known: KnownWords;

  constructor(pages: readonly PageLines[]) {
    const sizes = new Map<number, number>();
    for (const { lines } of pages) for (const { size, text } of lines) sizes.set(half(size), (sizes.get(half(size)) ?? 0) + text.length);
    this.body = [...sizes].sort(([, m], [, n]) => n - m)[0]?.[0] ?? 0;
    const larger = [...sizes.keys()].filter((size) => size >= this.body * HEADING).sort((a, b) => b - a);
    this.levels = new Map(larger.map((size, at) => [size, Math.min(MOST_LEVELS, at + 1)]));
    this.running = runningLines(pages, this.body);
    this.known = new KnownWords(() => pages.flatMap(({ lines }) => lines.map(({ text }) => text)));
  }

  /** The blocks of a page, without headers and footers. */
  blocksOf(page: PageLines): Block[] {
    const left = this.running.get(page);
    return [page.lines, ...page.aside].flatMap((lines) => {
      const builder = new BlockBuilder(this.known);
      for (const [at, line] of lines.entries()) {
        const below = (): readonly Line[] => lines.slice(at + 1, at + 1 + MOST_BELOW);
        if (!left?.has(line)) builder.add(line, this.levelOf(line), below);
      }
      return builder.finish();
    });
  }

  /** The headers and footers that it does without. */
  leftOutOf(page: PageLines): string[] {
    return [...(this.running.get(page) ?? [])].map(({ text }) => text);
  }

  private levelOf({ text, size }: Line): number | undefined {
    return text.length <= LONGEST_HEADING && /[\p{L}\p{N}]/u.test(text) ? this.levels.get(half(size)) : undefined;
  }
}

const ENDED = /[.!?:]["”’)]?$/;
const half = (size: number): number => Math.round(size * 2) / 2;

function isNear(above: Line, below: Line): boolean {
  const gap = above.y - below.y;
  return gap > 0 && gap <= PARAGRAPH_GAP * Math.max(below.size, above.size);
}

/** A block that may go on. */
interface OpenBlock {
  readonly kind: 'heading' | 'paragraph' | 'item';
  readonly level: number;
  readonly x: number;
  /** The text but for its end: each line is joined to the end alone. */
  readonly joined: string[];
  end: string;
}

/** Characters that the end of a block grows to, and those that remain of it then. */
const [LONGEST_END, LEFT_OF_END] = [2_000, 500];

/** Puts lines together that one paragraph, heading or point of a list was broken into. */
class BlockBuilder {
  private readonly blocks: Block[] = [];
  private open: OpenBlock | undefined;
  private items: string[] = [];
  private last: Line | undefined;
  private gap = 0;

  constructor(private readonly known: KnownWords) {}

  add(line: Line, level: number | undefined, below: () => readonly Line[]): void {
    const kind = level !== undefined ? 'heading' : this.isItem(line, below) ? 'item' : 'paragraph';
    if (this.continues(line, kind, level ?? 0) && this.open) this.join(this.open, line.text);
    else {
      this.close();
      this.open = { kind, level: level ?? 0, x: line.x, joined: [], end: line.text };
    }
    this.last = line;
  }

  finish(): Block[] {
    this.close();
    return this.blocks;
  }

  private join(open: OpenBlock, text: string): void {
    const end = joinLines(open.end, text, this.known);
    const kept = end.length > LONGEST_END ? end.length - LEFT_OF_END : 0;
    if (kept > 0) open.joined.push(end.slice(0, kept));
    open.end = end.slice(kept);
  }

  private isItem(line: Line, below: () => readonly Line[]): boolean {
    const { open, last } = this;
    const list = this.blocks.at(-1);
    const before =
      open?.kind === 'item' ? (open.joined[0] ?? open.end) : open === undefined && list?.kind === 'list' ? list.items.at(-1) : undefined;
    const isWithin = open !== undefined && open.kind !== 'heading' && last !== undefined && isNear(last, line);
    const inSentence = isWithin && !ENDED.test(last.text);
    const above = isWithin && (inSentence || last.right >= line.right) ? last.text : undefined;
    const lines = above === undefined ? [] : below().map(({ text }) => text);
    return beginsItem(line.text, { before, counted: before ?? this.items.at(-1), above, inSentence, below: lines });
  }

  private continues(line: Line, kind: 'heading' | 'paragraph' | 'item', level: number): boolean {
    const { open, last } = this;
    if (!open || !last || kind === 'item') return false;
    const gap = last.y - line.y;
    const near = isNear(last, line);
    // Another column begins at the top.
    if (!near && gap > 0) return false;
    if (kind === 'heading') return open.kind === 'heading' && open.level === level && near;
    if (open.kind === 'heading' || half(last.size) !== half(line.size)) return false;
    if (open.kind === 'item') return near && line.x > open.x + 1;
    const wider = near && this.gap > 0 && gap > this.gap * 1.25;
    this.gap = near ? (this.gap === 0 ? gap : Math.min(this.gap, gap)) : this.gap;
    const ended = ENDED.test(last.text);
    const indented = line.x > last.x + line.size * 0.8 && ended;
    return !wider && !indented && (near || !ended);
  }

  private close(): void {
    const { open } = this;
    this.open = undefined;
    this.gap = 0;
    if (!open) return;
    const text = open.joined.join('') + open.end;
    if (open.kind === 'heading') this.blocks.push({ kind: 'heading', level: open.level, text });
    else if (open.kind === 'paragraph') this.blocks.push({ kind: 'paragraph', text });
    else this.addItem(text);
  }

  private addItem(text: string): void {
    if (this.blocks.at(-1)?.kind !== 'list') {
      this.items = [];
      this.blocks.push({ kind: 'list', items: this.items });
    }
    this.items.push(text);
  }
}
