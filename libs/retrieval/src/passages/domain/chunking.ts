import type { Block, Body, Heading } from './block';
import { linesOf, sentencesOf, trimmedSpan, type Span } from './sentences';

/** Where a page, slide or sheet begins in the markdown. */
export interface PageBeginning {
  readonly page: number;
  readonly char_start: number;
}

/** How long passages are, in tokens. */
export interface ChunkOptions {
  readonly target_tokens: number;
  readonly overlap_tokens: number;
}

export const CHUNK_OPTIONS: ChunkOptions = { target_tokens: 400, overlap_tokens: 60 };

/** A passage: a stretch of the document, `markdown.slice(char_start, char_end)` being its text. */
export interface Chunk {
  readonly text: string;
  /** The headings above it, `A › B`; empty where there are none. */
  readonly heading: string;
  /** The header row of the table that goes on in it; empty where none does. */
  readonly lead: string;
  readonly page_from: number | null;
  readonly page_to: number | null;
  readonly char_start: number;
  readonly char_end: number;
  readonly tokens: number;
}

/** What is cut, and how. */
export interface ChunkedDocument {
  readonly markdown: string;
  readonly pages: readonly PageBeginning[];
  readonly options: ChunkOptions;
  /** Beginnings of the passages there were (`beginningOf`): where one of them comes again, a passage begins there again. */
  readonly beginnings: ReadonlySet<string>;
  readonly tokens: (text: string) => number;
}

/** The smallest piece of a document that passages are made of. */
interface Unit extends Span {
  readonly tokens: number;
  readonly kind: Body['kind'] | 'heading';
  readonly head?: Span;
  /** A passage begins here in any case. */
  readonly opens: boolean;
  readonly heading: string;
}

/** The longest passage is a little more than the target: 512 for 400. */
const MAXIMUM = 1.28;
/** A passage of fewer tokens goes on with its neighbour. */
const SMALLEST = 40;
/** The text between two pieces has so many tokens at most. */
const JOINT = 2;
const PATH = ' › ';
/** Of the headings above a passage, and of the header row that is repeated in it. */
const LONGEST_HEADING = 500;
const LONGEST_LEAD = 1_000;
const BEGINNING = 120;
/** Levels of headings that passages never cross. */
const SECTIONS = 2;

/** What a passage is known by when its document is cut once more: how what is new in it begins. */
export const beginningOf = (text: string): string => text.slice(0, BEGINNING).trimEnd();

/** The longest passage for such options. */
export const longestOf = ({ target_tokens }: ChunkOptions): number => Math.round(target_tokens * MAXIMUM);

/** Cuts documents into passages, block by block: no passage crosses a section, tables repeat their header row, a sentence overlaps. */
export class Chunking {
  private readonly chunks: Chunk[] = [];
  private readonly above: Heading[] = [];
  private open: Unit[] = [];
  /** The last sentence of the passage before, which the next one begins with. */
  private overlap: (Span & { readonly tokens: number }) | null = null;
  private lastPage: number | null = null;
  private readonly maximum: number;

  constructor(private readonly document: ChunkedDocument) {
    this.maximum = longestOf(document.options);
  }

  /** Takes the next blocks of the document. */
  addBlocks(blocks: readonly Block[]): void {
    for (const block of blocks) for (const unit of this.unitsOf(block)) this.take(unit);
  }

  /** The passages, once all blocks were added. */
  finishChunks(): readonly Chunk[] {
    this.close();
    return this.chunks;
  }

  private take(unit: Unit): void {
    const size = this.size();
    const titlesAlone = this.open.length > 0 && this.open.every(({ kind }) => kind === 'heading');
    const starts = this.open.length > 0 && !titlesAlone && this.startsAgain(unit);
    const full = size + unit.tokens > this.document.options.target_tokens;
    const small = size < SMALLEST || unit.tokens < SMALLEST;
    if (unit.opens && !titlesAlone) this.close(false);
    else if (starts || (full && !(small && size + unit.tokens <= this.maximum) && !titlesAlone)) this.close(isProse(unit));
    else if (size + unit.tokens > this.maximum) this.close(isProse(unit));
    this.open.push(unit);
  }

  private startsAgain({ start }: Span): boolean {
    const { beginnings, markdown } = this.document;
    return beginnings.size > 0 && beginnings.has(beginningOf(markdown.slice(start, start + BEGINNING)));
  }

  private size(): number {
    return this.open.reduce((sum, { tokens }) => sum + tokens + JOINT, this.overlap?.tokens ?? 0);
  }

  /** Makes a passage of what is open; `goesOn`: the next one belongs to the same stretch of prose. */
  private close(goesOn = false): void {
    const [first] = this.open;
    const last = this.open.at(-1);
    if (!first || !last) {
      if (!goesOn) this.overlap = null;
      return;
    }
    const { markdown, tokens } = this.document;
    const start = this.overlap?.start ?? first.start;
    const span = trimmedSpan(markdown, { start, end: last.end });
    const text = markdown.slice(span.start, span.end);
    const told = this.open.find(({ kind }) => kind !== 'heading') ?? last;
    const lead =
      first.head && first.start >= first.head.end ? markdown.slice(first.head.start, first.head.end).trim().slice(0, LONGEST_LEAD) : '';
    if (text !== '')
      this.chunks.push({
        text,
        lead,
        heading: told.heading,
        page_from: this.pageAt(span.start),
        page_to: this.pageAt(Math.max(span.start, span.end - 1)),
        char_start: span.start,
        char_end: span.end,
        tokens: tokens(text),
      });
    this.overlap = goesOn && isProse(last) ? this.lastSentence(last) : null;
    this.open = [];
  }

  private lastSentence({ start, end, tokens }: Unit): (Span & { readonly tokens: number }) | null {
    const { markdown, options } = this.document;
    const last = sentencesOf(markdown.slice(start, end)).at(-1);
    if (!last || options.overlap_tokens === 0) return null;
    const span = { start: start + last.start, end: start + last.end };
    const count = last.start === 0 ? tokens : this.document.tokens(markdown.slice(span.start, span.end));
    return count <= options.overlap_tokens ? { ...span, tokens: count } : null;
  }

  private unitsOf(block: Block): Unit[] {
    const { markdown, options } = this.document;
    const pageBegins = this.pageBegins(block);
    if (block.kind === 'heading') {
      while ((this.above.at(-1)?.level ?? 0) >= block.level) this.above.pop();
      this.above.push(block);
      const opens = block.level <= SECTIONS || pageBegins;
      const tokens = this.count(block);
      const heading = this.path();
      if (tokens <= options.target_tokens) return [{ ...spanOf(block), kind: 'heading', tokens, opens, heading }];
      // Nobody reads so much as a heading: what it says is text below it.
      return this.cut(block).map((part, at) => ({ ...part, kind: 'text', tokens: this.count(part), opens: opens && at === 0, heading }));
    }
    const tokens = this.count(block);
    const whole: Unit = {
      ...spanOf(block),
      kind: block.kind,
      tokens,
      opens: false,
      heading: this.path(),
      ...(block.head ? { head: block.head } : {}),
    };
    if (tokens <= options.target_tokens) return [whole];
    return this.partsOf(block, markdown).map((part, at): Unit => ({
      ...whole,
      ...part,
      start: at === 0 ? block.start : part.start,
      tokens: this.count(part),
    }));
  }

  private partsOf(block: Body, markdown: string): Span[] {
    const text = markdown.slice(block.start, block.end);
    const parts =
      block.parts.length > 1
        ? block.parts
        : block.kind === 'code'
          ? linesOf(text, block.start)
          : sentencesOf(text).map(({ start, end }) => ({ start: block.start + start, end: block.start + end }));
    return parts.flatMap((part) => this.cut(part));
  }

  /** A part that is too long for a passage is cut by sentences, then by words, then wherever. */
  private cut(part: Span): Span[] {
    if (this.count(part) <= this.document.options.target_tokens) return [part];
    const text = this.document.markdown.slice(part.start, part.end);
    const sentences = sentencesOf(text);
    if (sentences.length > 1) return sentences.flatMap(({ start, end }) => this.cut({ start: part.start + start, end: part.start + end }));
    const middle = part.start + middleOf(text);
    return [
      { start: part.start, end: middle },
      { start: middle, end: part.end },
    ].flatMap((half) => this.cut(half));
  }

  private count({ start, end }: Span): number {
    return this.document.tokens(this.document.markdown.slice(start, end));
  }

  /** The headings above, those next to the text before all others. */
  private path(): string {
    let path = '';
    for (const { title } of [...this.above].reverse()) {
      const longer = path === '' || title === '' ? title || path : `${title}${PATH}${path}`;
      if (longer.length > LONGEST_HEADING) break;
      path = longer;
    }
    return path;
  }

  private pageBegins({ start }: Span): boolean {
    const page = this.pageAt(start);
    const begins = page !== null && page !== this.lastPage;
    this.lastPage = page;
    return begins;
  }

  private pageAt(position: number): number | null {
    const { pages } = this.document;
    let [low, high] = [0, pages.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pages[middle]?.char_start ?? 0) <= position) low = middle + 1;
      else high = middle;
    }
    return pages[low - 1]?.page ?? pages[0]?.page ?? null;
  }
}

const isProse = ({ kind }: Pick<Unit, 'kind'>): boolean => kind === 'text' || kind === 'list';

const spanOf = ({ start, end }: Span): Span => ({ start, end });

/** Between two words near the middle, else between two characters. */
function middleOf(text: string): number {
  const middle = text.length >> 1;
  const blank = text.indexOf(' ', middle);
  const at = blank > 0 && blank < text.length - 1 ? blank : middle;
  return at > 0 && /[\ud800-\udbff]/.test(text[at - 1] ?? '') ? at + 1 : at;
}
